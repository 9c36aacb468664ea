// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/course/course_model.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "profiler/catalogue/catalogue.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {
namespace {

/// Fraction of the experiment's time budget that a quick lesson uses.
constexpr double kQuickShare = 0.1;

course::Course readCourse() {
  try {
    return course::shippedCourse();
  } catch (const InputError&) {
    return {};  // a damaged copy on disk: the list of lessons remains
  }
}

/// Whether a run has been held against any of them.
bool anyJudged(const course::Answers& answers) {
  return !answers.startedAt.empty();
}

}  // namespace

CourseModel::CourseModel(const QString& folder, QObject* parent)
    : QObject(parent),
      folder_(folder.isEmpty() ? QString() : folder + QStringLiteral("/answers")),
      course_(readCourse()) {
  for (const std::string& name : course::shippedLessons()) {
    try {
      const course::LessonHead lesson = course::shippedLessonHead(name);
      rows_.push_back({QString::fromStdString(name),
                       QString::fromStdString(lesson.title),
                       lesson.minutes,
                       progressOf(QString::fromStdString(name)),
                       {},
                       {},
                       {}});
      const QString who = whoAnswered(QString::fromStdString(name));
      if (!who.isEmpty()) who_ = who;
    } catch (const InputError&) {
      // If the installed copy of a lesson is damaged, the others are still offered.
    }
  }
  for (const course::CourseModule& module : course_.modules)
    for (const course::CourseLesson& lesson : module.lessons)
      for (Row& row : rows_) {
        if (row.name.toStdString() != lesson.name) continue;
        row.module = text(said(module.title));
        row.objective = text(said(lesson.objective));
        row.difficulty = lesson.difficulty;
        for (const std::string& before : lesson.after)
          if (const Row* its = this->row(before)) row.after.push_back(its->title);
      }
}

const CourseModel::Row* CourseModel::row(const std::string& name) const {
  for (const Row& row : rows_)
    if (row.name.toStdString() == name) return &row;
  return nullptr;
}

QString CourseModel::next() const {
  course::LessonProgresses progress;
  for (const Row& row : rows_) progress[row.name.toStdString()] = row.progress;
  return QString::fromStdString(course::nextLesson(course_, progress));
}

QString CourseModel::following() const {
  if (!lesson_) return {};
  const auto onPath = std::ranges::find(course_.path, lesson_->name);
  if (onPath != course_.path.end() && std::next(onPath) != course_.path.end())
    return QString::fromStdString(*std::next(onPath));
  const auto listed = std::ranges::find(rows_, QString::fromStdString(lesson_->name), &Row::name);
  return listed == rows_.end() || std::next(listed) == rows_.end() ? QString()
                                                                   : std::next(listed)->name;
}

void CourseModel::close() {
  lesson_.reset();
  answers_ = {};
  run_ = nullptr;
  judged_ = false;
  emit lessonChanged();
}

void CourseModel::open(const QString& given) {
  course::Lesson lesson = course::findLesson(given.toStdString());
  course::Answers answers = course::blankAnswers(lesson);
  const QString file = fileOf(QString::fromStdString(lesson.name));
  if (!file.isEmpty() && QFile::exists(file)) {
    try {
      const std::string path = file.toStdString();
      answers =
          course::inTheWordsOf(lesson, course::parseAnswers(readFile(path, kLargestWritten), path));
    } catch (const InputError&) {
      // Answers that cannot be read have to be given again.
    }
  }
  if (answers.who.empty()) answers.who = who_.toStdString();
  lesson_ = std::move(lesson);
  answers_ = std::move(answers);
  judge();
  emit lessonChanged();
}

Experiment CourseModel::experiment() const {
  Experiment experiment = lesson_->experiment;
  if (lesson_->quick) experiment.measure.budgetSeconds *= kQuickShare;
  return experiment;
}

void CourseModel::predict(std::size_t prediction, const QString& text) {
  if (prediction >= answers_.predictions.size()) return;
  course::GivenAnswer& given = answers_.predictions[prediction];
  const std::string entered = text.trimmed().toStdString();
  if (given.given != entered)
    given = {given.ask, entered, given.seen, {}, {}, false, given.measured};
  judge();
  keep();
}

void CourseModel::answer(std::size_t question, const QString& text) {
  if (question >= answers_.questions.size()) return;
  course::GivenAnswer& given = answers_.questions[question];
  const std::string entered = text.trimmed().toStdString();
  if (given.given != entered) given = {given.ask, entered, {}, {}, {}, false, given.measured};
  judge();
  keep();
}

void CourseModel::setWho(const QString& name) {
  if (who_ == name.trimmed() && answers_.who == who_.toStdString()) return;
  who_ = name.trimmed();
  answers_.who = who_.toStdString();
  keep();
}

void CourseModel::setRun(std::shared_ptr<const Run> run, std::vector<Crossing> crossings,
                         std::vector<LaunchModel> launches) {
  shown_ = std::move(run);
  crossings_ = std::move(crossings);
  launches_ = std::move(launches);
  if (!lesson_) return;
  judge();
  keep();
}

void CourseModel::save(const QString& path) const {
  writeFile(path.toStdString(), course::toJson(answers_));
}

void CourseModel::judge() {
  if (!lesson_) return;
  const bool measured = shown_ && !shown_->explored;  // what exploring has is coarse
  if (measured && sameMeasurement(shown_->experiment, lesson_->experiment))
    measured_[lesson_->name] = {shown_, crossings_, launches_};
  // A reader who opens another experiment keeps the results of this one.
  const auto seen = measured_.find(lesson_->name);
  const bool about =
      seen != measured_.end() && sameMeasurement(seen->second.run->experiment, lesson_->experiment);
  run_ = about ? seen->second.run : nullptr;
  judged_ = !run_ && anyJudged(answers_);
  if (!run_) return course::judgeByKept(answers_, *lesson_);
  const course::Facts facts{*run_, seen->second.crossings, seen->second.launches};
  course::judge(answers_, *lesson_, &facts);
}

void CourseModel::keep() {
  emit answersChanged();
  const QString name = QString::fromStdString(answers_.lesson);
  const QString file = fileOf(name);
  const LessonProgress progress = course::progressOf(answers_);
  // Do not overwrite verdicts from an earlier run while none is shown.
  if (file.isEmpty() || progress == LessonProgress::untouched ||
      (!seen() && progressOf(name) == LessonProgress::done))
    return;
  try {
    QDir().mkpath(folder_);
    save(file);
  } catch (const InputError&) {
    return;  // progress cannot be saved here; the lesson continues
  }
  for (Row& row : rows_)
    if (row.name == name && row.progress != progress) {
      row.progress = progress;
      emit rowsChanged();
    }
}

QString CourseModel::fileOf(const QString& name) const {
  return folder_.isEmpty() || name.isEmpty() ? QString()
                                             : QStringLiteral("%1/%2.json").arg(folder_, name);
}

QString CourseModel::whoAnswered(const QString& name) const {
  const QString file = fileOf(name);
  if (file.isEmpty() || !QFile::exists(file)) return {};
  try {
    const std::string path = file.toStdString();
    return QString::fromStdString(course::parseAnswers(readFile(path, kLargestWritten), path).who);
  } catch (const InputError&) {
    return {};
  }
}

LessonProgress CourseModel::progressOf(const QString& name) const {
  const QString file = fileOf(name);
  if (file.isEmpty() || !QFile::exists(file)) return LessonProgress::untouched;
  try {
    return course::progressOf(
        course::parseAnswers(readFile(file.toStdString(), kLargestWritten), file.toStdString()));
  } catch (const InputError&) {
    return LessonProgress::untouched;
  }
}

}  // namespace fusebench

#include "moc_course_model.cpp"
