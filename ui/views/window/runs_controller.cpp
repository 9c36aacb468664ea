// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/runs_controller.h"

#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/study/study_schedule.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/comparison.h"
#include "ui/models/results/run_words.h"
#include "ui/models/results/same_measurement.h"

namespace fusebench {
namespace {
constexpr double kNotablyLonger = 1.5;  ///< than asked for: then it is asked

/// Names one after another; with commas in them they are kept apart by more than that.
QString namesInARow(const QStringList& names) {
  const bool commas = std::ranges::any_of(
      names, [](const QString& name) { return name.contains(QLatin1Char(',')); });
  return names.join(commas ? QStringLiteral("; ") : QStringLiteral(", "));
}

}  // namespace

RunsController::RunsController(WindowModels& models, DocumentKeeper& keeper,
                               DevicesController& devices, QObject* parent)
    : QObject(parent), models_(models), keeper_(keeper), devices_(devices) {
  connect(&models_.study, &StudyController::stateChanged, this, &RunsController::studyChanged);
  connect(&models_.study, &StudyController::workerLost, this, &RunsController::workerLost);
  connect(&models_.run, &RunModel::runAboutToReset, this, &RunsController::keepPreviousRun);
  connect(&models_.run, &RunModel::runReset, this, &RunsController::showBefore);
  connect(&models_.run, &RunModel::cellsChanged, this, &RunsController::releasePreviousRun);
  // A run that was stopped has no more to come.
  connect(&models_.run, &RunModel::completed, this, &RunsController::dropBefore);
  connect(&models_.study, &StudyController::overBudget, this, &RunsController::overBudget);
  // With the first curve, not minutes later when all is refined.
  connect(&models_.explore, &ExploreController::firstCurve, this, &RunsController::tellUnavailable);
  connect(&models_.explore, &ExploreController::stateChanged, this,
          &RunsController::exploringChanged);
  connect(&devices_, &DevicesController::pythonChanged, this, &RunsController::measureWaiting);
  connect(&models_.document, &DocumentModel::changed, this, &RunsController::relabel);
  connect(&models_.document, &DocumentModel::loaded, this, &RunsController::forgetWanted);
  connect(&models_.document, &DocumentModel::becameSettled, this, &RunsController::runIfWanted);
  connect(&models_.run, &RunModel::completed, this, &RunsController::relabel);
  connect(&devices_, &DevicesController::moved, this, &RunsController::moved);
  connect(&keeper_, &DocumentKeeper::replaced, this,
          [this](const Experiment& next) { keepOverlaysOf(&next); });
  connect(&models_.library, &RunLibrary::added, this, [this](const QString& path) {
    models_.memory.setPath(kept_.get(), path);
    kept_.reset();
    if (std::exchange(keeping_, false)) models_.session.setShownRun(path);
  });
  // Results that no file has go to the library before explored ones take their place.
  models_.explore.setKeeper([this](std::shared_ptr<const Run> run) {
    models_.library.add(std::move(run));
    return true;
  });
  models_.explore.setRecall([this] { return recall(); });
}

RunsController::~RunsController() {
  models_.explore.setKeeper({});
  models_.explore.setRecall({});
}

// ---- measuring ----

void RunsController::run() {
  if (inTurn_) {
    models_.messages.say(
        Tone::info,
        uiText("Several machines or devices are measured in turn. Setup can stop that."));
    return;
  }
  if (models_.study.busy()) return;
  keeper_.commit();
  setWanted(!models_.document.isSettled());
  if (wanted_)
    models_.messages.say(Tone::info, uiText("The run begins once the program has been read."),
                         uiText("Do not run"), Remedy::forgetRun);
  else if (isReady() && mayTakeLong())
    begin();
}

void RunsController::runIfWanted() {
  if (!wanted_) return;
  forgetWanted();
  run();
}

void RunsController::setWanted(bool wanted) {
  if (std::exchange(wanted_, wanted) != wanted) emit wantedChanged();
}

void RunsController::forgetWanted() {
  models_.messages.withdraw(Remedy::forgetRun);
  setWanted(false);
}

bool RunsController::runInTurn() {
  if (!readyToRun()) return false;
  begin();
  return models_.study.busy();
}

bool RunsController::readyToRun() {
  if (models_.study.busy()) return false;
  keeper_.commit();
  return isReady();
}

bool RunsController::isReady() {
  if (!models_.document.runnable()) {
    const Problem& problem = models_.document.problems().front();
    emit problemShown(problem);
    models_.messages.say(Tone::error, uiText("This cannot be run yet: %1").arg(problem.text));
    return false;
  }
  if (devices_.finding()) {
    models_.messages.say(
        Tone::info, uiText("Fusebench is still looking for devices. Press Run again in a moment."));
    return false;
  }
  return true;
}

void RunsController::begin() {
  models_.messages.dismiss();
  emit begun();
  models_.explore.runFull(models_.settings.quick());
}

/// Asks the person before a run that takes longer than its budget even with the fewest samples,
/// according to the explored results.
bool RunsController::mayTakeLong() {
  const Run* known = models_.run.run();
  if (models_.settings.quick()) return true;  // it leaves out what there is no time for
  if (!known || !models_.measuredAsShown() || !models_.devices.measures(*known)) return true;
  const auto least = leastSeconds(*known);
  const double budget =
      planTime(models_.document.experiment().measure, /*quick=*/false).samplingSeconds;
  if (!least || *least < kNotablyLonger * budget) return true;
  const auto [needed, asked] = formatDurationsApart(*least, budget);
  return keeper_.mayMeasure(
      uiText("%1 samples of each of the %2 data points take about %3; %4 to take %5.\n\nWith fewer "
             "samples there is no interval, and little can be said.")
          .arg(kLeastSamples)
          .arg(known->cells.size())
          .arg(needed, uiText("the run's budget is"), asked));
}

void RunsController::overBudget(const BudgetNeed& need) {
  const auto [needed, asked] = formatDurationsApart(need.seconds, need.budget);
  models_.messages.say(Tone::info,
                       uiText("%1 samples of each of the %2 data points take about %3, more than "
                              "the budget of %4. They are taken anyway.")
                           .arg(need.samples)
                           .arg(need.cells)
                           .arg(needed, asked),
                       uiText("Stop now"), Remedy::stopStudy);
}

void RunsController::goOn() {
  if (inTurn_ || !models_.study.canGoOn() || !models_.measuredAsShown()) return run();
  if (devices_.mayAddHere()) models_.study.goOn();
}

/// Reports once which variants could not be measured here, and how to fix it.
void RunsController::tellUnavailable() {
  const Run* run = models_.run.run();
  if (!run) return;
  QStringList names;
  const Cell* first = nullptr;
  bool python = false;
  for (const Cell& cell : run->cells) {
    if (cell.stop != Stop::unavailable) continue;
    if (!first) first = &cell;
    python = python || waitsForPython(*run, cell);
    const QString name = QString::fromStdString(
        run->experiment.variants[static_cast<std::size_t>(cell.key.variant)].name);
    if (!names.contains(name)) names << name;
  }
  if (!first) return models_.messages.withdraw(Remedy::choosePython);
  const QString text =
      uiText("%1 could not be measured: %2")
          .arg(namesInARow(names),
               QString::fromStdString(first->error ? saidAgain(*first->error)
                                                   : saying("no reason was given")));
  if (python)
    models_.messages.say(Tone::warning, text, uiText("Choose Python…"), Remedy::choosePython);
  else
    models_.messages.say(Tone::warning, text);
}

/// Once another Python is chosen, what waited for one is measured.
void RunsController::measureWaiting() {
  const Run* run = models_.run.run();
  if (!run || models_.study.busy() || !models_.measuredAsShown() || !models_.devices.measures(*run))
    return;
  if (std::ranges::none_of(run->cells,
                           [run](const Cell& cell) { return waitsForPython(*run, cell); }))
    return;
  models_.messages.withdraw(Remedy::choosePython);
  if (!run->explored)
    models_.study.retry();
  else if (models_.explore.enabled())
    models_.explore.exploreNow();
}

/// Another name needs no other measurement: what is shown takes it over.
void RunsController::relabel() {
  if (models_.study.busy() || !models_.measuredAsShown()) return;
  models_.run.relabel(models_.document.experiment());
}

void RunsController::studyChanged() {
  const StudyController::State state = models_.study.state();
  if (!models_.study.busy()) models_.messages.withdraw(Remedy::stopStudy);
  if (state != StudyController::State::finished && state != StudyController::State::failed) return;
  keepRun();
  emit ended();
  announceEnd();
}

void RunsController::keepRun() {
  const RunModel& shown = models_.run;
  if (!shown.run() || shown.run()->explored || sampleCount(*shown.measured()) == 0) return;
  if (!shown.unsaved()) return;
  keeping_ = true;
  kept_ = shown.measured();
  models_.memory.remember(kept_, {});
  models_.library.add(kept_, [journal = models_.study.journal()] {
    if (journal) journal->discard();
  });
  models_.run.markSaved();
}

void RunsController::announceEnd() {
  const QString& message = models_.study.message();
  const Run* shown = models_.run.run();
  if (models_.study.state() == StudyController::State::failed) {
    const bool kept = shown && sampleCount(*shown) > 0;
    QString text = message.isEmpty() ? uiText("The study failed.") : message;
    if (text.endsWith(u'.') || text.endsWith(QChar(0x3002))) text.chop(1);  // a Chinese full stop
    text = (kept ? uiText("%1. The results so far are kept.") : uiText("%1.")).arg(text);
    models_.messages.say(Tone::error, text,
                         kept ? uiText("Resume with a new worker") : uiText("Try again"),
                         Remedy::goOn);
  } else if (shown && shown->interrupted && sampleCount(*shown) == 0 && !inTurn_ && recall()) {
    models_.messages.say(Tone::info, uiText("The run was stopped before its first sample was "
                                            "taken. The earlier results are shown again."));
  } else if (shown && shown->interrupted && !shown->explored && sampleCount(*shown) == 0) {
    models_.messages.say(Tone::info,
                         uiText("The run was stopped before its first sample was taken."),
                         uiText("Resume"), Remedy::goOn);
  } else if (shown && shown->interrupted && !shown->explored && models_.study.canGoOn()) {
    models_.messages.say(Tone::info, uiText("The study was stopped. The results so far are kept."),
                         uiText("Resume"), Remedy::goOn);
  } else {
    // The run is complete, so the message about one that was stopped no longer applies.
    models_.messages.withdraw(Remedy::goOn);
    tellUnavailable();
  }
}

void RunsController::workerLost(const QString& what) {
  models_.messages.say(
      Tone::warning,
      uiText("A worker process died: %1. The points are kept%2.")
          .arg(what, models_.study.busy() ? uiText("; a new one continues") : QString()));
}

void RunsController::exploringChanged() {
  const ExploreController& explore = models_.explore;
  if (explore.state() == ExploreController::State::failed)
    models_.messages.say(Tone::warning, uiText("Exploring ended: %1").arg(explore.message()));
  if (explore.state() == ExploreController::State::finished && models_.run.run()) {
    models_.memory.remember(models_.run.shared(), {});
    models_.messages.withdraw(Remedy::goOn);
    tellUnavailable();
  }
}

/// Keeps what is shown, unless results of the new device are remembered or can be explored.
void RunsController::moved(bool asked) {
  if (!asked || inTurn_) return;
  const Run* run = models_.run.run();
  if (run && !models_.study.busy() &&
      (!models_.devices.measures(*run) || !models_.measuredAsShown()))
    if (!recall()) models_.explore.exploreNow();
  models_.explore.warmUp();
}

// ---- one run ----

void RunsController::readToOpen(const QString& path, const std::function<void(ReadRun)>& then,
                                const std::optional<SavedExperiment>& shown) {
  emit openingBegun();
  const auto later = std::make_shared<bool>(false);
  *later = !opening_.read(
      {path},
      [this, then, later](std::vector<ReadRun> read) {
        models_.messages.withdraw(Remedy::stopOpening);
        then(std::move(read.front()));
        if (*later) emit runsRead();
      },
      shown);
  if (*later)
    models_.messages.say(Tone::info, uiText("Opening %1…").arg(QFileInfo(path).fileName()),
                         uiText("Cancel"), Remedy::stopOpening);
}

void RunsController::stopOpening() {
  opening_.cancel();
  models_.messages.withdraw(Remedy::stopOpening);
}

void RunsController::show(const QString& path) {
  readToOpen(path, [this](const ReadRun& read) { takeShown(read); });
}

void RunsController::takeShown(const ReadRun& read) {
  if (!read.run) return models_.messages.say(Tone::warning, read.error);
  // While it was read something newer may have begun to be measured.
  if (models_.study.busy()) return;
  if (models_.explore.active()) models_.explore.stop();
  setRun(read.run, read.path);
  devices_.follow();
}

void RunsController::open(const QString& path) {
  if (models_.study.busy()) return emit openRefused(path);
  readToOpen(
      path, [this](ReadRun read) { takeOpened(std::move(read)); }, shownExperiment());
}

void RunsController::takeOpened(ReadRun read) {
  if (!read.run) return models_.messages.say(Tone::error, read.error);
  if (models_.study.busy()) return emit openRefused(read.path);
  if (openWithExperiment(read.run, read.path, std::move(read.saved)))
    emit viewWanted(QStringLiteral("chart"), false);
}

SavedExperiment RunsController::shownExperiment() const {
  return {models_.document.experiment(), models_.document.path()};
}

bool RunsController::openWithExperiment(const std::shared_ptr<const Run>& run, const QString& path,
                                        std::optional<SavedExperiment> saved) {
  if (!sameMeasurement(run->experiment, models_.document.experiment())) {
    if (!keeper_.mayReplace(
            uiText("The experiment is changed and not saved. Save it before opening this run?")))
      return false;
    models_.explore.stop();
    // With the title and words of its file. The document may have got another file meanwhile.
    if (saved && saved->path == models_.document.path())
      keeper_.replace(std::move(saved->experiment), saved->path);
    else
      keeper_.replace(run->experiment, {});
  }
  models_.messages.dismiss();
  models_.explore.stop();
  setRun(run, path);
  devices_.follow();
  return true;
}

void RunsController::setRun(const std::shared_ptr<const Run>& run, const QString& path) {
  models_.memory.remember(run, path);
  devices_.expect(*run, !path.isEmpty());
  models_.study.setRun(*run);
  models_.session.setShownRun(path);
}

/// Shows the results that an edit, or undo, has come back to.
bool RunsController::recall() {
  const RunMemory::Entry* known =
      models_.memory.find(models_.document.experiment(),
                          [this](const Run& run) { return models_.devices.measures(run); });
  if (!known) return false;
  const Run* shown = models_.run.run();
  if (shown && !shown->interrupted && models_.measuredAsShown() &&
      shown->device == known->run->device && shown->startedAt == known->run->startedAt &&
      shown->explored == known->run->explored)
    return true;  // shown already
  if (models_.run.unsaved()) return false;
  const RunMemory::Entry entry = *known;  // remembering moves it
  setRun(entry.run, entry.path);
  relabel();
  return true;
}

// ---- several runs ----

QString RunsController::nameOf(const QString& path) const {
  const RunRecord* record = models_.library.record(path);
  return record ? record->shownName() : QFileInfo(path).completeBaseName();
}

QString RunsController::nameOf(const LaidOver& over) const {
  if (!over.path.isEmpty()) return nameOf(over.path);
  return over.name.isEmpty() ? uiText("another run") : over.name;
}

void RunsController::withRuns(const QStringList& paths,
                              const std::function<void(const std::vector<NamedRun>&)>& then) {
  std::erase_if(naming_, [](const auto& reader) { return !reader->busy(); });
  withRuns(*naming_.emplace_back(std::make_unique<RunReader>(this)), paths, then);
}

void RunsController::withRuns(RunReader& reader, const QStringList& paths,
                              const std::function<void(const std::vector<NamedRun>&)>& then) {
  reader.read(paths, [this, then](std::vector<ReadRun> read) {
    std::vector<QString> names;
    for (const ReadRun& one : read) {
      if (!one.run) return models_.messages.say(Tone::error, one.error);
      names.push_back(nameOf(one.path));
    }
    names = numberedNames(names);
    std::vector<NamedRun> runs;
    for (ReadRun& one : read) runs.push_back({names[runs.size()], std::move(one.run)});
    then(runs);
  });
}

std::vector<NamedRun> RunsController::overlays() const {
  std::vector<NamedRun> over;
  for (const LaidOver& one : overlays_) over.push_back({nameOf(one), one.run});
  return over;
}

void RunsController::compare(const QStringList& paths) {
  withRuns(comparing_, paths, [this](const std::vector<NamedRun>& runs) {
    emit compared(runs);
    emit viewWanted(QStringLiteral("compare"), true);
  });
}

void RunsController::showTogether(std::vector<Run> runs, const QString& path) {
  const QString file = QFileInfo(path).completeBaseName();
  std::vector<NamedRun> named;
  for (Run& run : runs)
    named.push_back({QStringLiteral("%1 %2").arg(file).arg(named.size() + 1),
                     std::make_shared<const Run>(std::move(run))});
  layOver(named);
}

void RunsController::showTogether(std::vector<NamedRun> runs) {
  // A run of the library is shown as one that is kept.
  const RunMemory::Entry* known = models_.memory.find(
      runs.front().run->experiment, [&](const Run& run) { return &run == runs.front().run.get(); });
  if (models_.run.shared() != runs.front().run)
    setRun(runs.front().run, known ? known->path : QString());
  if (runs.size() > 1) layOver(runs);
}

/// The others over the first, which is shown already.
void RunsController::layOver(const std::vector<NamedRun>& runs) {
  models_.library.setOverlays({});
  overlaying_.cancel();
  emit overlaysChanged({});  // before the runs that they show go
  overlays_.clear();
  for (std::size_t i = 1; i < runs.size(); ++i)
    overlays_.push_back({QString(), runs[i].run, runs[i].name});
  tellOverlays();
  emit compared(runs);
  emit viewWanted(QStringLiteral("compare"), false);
}

void RunsController::showOverlays(const QStringList& paths) {
  const bool more = paths.size() > static_cast<qsizetype>(overlays_.size());
  overlaying_.read(
      paths, [this, more](std::vector<ReadRun> read) { takeOverlays(std::move(read), more); });
}

void RunsController::takeOverlays(std::vector<ReadRun> read, bool more) {
  emit overlaysChanged({});  // before the runs that they show go
  overlays_.clear();
  std::vector<Overlay> shown;
  QString problem;
  for (ReadRun& one : read) {
    if (!one.run) {
      models_.messages.say(Tone::error, one.error);
      continue;
    }
    overlays_.push_back({one.path, std::move(one.run)});
    const Run& run = *overlays_.back().run;
    shown.push_back({nameOf(one.path), &run});
    problem = overlayProblem(run.experiment, models_.place.experiment(), models_.place.slice());
    if (!problem.isEmpty())
      problem =
          uiText("\"%1\" %2: it cannot be overlaid on this chart.").arg(nameOf(one.path), problem);
  }
  if (before_) shown.push_back({uiText("before"), before_.get()});
  emit overlaysChanged(shown);
  if (!more) return;
  if (!problem.isEmpty()) models_.messages.say(Tone::warning, problem);
  emit viewWanted(QStringLiteral("chart"), false);
}

namespace {

/// Whether every cell that can be measured has something to show. One that was given up for the
/// next edit has nothing.
bool isShownWhole(const Run& run) {
  return std::ranges::all_of(run.cells, [](const Cell& cell) {
    return !cell.samples.empty() || (cell.stop != Stop::running && cell.stop != Stop::interrupted);
  });
}

}  // namespace

void RunsController::keepPreviousRun() {
  const std::shared_ptr<const Run> shown = models_.run.shared();
  const bool whole = shown && sampleCount(*shown) > 0 && isShownWhole(*shown);
  leaving_ = whole ? shown : shown ? before_ : nullptr;
}

void RunsController::showBefore() {
  const Run* run = models_.run.run();
  const bool begins = run && sampleCount(*run) == 0 && !isShownWhole(*run);
  const std::shared_ptr<const Run> next = begins ? std::exchange(leaving_, {}) : nullptr;
  leaving_.reset();
  if (next == before_) return;
  emit overlaysChanged({});  // before the runs that they show go
  before_ = next;
  tellOverlays();
}

void RunsController::releasePreviousRun() {
  if (models_.run.run() && isShownWhole(*models_.run.run())) dropBefore();
}

void RunsController::dropBefore() {
  if (!before_) return;
  emit overlaysChanged({});
  before_.reset();
  tellOverlays();
}

void RunsController::tellOverlays() {
  std::vector<Overlay> shown;
  for (const LaidOver& over : overlays_) shown.push_back({nameOf(over), over.run.get()});
  if (before_) shown.push_back({uiText("before"), before_.get()});
  emit overlaysChanged(shown);
}

void RunsController::keepOverlaysOf(const Experiment* next) {
  QStringList stay;
  const QStringList chosen = models_.library.overlays();
  for (const LaidOver& over : overlays_) {
    const auto& axes = over.run->experiment.axes;
    // Others than the chosen ones are still shown while the chosen ones are being read.
    if (chosen.contains(over.path) && next && !next->axes.empty() && !axes.empty() &&
        axes[0].name == next->axes[0].name)
      stay << over.path;
  }
  // The library has no entry for runs that come from a report.
  const bool unlisted =
      std::ranges::any_of(overlays_, [](const LaidOver& over) { return over.path.isEmpty(); });
  models_.library.setOverlays(stay);
  if (unlisted && static_cast<qsizetype>(overlays_.size()) != stay.size()) showOverlays(stay);
}

}  // namespace fusebench

#include "moc_runs_controller.cpp"
