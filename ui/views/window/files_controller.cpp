// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/files_controller.h"

#include <QDir>
#include <QFileInfo>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/work_limit.h"
#include "profiler/experiment/cut_module.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "profiler/run/report_runs.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/same_measurement.h"
#include "ui/models/timeline/compile_log_model.h"
#include "ui/models/timeline/execution_trace_model.h"
#include "ui/models/timeline/memory_snapshot_model.h"

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

/// The file of a shipped experiment or recording that is given by its name, as on the command line.
QString shippedFile(const QString& name) {
  if (QFileInfo::exists(name)) return name;
  const std::string stem = name.toStdString();
  for (const std::string& each : shippedExperiments())
    if (each == stem) return QString::fromStdString(resourcePath("experiments/" + stem + ".json"));
  for (const Recording& recording : shippedRecordings())
    if (recording.name == stem) return QString::fromStdString(recording.path);
  return name;
}

}  // namespace

FilesController::FilesController(WindowModels& models, DocumentKeeper& keeper, RunsController& runs,
                                 QObject* parent)
    : QObject(parent), models_(models), keeper_(keeper), runs_(runs) {
  // Queued, so that messages about the end of the run come first and later ones may replace them.
  connect(
      &runs, &RunsController::ended, this,
      [this] {
        models_.messages.withdraw(Remedy::stopAndGoOn);
        if (waiting_) doWaiting();
      },
      Qt::QueuedConnection);
  connect(&runs, &RunsController::openingBegun, this, &FilesController::stopReading);
  // A file that is still being read would replace what the person has chosen meanwhile.
  connect(&keeper, &DocumentKeeper::replaced, this, &FilesController::stopOpening);
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

bool FilesController::open(const QString& given) {
  const QString path = shippedFile(given);
  // Dialogs start in the file's folder, where related files are: another trace, the next run.
  if (const QFileInfo file(path); file.exists() && !isShipped(path))
    models_.settings.setFolder(file.absolutePath());
  if (ExecutionTraceModel::isExecutionTrace(path)) {
    emit executionTraceGiven(path);
    return true;
  }
  // Before traces: whatever is packed counts as one of these.
  if (CompileLogModel::isLog(path)) {
    emit compileLogGiven(path);
    return true;
  }
  if (opensAsTrace(path.toStdString())) {
    emit traceGiven(path);
    if (MemorySnapshotModel::isSnapshot(path)) emit memorySnapshotGiven(path);
    return true;
  }
  if (looksLikePickle(path.toStdString())) {
    models_.messages.say(Tone::error, text(pickleRefusal(path.toStdString())));
    return false;
  }
  if (path.endsWith(QLatin1String(".fblesson"), Qt::CaseInsensitive)) {
    emit lessonGiven(path);
    return true;
  }
  for (const char* ending : {".py", ".pt2"})
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) {
      emit modelGiven(path);
      return true;
    }
  if (models_.study.busy())
    return whenFree(uiText("open %1").arg(QFileInfo(path).fileName()),
                    [this, path] { open(path); });
  stopOpening();
  const QFileInfo file(path);
  const SavedExperiment shown = runs_.shownExperiment();
  if (auto opened = readNow(path, shown)) return take(path, std::move(*opened));
  models_.messages.say(Tone::info, uiText("Opening %1…").arg(file.fileName()), uiText("Cancel"),
                       Remedy::stopOpening);
  task_.start(
      [path, shown](const std::stop_token& stop) {
        const WorkLimit limit(kOpeningSeconds, stop);
        return readAll(path, shown);
      },
      [this, path](Opened opened) {
        models_.messages.withdraw(Remedy::stopOpening);
        // A run may have begun meanwhile.
        if (models_.study.busy())
          whenFree(uiText("open %1").arg(QFileInfo(path).fileName()), [this, path] { open(path); });
        else
          take(path, std::move(opened));
        emit this->opened();
      });
  return true;
}

void FilesController::stopOpening() {
  stopReading();
  runs_.stopOpening();
}

void FilesController::stopReading() {
  task_.cancel();
  if (!std::exchange(restoring_, false)) return;
  // The session of the last window is kept in a file.
  models_.session.setAside();
  models_.session.begin();
}

FilesController::Opened FilesController::readAll(const QString& path,
                                                 const SavedExperiment& shown) {
  Opened opened;
  try {
    opened.document = openDocument(path);
    // Reports alone may hold more; a run is not read again for that.
    if (isBundleFile(path)) opened.bundle = openBundle(path);
    const auto* run = std::get_if<Run>(&*opened.document);
    if (run && isReportName(path.toStdString())) opened.runs = openRuns(path);
    if (run) opened.saved = savedFor(*run, shown);
  } catch (const std::exception& error) {
    opened.document.reset();
    opened.error = QString::fromUtf8(error.what());
  }
  return opened;
}

/// The content of a small file; nothing if its program takes more than a moment to read.
std::optional<FilesController::Opened> FilesController::readNow(const QString& path,
                                                                const SavedExperiment& shown) {
  if (!areSmall({path})) return std::nullopt;
  const bool reads = areSmall({path, shown.path});
  const WorkLimit moment(LatestTask::kMoment);
  Opened opened = readAll(path, reads ? shown : SavedExperiment());
  // The shown experiment's own file is also read if this is a run of it.
  const bool isRun = opened.document && std::holds_alternative<Run>(*opened.document);
  if (isRun && !reads) return std::nullopt;
  // A draft may lack its program for want of time.
  if (WorkLimit::state() == WorkLimit::State::going) return opened;
  return std::nullopt;
}

/// Shows what was read.
bool FilesController::take(const QString& path, Opened opened) {
  if (!opened.document) {
    models_.settings.forgetRecentFile(path);
    models_.messages.say(Tone::error, opened.error);
    return false;
  }
  const bool taken = std::holds_alternative<Run>(*opened.document) ? takeRun(path, opened)
                                                                   : takeExperiment(path, opened);
  if (taken && opened.bundle) takeBundle(*opened.bundle);
  return taken;
}

bool FilesController::takeRun(const QString& path, Opened& opened) {
  const auto run = std::make_shared<const Run>(std::get<Run>(std::move(*opened.document)));
  if (!runs_.openWithExperiment(run, path, std::move(opened.saved))) return false;
  models_.settings.addRecentFile(path);
  emit kindShown(FileKind::run);
  // A file of results is about its curves, whatever was looked at before.
  emit viewWanted(QStringLiteral("chart"), false);
  if (opened.runs.size() > 1) runs_.showTogether(std::move(opened.runs), path);
  return true;
}

bool FilesController::takeExperiment(const QString& path, Opened& opened) {
  if (!keeper_.mayReplace(
          uiText("The experiment has unsaved changes. Save it before opening another one?")))
    return false;
  models_.messages.dismiss();
  // The next save must not replace a file that holds more.
  const bool own = !isShipped(path) && !opened.bundle;
  keeper_.show(std::get<Experiment>(std::move(*opened.document)), own ? path : QString());
  models_.session.setShownRun({});
  emit kindShown(FileKind::experiment);
  if (!isShipped(path)) models_.settings.addRecentFile(path);
  return true;
}

/// The rest of a .fusebench file, after its run or its experiment.
void FilesController::takeBundle(const OpenedBundle& bundle) {
  // The program may have been edited after it was measured.
  if (bundle.experiment && models_.run.run() &&
      !sameMeasurement(*bundle.experiment, models_.document.experiment()))
    keeper_.replace(*bundle.experiment, {});
  notes_ = {models_.run.shared(), bundle.notes};
  if (!bundle.notes.isEmpty())
    models_.messages.say(Tone::info, uiText("Notes: %1").arg(bundle.notes));
  if (!bundle.view.isEmpty()) emit viewGiven(bundle.view);
}

void FilesController::share(const QByteArray& view) {
  keeper_.commit();
  const QString path =
      keeper_.askForPlace(fileNameFor(models_.document.experiment()) + QStringLiteral(".fusebench"),
                          uiText("Fusebench file (*.fusebench)"));
  if (path.isEmpty()) return;
  Bundle bundle;
  bundle.experiment = toJson(models_.document.experiment());
  bundle.view = view.toStdString();
  if (const auto run = models_.run.measured()) {
    bundle.run = runText(*run);
    const RunRecord* record = models_.library.record(models_.session.shownRun());
    bundle.notes = (record                     ? record->notes
                    : notes_.run.lock() == run ? notes_.text
                                               : QString())
                       .toStdString();
  }
  try {
    writeFile(path.toStdString(), toText(bundle));
    models_.settings.setFolder(QFileInfo(path).absolutePath());
    models_.settings.addRecentFile(path);
  } catch (const std::exception& error) {
    models_.messages.say(Tone::error, QString::fromUtf8(error.what()));
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
  if (!keeper_.mayReplace(
          uiText("The experiment has unsaved changes. Save it before starting a new one?")))
    return;
  models_.messages.dismiss();
  runs_.keepOverlaysOf(nullptr);
  keeper_.show(DocumentModel::blank(), {});
  models_.session.setShownRun({});
  emit kindShown(FileKind::experiment);
  emit viewWanted(QStringLiteral("canvas"), true);
}

void FilesController::openPart(const QString& module) {
  const QString what = uiText("measure %1").arg(module);
  if (models_.study.busy()) {
    whenFree(what, [this, module] { openPart(module); });
    return;
  }
  task_.cancel();
  task_.start(
      [whole = models_.document.experiment(), module](const std::stop_token& stop) {
        const WorkLimit limit(kOpeningSeconds, stop);
        Part part;
        try {
          // What is being edited has its program as a sketch: read it as a file's.
          Experiment read = parseExperiment(toJson(whole), whole.title);
          read.folder = whole.folder;
          part.experiment = cutModule(read, module.toStdString());
        } catch (const std::exception& error) {
          part.error = QString::fromUtf8(error.what());
        }
        return part;
      },
      [this, what, module](Part part) {
        if (!part.experiment)
          models_.messages.say(Tone::error, part.error);
        else if (models_.study.busy())  // it may have begun meanwhile
          whenFree(what, [this, module] { openPart(module); });
        else
          takePart(module, std::move(*part.experiment));
        emit opened();
      });
}

void FilesController::takePart(const QString& module, Experiment part) {
  DocumentModel& document = models_.document;
  if (!keeper_.mayReplace(
          uiText("The experiment has unsaved changes. Save it before opening a part of it?")))
    return;
  whole_ = Whole{document.experiment(), document.path(), document.modified()};
  keeper_.show(std::move(part), {});
  document.markUnsaved();
  models_.session.setShownRun({});
  models_.messages.say(Tone::info,
                       uiText("%1 is now a separate experiment, with the shapes that it receives "
                              "in the model. Run measures it.")
                           .arg(module),
                       uiText("Back to the model"), Remedy::openWhole);
}

void FilesController::openMade(const Experiment& experiment, const QString& what) {
  if (models_.study.busy()) {
    whenFree(uiText("measure %1").arg(what),
             [this, experiment, what] { openMade(experiment, what); });
    return;
  }
  if (!keeper_.mayReplace(
          uiText("The experiment has unsaved changes. Save it before opening another one?")))
    return;
  models_.messages.dismiss();
  runs_.keepOverlaysOf(nullptr);
  keeper_.show(experiment, {});
  models_.document.markUnsaved();
  models_.session.setShownRun({});
  models_.messages.say(Tone::info,
                       uiText("%1: now an experiment with the shapes of the trace. Run measures "
                              "it.")
                           .arg(what));
  emit viewWanted(QStringLiteral("canvas"), true);
}

void FilesController::openWhole() {
  if (!whole_) return;
  if (models_.study.busy()) {
    whenFree(uiText("open the model"), [this] { openWhole(); });
    return;
  }
  if (models_.document.modified() && models_.document.canUndo() &&
      !keeper_.mayReplace(
          uiText("The experiment has unsaved changes. Save it before opening another one?")))
    return;
  const Whole whole = *std::exchange(whole_, std::nullopt);
  keeper_.show(whole.experiment, whole.path);
  if (whole.modified) models_.document.markUnsaved();
  models_.session.setShownRun({});
}

bool FilesController::openMainStudy() {
  return open(mainStudy());
}

void FilesController::restoreSession() {
  if (!models_.session.mine()) {
    openMainStudy();
    return;
  }
  const QString file = models_.session.file();
  if (areSmall({file}))
    if (auto left = LatestTask::tryNow([&] { return Session::read(file); }))
      return restore(std::move(*left));
  restoring_ = true;
  task_.start(
      [file](const std::stop_token& stop) {
        const WorkLimit limit(kOpeningSeconds, stop);
        return Session::read(file);
      },
      [this](std::optional<Session::State> left) {
        restoring_ = false;
        // Edits that were made meanwhile stay; the session of the last window is kept in a file.
        if (models_.document.modified()) {
          models_.session.setAside();
          models_.session.begin();
        } else {
          restore(std::move(left));
        }
        emit opened();
      });
}

void FilesController::restore(std::optional<Session::State> left) {
  if (!left) {
    openMainStudy();
    if (const QString aside = models_.session.setAside(); !aside.isEmpty())
      models_.messages.say(Tone::warning,
                           uiText("The last session cannot be read. It is kept in %1.").arg(aside));
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
