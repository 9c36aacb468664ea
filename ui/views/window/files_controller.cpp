// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/files_controller.h"

#include <QDir>
#include <QFileInfo>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "profiler/files/resources.h"
#include "profiler/run/report_runs.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

constexpr const char* kMainStudy = "experiments/fusion_study.json";

QString mainStudy() {
  return QString::fromStdString(resourcePath(kMainStudy));
}

/// Whether a file is one of the program's own.
bool isShipped(const QString& path) {
  QDir resources = QFileInfo(mainStudy()).dir();
  resources.cdUp();
  return path.startsWith(resources.absolutePath() + u'/');
}

}  // namespace

FilesController::FilesController(WindowModels& models, DocumentKeeper& keeper, RunsController& runs,
                                 QObject* parent)
    : QObject(parent), models_(models), keeper_(keeper), runs_(runs) {
  // What is said about the run's end comes first: then what comes next may take its place.
  connect(
      &runs, &RunsController::ended, this,
      [this] {
        models_.messages.withdraw(Remedy::stopAndGoOn);
        if (waiting_) doWaiting();
      },
      Qt::QueuedConnection);
  connect(&runs, &RunsController::openRefused, this, [this](const QString& path) {
    whenFree(uiText("open %1").arg(QFileInfo(path).fileName()), [this, path] { runs_.open(path); });
  });
}

bool FilesController::whenFree(const QString& what, const std::function<void()>& task) {
  if (!models_.study.busy()) {
    task();
    return true;
  }
  offered_ = task;
  waiting_ = false;
  models_.messages.say(
      Tone::warning,
      uiText("A run is being measured. To %1 now, stop it: what it has measured is kept.")
          .arg(what),
      uiText("Stop it and %1").arg(what), Remedy::stopAndGoOn);
  return false;
}

void FilesController::doWaiting() {
  waiting_ = models_.study.busy();
  if (!waiting_ && offered_) std::exchange(offered_, nullptr)();
}

bool FilesController::open(const QString& path) {
  // What belongs beside it is looked for there: another trace, the next run.
  if (const QFileInfo file(path); file.exists() && !isShipped(path))
    models_.settings.setFolder(file.absolutePath());
  if (opensAsTrace(path.toStdString())) {
    emit traceGiven(path);
    return true;
  }
  if (path.endsWith(QLatin1String(".fblesson"), Qt::CaseInsensitive)) {
    emit lessonGiven(path);
    return true;
  }
  if (models_.study.busy())
    return whenFree(uiText("open %1").arg(QFileInfo(path).fileName()),
                    [this, path] { open(path); });
  try {
    Document file = openDocument(path);
    if (std::holds_alternative<Experiment>(file) &&
        !keeper_.mayReplace(uiText("The experiment is changed and not saved. Save it "
                                   "before opening another one?")))
      return false;
    models_.messages.dismiss();
    if (auto* experiment = std::get_if<Experiment>(&file)) {
      const bool shipped = isShipped(path);
      keeper_.show(std::move(*experiment), shipped ? QString() : path);
      models_.session.setShownRun({});
      if (!shipped) models_.settings.addRecentFile(path);
    } else {
      const auto run = std::make_shared<const Run>(std::get<Run>(std::move(file)));
      if (!runs_.openWithExperiment(run, path)) return false;
      models_.settings.addRecentFile(path);
      // Reports alone may hold more; a run is not read again for that.
      if (isReportName(path.toStdString()))
        if (std::vector<Run> runs = openRuns(path); runs.size() > 1)
          runs_.showTogether(std::move(runs), path);
    }
    return true;
  } catch (const std::exception& error) {
    models_.settings.forgetRecentFile(path);
    models_.messages.say(Tone::error, QString::fromUtf8(error.what()));
    return false;
  }
}

void FilesController::ask() {
  if (const QString path = keeper_.askForFile(); !path.isEmpty()) open(path);
}

void FilesController::newChain() {
  if (models_.study.busy()) {
    whenFree(uiText("begin a new chain"), [this] { newChain(); });
    return;
  }
  if (!keeper_.mayReplace(uiText("The experiment is changed and not saved. Save it before "
                                 "starting a new one?")))
    return;
  models_.messages.dismiss();
  runs_.keepOverlaysOf(nullptr);
  keeper_.show(DocumentModel::blank(), {});
  models_.session.setShownRun({});
  emit viewWanted(QStringLiteral("canvas"), true);
}

bool FilesController::openMainStudy() {
  return open(mainStudy());
}

void FilesController::restoreSession() {
  if (!models_.session.mine()) {
    openMainStudy();
    return;
  }
  std::optional<Session::State> left = models_.session.left();
  if (!left) {
    openMainStudy();
    if (const QString aside = models_.session.setAside(); !aside.isEmpty())
      models_.messages.say(
          Tone::warning,
          uiText("What was open last time cannot be read. It is kept in %1.").arg(aside));
  } else {
    keeper_.show(left->experiment, left->path);
    if (left->modified) models_.document.markUnsaved();
    if (!left->shownRun.isEmpty() && QFileInfo::exists(left->shownRun)) runs_.show(left->shownRun);
    if (left->crashed && left->modified)
      models_.messages.say(Tone::info,
                           uiText("Fusebench did not close properly. Your edits are restored."),
                           uiText("Discard them"), Remedy::discardRestored);
  }
  models_.session.begin();
}

void FilesController::discardRestored() {
  const QString path = models_.document.path();
  const bool there = !path.isEmpty() && QFileInfo::exists(path);
  models_.document.markSaved(there ? path : QString());  // asked already
  there ? open(path) : openMainStudy();
}

}  // namespace fusebench

#include "moc_files_controller.cpp"
