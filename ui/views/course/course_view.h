// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/course/course_model.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace fusebench {

class CourseMap;
class LessonText;
class PredictionPart;
class QuestionPart;

/// The course: a map of its lessons, or one lesson with its text, the predictions, the measurement
/// and the questions in their positions, and the actions for the answers.
class CourseView : public QWidget {
  Q_OBJECT

 public:
  explicit CourseView(CourseModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// The device that is measured on.
  void setDevice(const QString& device);

 signals:
  /// The lesson's experiment has to be shown; or shown and measured.
  void showWanted();
  void measureWanted();
  /// It has to be measured on the device that the lesson is meant for.
  void deviceWanted(const QString& device);
  /// The answers have to be written to a file, or the lesson as a handout.
  void saveWanted();
  void handoutWanted();

 private:
  void fillRows();
  void choose(int index);
  void rebuild();
  void refresh();
  QWidget* partWidget(const course::LessonPart& part, QWidget* page);
  QWidget* textPart(const QString& markdown, QWidget* page);
  QWidget* runPart(QWidget* page);
  QWidget* nextPart(QWidget* page);
  void showNext();
  QString measuredText() const;
  /// The device that the lesson requires: its own, otherwise this machine's processor.
  std::string meantDevice() const;
  QWidget* mapPage(QWidget* page);

  CourseModel& model_;
  const Theme* theme_ = &darkTheme();
  QComboBox* lessons_;
  QPushButton* mapButton_;
  CourseMap* map_ = nullptr;  ///< while no lesson is open
  QScrollArea* scroll_;
  QLineEdit* who_;
  QPushButton *save_, *handout_;
  QPushButton *run_ = nullptr, *useDevice_ = nullptr;
  QLabel* aboutDevice_ = nullptr;
  QString device_;
  QLabel* seen_ = nullptr;
  QLabel* next_ = nullptr;  ///< a link to the lesson that follows
  std::vector<LessonText*> texts_;
  std::vector<PredictionPart*> predictions_;
  std::vector<QuestionPart*> questions_;
};

}  // namespace fusebench
