// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that shows runs, and marks places in them.
#include <cmath>

#include <QFileInfo>

#include "ui/models/chart/chart_cursor.h"
#include "ui/models/runs/same_measurement.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/documents.h"
#include "ui/views/base/banner.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

// ---- the cursor ----

/// Every view marks the same place.
void MainWindow::markAt(std::optional<double> x, bool scroll) {
  if (x && !std::isfinite(*x)) x = pinned_;
  workbench_->chart().setCursor(x);
  workbench_->results().mark(x, scroll);
  const auto& axes = shownExperiment().axes;
  if (pinned_ && x == pinned_ && !axes.empty()) {
    // The code shown is of the place that is pinned.
    std::vector<std::int64_t> at = {static_cast<std::int64_t>(*x)};
    if (axes.size() > 1 && slice_ < axes[1].values.size()) at.push_back(axes[1].values[slice_]);
    generated_.setPlace(at);
  }
  refreshShownStatements();
}

void MainWindow::pin(std::optional<double> x, bool scroll) {
  pinned_ = x;
  pinnedAxis_ = x && !shownExperiment().axes.empty() ? shownExperiment().axes[0].name : "";
  workbench_->chart().setPin(x);
  markAt(x, scroll);
}

/// The chart is of another run: what was pinned stays if there is such a place.
void MainWindow::restorePin() {
  const Experiment& shown = shownExperiment();
  const bool there = pinned_ && onFirstAxis(shown, *pinned_) && shown.axes[0].name == pinnedAxis_;
  pin(there ? pinned_ : std::nullopt, false);
}

/// What the chart's axis is of.
const Experiment& MainWindow::shownExperiment() const {
  return run_.run() ? run_.run()->experiment : document_.experiment();
}

void MainWindow::refreshShownStatements() {
  workbench_->canvas().setShownStatements(
      statementsAt(shownExperiment(), document_.experiment(), workbench_->chart().cursorValue()));
}

// ---- runs ----

/// Beside the experiment, which stays as it is.
void MainWindow::showRun(const QString& path) {
  try {
    setRun(std::make_shared<const Run>(loadRun(path.toStdString())), path);
    followDevice();
  } catch (const std::exception& error) {
    say(int(Banner::Tone::warning), QString::fromUtf8(error.what()));
  }
}

void MainWindow::openRun(const QString& path) {
  if (controller_.busy()) {
    say(int(Banner::Tone::warning), QStringLiteral("Stop the run before opening another one."));
    return;
  }
  try {
    const auto run = std::make_shared<const Run>(loadRun(path.toStdString()));
    if (openWithExperiment(run, path)) workbench_->showView(QStringLiteral("chart"));
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

/// Shows a run, and its experiment if that is not the one shown; false: the person kept that one.
bool MainWindow::openWithExperiment(const std::shared_ptr<const Run>& run, const QString& path) {
  if (!sameMeasurement(run->experiment, document_.experiment())) {
    if (!mayReplaceDocument(QStringLiteral(
            "The experiment is changed and not saved. Save it before opening this run?")))
      return false;
    explore_.stop();
    Experiment experiment = run->experiment;
    const QString file = fileOf(experiment);
    replaceDocument(std::move(experiment), file);
  }
  banner_->dismiss();
  explore_.stop();
  setRun(run, path);
  followDevice();
  return true;
}

/// The document's file, if it still holds what was measured, before edits that came later; then
/// with its title and words.
QString MainWindow::fileOf(Experiment& measured) const {
  if (document_.path().isEmpty()) return {};
  try {
    const Document file = openDocument(document_.path());
    const auto* saved = std::get_if<Experiment>(&file);
    if (!saved || !sameMeasurement(*saved, measured)) return {};
    measured = *saved;
    return document_.path();
  } catch (const std::exception&) {
    return {};  // gone, or something else by now
  }
}

void MainWindow::setRun(const std::shared_ptr<const Run>& run, const QString& path) {
  memory_.remember(run, path);
  toFollow_ = false;
  if (!path.isEmpty()) openedRun_ = run->startedAt;
  controller_.setRun(*run);
  session_.setShownRun(path);
}

/// Shows the results that an edit, or undo, has come back to.
bool MainWindow::recallRun() {
  const RunMemory::Entry* known = memory_.find(
      document_.experiment(), [this](const Run& run) { return devices_.measures(run); });
  if (!known) return false;
  if (run_.run() && !run_.run()->interrupted && measuredAsShown() &&
      run_.run()->device == known->run->device && run_.run()->startedAt == known->run->startedAt &&
      run_.run()->explored == known->run->explored)
    return true;  // shown already
  if (run_.unsaved()) return false;
  const RunMemory::Entry entry = *known;  // remembering moves it
  setRun(entry.run, entry.path);
  return true;
}

QString MainWindow::nameOf(const QString& path) const {
  const RunRecord* record = library_.record(path);
  return record ? record->shownName() : QFileInfo(path).completeBaseName();
}

/// Reads them. Throws InputError.
std::vector<NamedRun> MainWindow::runsAt(const QStringList& paths) const {
  std::vector<QString> names;
  for (const QString& path : paths) names.push_back(nameOf(path));
  names = numberedNames(names);
  std::vector<NamedRun> runs;
  for (const QString& path : paths)
    runs.push_back({names[runs.size()], std::make_shared<const Run>(loadRun(path.toStdString()))});
  return runs;
}

void MainWindow::compareRuns(const QStringList& paths) {
  try {
    workbench_->compare().setRuns(runsAt(paths));
    workbench_->showView(QStringLiteral("compare"), true);
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

/// The runs of a report that compares them: the first is shown, the others lie over it, and it is
/// compared with them.
void MainWindow::showTogether(std::vector<Run> runs, const QString& path) {
  const QString file = QFileInfo(path).completeBaseName();
  const auto name = [&](std::size_t i) { return QStringLiteral("%1 %2").arg(file).arg(i + 1); };
  library_.setOverlays({});
  workbench_->chart().setOverlays({});  // before the runs that they show go
  overlays_.clear();
  std::vector<Overlay> shown;
  std::vector<NamedRun> kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    kept.push_back({name(i), std::make_shared<const Run>(std::move(runs[i]))});
  for (std::size_t i = 1; i < kept.size(); ++i) {
    overlays_.push_back({QString(), kept[i].run});
    shown.push_back({kept[i].name, kept[i].run.get()});
  }
  workbench_->chart().setOverlays(std::move(shown));
  workbench_->compare().setRuns(std::move(kept));
  workbench_->showView(QStringLiteral("compare"));
}

void MainWindow::showOverlays(const QStringList& paths) {
  const bool more = paths.size() > static_cast<qsizetype>(overlays_.size());
  workbench_->chart().setOverlays({});  // before the runs that they show go
  overlays_.clear();
  std::vector<Overlay> shown;
  QString problem;
  for (const QString& path : paths) try {
      overlays_.push_back({path, std::make_shared<const Run>(loadRun(path.toStdString()))});
      const Run& run = *overlays_.back().run;
      shown.push_back({nameOf(path), &run});
      problem = overlayProblem(run.experiment, shownExperiment(), slice_);
      if (!problem.isEmpty())
        problem = QStringLiteral("\"%1\" %2: no curve of it can be laid over this chart.")
                      .arg(nameOf(path), problem);
    } catch (const std::exception& error) {
      say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
    }
  workbench_->chart().setOverlays(std::move(shown));
  if (!more) return;
  if (!problem.isEmpty()) say(int(Banner::Tone::warning), problem);
  workbench_->showView(QStringLiteral("chart"));
}

/// Runs laid over the last chart stay over one of the same axis.
void MainWindow::keepOverlaysOf(const Experiment* next) {
  QStringList stay;
  for (const auto& [path, run] : overlays_)
    if (!path.isEmpty() && next && !next->axes.empty() && !run->experiment.axes.empty() &&
        run->experiment.axes[0].name == next->axes[0].name)
      stay << path;
  // The library knows of no run that a report brought.
  const bool unlisted =
      std::ranges::any_of(overlays_, [](const LaidOver& over) { return over.path.isEmpty(); });
  library_.setOverlays(stay);
  if (unlisted && static_cast<qsizetype>(overlays_.size()) != stay.size()) showOverlays(stay);
}

void MainWindow::openSlice(std::size_t x, std::size_t y) {
  const Run* run = run_.run();
  if (!run || run->experiment.axes.size() < 2) return;
  workbench_->chart().setSlice(slice_ = y);
  workbench_->chartChoices().setSlice(y);
  workbench_->showView(QStringLiteral("chart"), true);
  pin(static_cast<double>(run->experiment.axes[0].values.at(x)));
}

/// Sweeps what a map lacks beside the one axis there is; its inputs follow, and that is said.
void MainWindow::sweepSecondAxis() {
  const Experiment before = document_.experiment();
  if (before.axes.size() != 1) return;
  const std::string axis = secondAxisFor(before);
  document_.edit(QStringLiteral("Sweep %1, too").arg(QString::fromStdString(axis)), {},
                 [&](Experiment& experiment) { addAxisNamed(experiment, axis); });
  workbench_->showView(QStringLiteral("setup"));
  if (const QString inputs = followersOf(document_.experiment(), axis);
      axis != "statements" && !inputs.isEmpty())
    say(int(Banner::Tone::info),
        QStringLiteral("The inputs follow the axis %1: %2.")
            .arg(QString::fromStdString(axis), inputs),
        QStringLiteral("Undo"), Remedy::undo);
}

}  // namespace fusebench
