// SPDX-License-Identifier: GPL-3.0-or-later
// How the course is joined to the rest of the window.
#include <QApplication>
#include <QFileInfo>
#include <QPointer>
#include <functional>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "ui/export/handout.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/course/course_view.h"
#include "ui/views/course/course_words.h"
#include "ui/views/window/view_links.h"

namespace fusebench {
namespace {

/// Shows the lesson's experiment; what is open is saved or given up before. False: it stays.
bool showLesson(WindowParts& parts) {
  const CourseModel& course = parts.models.course;
  if (!course.lesson()) return false;
  if (!parts.keeper.mayReplace(courseWord("The experiment has unsaved changes. Save it before the "
                                          "lesson's experiment replaces it?")))
    return false;
  parts.runs.keepOverlaysOf(nullptr);
  parts.keeper.show(course.experiment(), {});
  parts.views.showView(QStringLiteral("chart"));
  parts.views.showView(QStringLiteral("course"));
  return true;
}

/// The keyboard stays on the lesson, which continues below its button.
void measureLesson(WindowParts& parts) {
  const QPointer<QWidget> focused = QApplication::focusWidget();
  if (!showLesson(parts)) return;
  parts.runs.run();
  if (focused) focused->setFocus();
}

QString lessonTitle(const WindowParts& parts) {
  const course::Lesson* lesson = parts.models.course.lesson();
  return lesson ? QString::fromStdString(lesson->title) : QString();
}

/// Asks for a place, and has something written there; says why not.
void writeAsked(WindowParts& parts, const QString& ending, const QString& filter,
                const std::function<void(const QString&)>& write) {
  if (!parts.models.course.lesson()) return;
  const QString path = parts.keeper.askForPlace(
      QString::fromStdString(parts.models.course.lesson()->name) + ending, filter);
  if (path.isEmpty()) return;
  try {
    write(path);
    parts.models.messages.say(Tone::info, uiText("Written: %1").arg(path));
  } catch (const InputError& error) {
    parts.models.messages.say(Tone::error, QString::fromUtf8(error.what()));
  }
}

void openLesson(WindowParts& parts, const QString& path) {
  try {
    parts.models.course.open(path);
    parts.models.messages.dismiss();  // as with any other file
    parts.views.showView(QStringLiteral("course"), true);
  } catch (const InputError& error) {
    parts.models.messages.say(Tone::error, QString::fromUtf8(error.what()));
  }
}

constexpr const char* kDeviceBefore = "deviceBeforeLesson";

/// Chooses a device for the lesson, and notes which one was chosen before. A lesson without a
/// device of its own asks for one that stays.
void lendDevice(WindowModels& models, const QString& name) {
  Settings& settings = models.settings;
  if (const course::Lesson* const lesson = models.course.lesson();
      lesson && lesson->device.empty()) {
    settings.setPlace(QLatin1String(kDeviceBefore), QString());
    return models.devices.choose(name);
  }
  if (settings.place(QLatin1String(kDeviceBefore)).toString().isEmpty())
    settings.setPlace(QLatin1String(kDeviceBefore), models.devices.chosen());
  models.devices.choose(name);
}

/// Chooses the device again that was chosen before the lesson asked for one.
void giveDeviceBack(WindowModels& models) {
  const QString before = models.settings.place(QLatin1String(kDeviceBefore)).toString();
  if (before.isEmpty()) return;
  models.settings.setPlace(QLatin1String(kDeviceBefore), QString());
  models.devices.choose(before);
}

/// A lesson's device is for its experiment alone: another experiment, the end of the lesson and the
/// next start of the program give it back. A device that the person chooses meanwhile stays.
void linkLentDevice(CourseView& view, WindowParts& parts) {
  WindowModels& models = parts.models;
  giveDeviceBack(models);
  QObject::connect(&view, &CourseView::deviceWanted, &view, [parts](const QString& name) mutable {
    parts.files.whenFree(uiText("choose %1").arg(name),
                         [parts, name] { lendDevice(parts.models, name); });
  });
  const auto end = [&models] {
    const bool lesson = models.course.lesson() &&
                        models.document.experiment().title == models.course.experiment().title;
    if (!lesson) giveDeviceBack(models);
  };
  QObject::connect(&models.document, &DocumentModel::loaded, &view, end);
  QObject::connect(&models.course, &CourseModel::lessonChanged, &view, [&models] {
    const course::Lesson* const lesson = models.course.lesson();
    if (!lesson || lesson->device != models.devices.device()) giveDeviceBack(models);
  });
  QObject::connect(&models.devices, &DevicesModel::chosenChanged, &view, [&models] {
    const course::Lesson* const lesson = models.course.lesson();
    if (lesson && lesson->device != models.devices.device())
      models.settings.setPlace(QLatin1String(kDeviceBefore), QString());
  });
}

}  // namespace

void linkCourse(CourseView& view, WindowParts& parts) {
  WindowModels& models = parts.models;
  const auto tell = [&models] {
    const auto run = models.run.shared();
    const bool settled = run && !models.study.busy() && models.analysis.upToDate();
    models.course.setRun(settled ? run : nullptr, models.analysis.analysis().crossings,
                         models.analysis.analysis().launches);
  };
  QObject::connect(&models.analysis, &AnalysisModel::changed, &view, tell);
  QObject::connect(&models.study, &StudyController::stateChanged, &view, tell);
  QObject::connect(&parts.files, &FilesController::lessonGiven, &view,
                   [parts](const QString& path) mutable { openLesson(parts, path); });
  QObject::connect(&view, &CourseView::measureWanted, &view, [parts]() mutable {
    parts.files.whenFree(uiText("measure “%1”").arg(lessonTitle(parts)),
                         [parts]() mutable { measureLesson(parts); });
  });
  QObject::connect(&view, &CourseView::showWanted, &view, [parts]() mutable {
    parts.files.whenFree(uiText("open “%1”").arg(lessonTitle(parts)),
                         [parts]() mutable { showLesson(parts); });
  });
  const auto device = [&view, &models] { view.setDevice(models.devices.chosen()); };
  QObject::connect(&models.devices, &DevicesModel::changed, &view, device);
  device();
  linkLentDevice(view, parts);
  QObject::connect(&view, &CourseView::saveWanted, &view, [parts]() mutable {
    writeAsked(parts, QStringLiteral("-answers.json"),
               uiText("%1 (*.json)").arg(courseWord("Answers")),
               [&](const QString& path) { parts.models.course.save(path); });
  });
  QObject::connect(&view, &CourseView::handoutWanted, &view, [parts]() mutable {
    writeAsked(parts, QStringLiteral(".html"),
               QStringLiteral("HTML (*.html);;PDF (*.pdf);;Markdown (*.md);;%1 (*.fblesson)")
                   .arg(courseWord("Lesson to open here")),
               [&](const QString& path) {
                 const CourseModel& course = parts.models.course;
                 writeFile(path.toStdString(), handoutContent(*course.lesson(), &course.answers(),
                                                              path, course.measured())
                                                   .toStdString());
               });
  });
}

}  // namespace fusebench
