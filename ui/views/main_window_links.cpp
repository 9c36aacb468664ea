// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that joins models and views up and keeps them in step.
#include <QAction>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QTimer>
#include <cmath>

#include "ui/models/comparison.h"
#include "ui/models/documents.h"
#include "ui/models/same_measurement.h"
#include "ui/views/banner.h"
#include "ui/views/canvas_view.h"
#include "ui/views/chart_choices.h"
#include "ui/views/chart_view.h"
#include "ui/views/code_pane.h"
#include "ui/views/compare_view.h"
#include "ui/views/generated_code_view.h"
#include "ui/views/insights_view.h"
#include "ui/views/inspector.h"
#include "ui/views/lesson_view.h"
#include "ui/views/main_window.h"
#include "ui/views/map_view.h"
#include "ui/views/palette_view.h"
#include "ui/views/results_view.h"
#include "ui/views/runs_view.h"
#include "ui/views/status_bar.h"
#include "ui/views/workbench.h"

namespace fusebench {

void MainWindow::linkState() {
  connect(&document_, &DocumentModel::changed, this, &MainWindow::refreshDocument);
  connect(&document_, &DocumentModel::historyChanged, this, &MainWindow::refreshHistory);
  connect(&controller_, &StudyController::stateChanged, this, &MainWindow::refreshState);
  connect(&controller_, &StudyController::progressed, this, &MainWindow::refreshTitle);
  connect(&controller_, &StudyController::workerLost, this, [this](const QString& what) {
    say(int(Banner::Tone::warning),
        QStringLiteral("A worker was lost: %1. The points are kept%2.")
            .arg(what, controller_.busy() ? QStringLiteral("; a new one goes on") : QString()));
  });
  connect(&explore_, &ExploreController::stateChanged, this, [this] {
    status_->setExploring(explore_.text());
    if (explore_.state() == ExploreController::State::failed)
      say(int(Banner::Tone::warning),
          QStringLiteral("Exploring ended: %1").arg(explore_.message()));
    refreshNotice();
  });
  // Results that no file has go to the library before explored ones take their place.
  explore_.setKeeper([this](const Run& run) {
    library_.add(std::make_shared<const Run>(run));
    return true;
  });
  connect(&library_, &RunLibrary::added, this, [this](const QString& path) {
    if (std::exchange(keeping_, false)) session_.setShownRun(path);
  });
  connect(&library_, &RunLibrary::failed, this,
          [this](const QString& what) { say(int(Banner::Tone::warning), what); });
  connect(&run_, &RunModel::runReset, this, &MainWindow::refreshReference);
  connect(&run_, &RunModel::runReset, this, &MainWindow::refreshNotice);
  connect(&settings_, &Settings::changed, this, &MainWindow::applySettings);
  connect(&session_, &Session::failed, this, [this](const QString& what) {
    say(int(Banner::Tone::warning),
        QStringLiteral("Your edits cannot be kept against a crash: %1").arg(what));
  });
  connect(banner_, &Banner::remedyChosen, this, &MainWindow::takeRemedy);
}

void MainWindow::linkViews() {
  Workbench& views = *workbench_;
  // The ops at hand are the same ones on the canvas, in the text and in the generated code.
  connect(&views.canvas(), &CanvasView::opsSelected, &views.code(), &CodePane::markOps);
  connect(&views.canvas(), &CanvasView::opsSelected, &views.generated(),
          &GeneratedCodeView::markOps);
  connect(&views.code(), &CodePane::opsPicked, &views.canvas(), &CanvasView::markOps);
  connect(&views.generated(), &GeneratedCodeView::opsPicked, &views.canvas(), &CanvasView::markOps);
  views.canvas().sharePalette(palette_);
  connect(&views.palette(), &PaletteView::opChosen, &views.canvas(), &CanvasView::appendOp);
  connect(&palette_, &PaletteModel::recentChanged, this,
          [this] { settings_.setRecentOps(palette_.recent()); });

  const auto pick = [this](double x) {
    pinned_ = pinned_ == x ? std::nullopt : std::optional(x);
    markAt(pinned_, true);
  };
  connect(&views.chart(), &ChartView::runRequested, this, &MainWindow::run);
  connect(&views.chart(), &ChartView::hovered, this, [this](double x) { markAt(x, false); });
  connect(&views.chart(), &ChartView::picked, this, pick);
  connect(&views.results(), &ResultsView::picked, this, pick);
  connect(&views.chartChoices(), &ChartChoices::publishedChosen, &settings_,
          &Settings::setShowPublished);
  connect(&views.chartChoices(), &ChartChoices::sliceChosen, this,
          [this](std::size_t slice) { workbench_->chart().setSlice(slice_ = slice); });
  connect(&views.chart(), &ChartView::logLatencyChanged, &settings_, &Settings::setLogLatency);
  connect(&views.insights(), &InsightsView::picked, this, [this](const Target& target) {
    workbench_->showView(QStringLiteral("chart"));
    workbench_->chart().goTo(target);
    if (target.x) markAt(pinned_ = *target.x, true);
  });
  connect(&views.map(), &MapView::cellPicked, this, &MainWindow::openSlice);
  connect(&views.map(), &MapView::secondAxisRequested, this, &MainWindow::sweepElements);

  connect(&views.runs(), &RunsView::openRequested, this, &MainWindow::openRun);
  connect(&views.runs(), &RunsView::overlaysChanged, this, &MainWindow::showOverlays);
  connect(&views.runs(), &RunsView::compareRequested, this, &MainWindow::compareRuns);
}

void MainWindow::refreshDocument() {
  const Experiment& experiment = document_.experiment();
  if (referenceName_ != experiment.reference || !run_.run()) refreshReference();
  workbench_->map().setExperiment(&experiment);
  if (document_.runnable())
    generated_.setExperiment(experiment);
  else
    generated_.clear(
        QStringLiteral("This cannot be run yet: %1").arg(document_.problems().front().text));
  workbench_->lesson().setLesson(lessonFor(experiment));
  refreshState();
  refreshHistory();
  refreshNotice();
}

/// The chart shows what was measured; before that, what will be.
void MainWindow::refreshReference() {
  const Experiment& experiment = run_.run() ? run_.run()->experiment : document_.experiment();
  referenceName_ = experiment.reference;
  findings_.setReference(nullptr);  // it is about to change
  reference_ = referenceFor(experiment);
  const bool published = reference_ && fits(*reference_, experiment);
  workbench_->chart().setExperiment(&experiment, published ? &*reference_ : nullptr);
  findings_.setReference(published ? &*reference_ : nullptr);
  workbench_->chartChoices().setExperiment(experiment, published);
  workbench_->chart().setSlice(slice_ = 0);
}

bool MainWindow::measuredAsShown() const {
  return run_.run() && sameMeasurement(run_.run()->experiment, document_.experiment());
}

void MainWindow::refreshNotice() {
  const bool stale = run_.run() && sampleCount(*run_.run()) > 0 && !measuredAsShown();
  workbench_->setNotice(
      stale ? QStringLiteral("Measured before your edits") : QString(),
      QStringLiteral("These results are of the experiment as it was before the last edits."));
}

void MainWindow::refreshState() {
  using State = StudyController::State;
  const State state = controller_.state();
  const bool busy = controller_.busy();
  actions_.run->setEnabled(!busy);
  actions_.stop->setEnabled(state == State::preparing || state == State::running ||
                            explore_.active());
  actions_.goOn->setEnabled(!busy && controller_.canGoOn() && measuredAsShown());
  for (QAction* action : {actions_.quick, actions_.newChain, actions_.open})
    action->setEnabled(!busy);
  actions_.saveRun->setEnabled(!busy && run_.run());
  workbench_->chart().setBusy(busy);
  refreshTitle();
  if (state != State::finished && state != State::failed) return;
  keepRun();
  if (closing_) {
    // Leaves this signal's caller alone: closing may destroy it.
    QTimer::singleShot(0, this, &QWidget::close);
    return;
  }
  announceEnd();
}

void MainWindow::refreshHistory() {
  const auto word = [](const QString& verb, const QString& step) {
    return step.isEmpty() ? verb : verb + QStringLiteral(": ") + step;
  };
  actions_.undo->setEnabled(document_.canUndo());
  actions_.redo->setEnabled(document_.canRedo());
  actions_.undo->setText(word(QStringLiteral("Undo"), document_.undoName()));
  actions_.redo->setText(word(QStringLiteral("Redo"), document_.redoName()));
  for (QAction* action : {actions_.undo, actions_.redo})
    action->setToolTip(
        QStringLiteral("%1  (%2)")
            .arg(action->text(), action->shortcut().toString(QKeySequence::NativeText)));
  refreshTitle();
}

void MainWindow::refreshTitle() {
  QString title = QString::fromStdString(document_.experiment().title);
  if (!document_.path().isEmpty())
    title = QStringLiteral("%1 (%2)").arg(title, QFileInfo(document_.path()).fileName());
  title += QStringLiteral(" – Fusebench");
  if (document_.modified()) title = QStringLiteral("• ") + title;
  if (controller_.busy())
    title =
        QStringLiteral("%1% – ").arg(std::lround(100 * controller_.progress().fraction)) + title;
  setWindowTitle(title);
}

void MainWindow::markAt(std::optional<double> x, bool scroll) {
  if (x && !std::isfinite(*x)) x = pinned_;
  workbench_->chart().setCursor(x);
  workbench_->results().mark(x, scroll);
  const auto& axes = document_.experiment().axes;
  if (pinned_ && x == pinned_ && !axes.empty()) {
    // The code shown is of the place that is pinned.
    std::vector<std::int64_t> at = {static_cast<std::int64_t>(*x)};
    if (axes.size() > 1 && slice_ < axes[1].values.size()) at.push_back(axes[1].values[slice_]);
    generated_.setPlace(at);
  }
  const bool statements = !axes.empty() && axes[0].name == "statements";
  workbench_->canvas().setShownStatements(x && statements ? static_cast<int>(*x) : 0);
}

// ---- runs ----

/// Beside the experiment, which stays as it is.
void MainWindow::showRun(const QString& path) {
  try {
    controller_.setRun(loadRun(path.toStdString()));
    session_.setShownRun(path);
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
    Run run = loadRun(path.toStdString());
    const bool same = sameMeasurement(run.experiment, document_.experiment());
    if (!same && !mayReplaceDocument(QStringLiteral(
                     "The experiment is changed and not saved. Save it before opening this run?")))
      return;
    explore_.stop();
    if (!same) document_.load(run.experiment, {});
    controller_.setRun(std::move(run));
    session_.setShownRun(path);
    workbench_->showView(QStringLiteral("chart"));
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

QString MainWindow::nameOf(const QString& path) const {
  const RunRecord* record = library_.record(path);
  return record ? record->shownName() : QFileInfo(path).completeBaseName();
}

void MainWindow::compareRuns(const QString& first, const QString& second) {
  try {
    workbench_->compare().setRuns(
        std::make_shared<const Run>(loadRun(first.toStdString())), nameOf(first),
        std::make_shared<const Run>(loadRun(second.toStdString())), nameOf(second));
    workbench_->showView(QStringLiteral("compare"), true);
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

void MainWindow::showOverlays(const QStringList& paths) {
  workbench_->chart().setOverlays({});  // before the runs that they show go
  overlays_.clear();
  std::vector<Overlay> shown;
  for (const QString& path : paths) try {
      overlays_.push_back(std::make_shared<const Run>(loadRun(path.toStdString())));
      shown.push_back({nameOf(path), overlays_.back().get()});
    } catch (const std::exception& error) {
      say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
    }
  workbench_->chart().setOverlays(std::move(shown));
  if (!paths.isEmpty()) workbench_->showView(QStringLiteral("chart"));
}

void MainWindow::openSlice(std::size_t x, std::size_t y) {
  const Run* run = run_.run();
  if (!run || run->experiment.axes.size() < 2) return;
  workbench_->chart().setSlice(slice_ = y);
  workbench_->chartChoices().setSlice(y);
  workbench_->showView(QStringLiteral("chart"), true);
  markAt(pinned_ = static_cast<double>(run->experiment.axes[0].values.at(x)), true);
}

/// Adds the axis `elements` and lets every input have that many.
void MainWindow::sweepElements() {
  document_.edit(QStringLiteral("Sweep elements"), {}, [](Experiment& experiment) {
    if (experiment.axes.size() != 1) return;
    Axis axis{"elements", "elements", {}};
    for (std::int64_t n = 64; n <= std::int64_t{1} << 20; n *= 4) axis.values.push_back(n);
    experiment.axes.push_back(axis);
    for (InputSet& set : experiment.inputSets) {
      set.count = 1;
      for (InputSpec& input : set.inputs) input.extents = {"elements"};
    }
  });
  workbench_->showView(QStringLiteral("setup"));
}

// ---- files dropped on the window ----

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (urls.isEmpty()) return;
  event->acceptProposedAction();
  // The program that the file comes from waits for the drop to end.
  QTimer::singleShot(0, this, [this, path = urls.front().toLocalFile()] { openFile(path); });
}

}  // namespace fusebench
