// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/course/modules.h"
#include "profiler/run/run.h"

namespace fusebench {

using course::LessonProgress;

/// The course: which lesson is open, what was entered, and the answers of the displayed run.
/// Answers are saved in a folder, one file for each lesson, as they are entered.
class CourseModel : public QObject {
  Q_OBJECT

 public:
  /// `folder` is where answers are kept; empty: they are not kept.
  explicit CourseModel(const QString& folder, QObject* parent = nullptr);

  struct Row {
    QString name, title;
    int minutes = 0;
    LessonProgress progress = LessonProgress::untouched;
    QString module, objective;
    QStringList after;  ///< titles of the lessons that it builds upon
    int difficulty = 1;
  };
  /// The shipped lessons, in order.
  const std::vector<Row>& rows() const { return rows_; }
  /// Null if there is none of this name.
  const Row* row(const std::string& name) const;
  const course::Course& course() const { return course_; }
  /// Name of the lesson to continue with; empty: all are done.
  QString next() const;
  /// Name of the lesson after the open one, on the path or else in the list; empty: none.
  QString following() const;

  /// Opens a lesson by its name or file. Throws InputError; then the previous lesson stays open.
  void open(const QString& given);
  /// Closes it: the course as a whole is shown.
  void close();
  /// Null before one is opened.
  const course::Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  const course::Answers& answers() const { return answers_; }
  /// The lesson's experiment as it is to be measured here: with the time that the lesson allows.
  Experiment experiment() const;

  void predict(std::size_t prediction, const QString& text);
  void answer(std::size_t question, const QString& text);
  void setWho(const QString& name);
  /// The displayed run; null: none. Runs of other experiments give no answers.
  void setRun(std::shared_ptr<const Run> run, std::vector<Crossing> crossings,
              std::vector<LaunchModel> launches);
  /// Whether the answers were checked against a run, and whether that run is the one shown.
  bool seen() const { return run_ != nullptr || judged_; }
  bool shown() const { return run_ != nullptr && run_ == shown_; }
  /// The run that the lesson is answered by; null: none is here.
  const Run* measured() const { return run_.get(); }

  /// Writes the answers to a file to hand in. Throws InputError.
  void save(const QString& path) const;

 signals:
  void lessonChanged();
  void answersChanged();
  void rowsChanged();

 private:
  /// A run with what follows from it.
  struct Seen {
    std::shared_ptr<const Run> run;
    std::vector<Crossing> crossings;
    std::vector<LaunchModel> launches;
  };
  void judge();
  void keep();
  QString fileOf(const QString& name) const;
  LessonProgress progressOf(const QString& name) const;
  QString whoAnswered(const QString& name) const;

  QString folder_;
  course::Course course_;
  std::vector<Row> rows_;
  std::optional<course::Lesson> lesson_;
  course::Answers answers_;
  QString who_;                             ///< the name that the reader entered last
  std::shared_ptr<const Run> shown_, run_;  ///< run_: the last one about the lesson
  std::vector<Crossing> crossings_;
  std::vector<LaunchModel> launches_;
  std::map<std::string, Seen> measured_;  ///< per lesson, while the window is open
  bool judged_ = false;  ///< verdicts were kept from a run that is no longer available
};

}  // namespace fusebench
