// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that joins models and views up and keeps them in step.
#include <QAction>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QTimer>
#include <cmath>

#include "ui/models/results/comparison.h"
#include "ui/models/runs/same_measurement.h"
#include "ui/models/setup/documents.h"
#include "ui/views/anatomy/anatomy_view.h"
#include "ui/views/base/banner.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/palette_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/lesson/lesson_view.h"
#include "ui/views/runs/compare_view.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/runs/runs_view.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/timeline/timeline_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

void MainWindow::linkState() {
  connect(&document_, &DocumentModel::changed, this, &MainWindow::refreshDocument);
  connect(&document_, &DocumentModel::historyChanged, this, &MainWindow::refreshHistory);
  connect(&controller_, &StudyController::stateChanged, this, &MainWindow::studyChanged);
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
    if (explore_.state() == ExploreController::State::finished && run_.run()) {
      memory_.remember(run_.shared(), {});
      dismissGoOn();
    }
    refreshNotice();
  });
  // Results that no file has go to the library before explored ones take their place.
  explore_.setKeeper([this](std::shared_ptr<const Run> run) {
    library_.add(std::move(run));
    return true;
  });
  explore_.setRecall([this] { return recallRun(); });
  connect(&library_, &RunLibrary::added, this, [this](const QString& path) {
    memory_.setPath(kept_.get(), path);
    kept_.reset();
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
  for (QWidget* view : std::initializer_list<QWidget*>{
           &workbench_->chart(), &workbench_->map(), &workbench_->anatomy(), &workbench_->compare(),
           &workbench_->timeline()}) {
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    view->addAction(actions_.exportRun);
  }
  workbench_->results().table().addAction(actions_.exportRun);
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

  const auto pick = [this](double x) { pin(pinned_ == x ? std::nullopt : std::optional(x)); };
  connect(&views.chart(), &ChartView::runRequested, this, &MainWindow::run);
  connect(&views.chart(), &ChartView::hovered, this, [this](double x) { markAt(x, false); });
  connect(&views.chart(), &ChartView::picked, this, pick);
  connect(&views.results(), &ResultsView::picked, this, pick);
  connect(&views.chartChoices(), &ChartChoices::publishedChosen, &settings_,
          &Settings::setShowPublished);
  connect(&views.chartChoices(), &ChartChoices::sliceChosen, this, [this](std::size_t slice) {
    workbench_->chart().setSlice(slice_ = slice);
    workbench_->anatomy().model().setSlice(slice);
  });
  connect(&views.chart(), &ChartView::logLatencyChanged, &settings_, &Settings::setLogLatency);
  connect(&views.findings(), &FindingsView::picked, this, [this](const Target& target) {
    workbench_->showView(target.anatomy ? QStringLiteral("anatomy") : QStringLiteral("chart"));
    if (target.anatomy && target.x) workbench_->anatomy().model().goTo(*target.x);
    if (!target.anatomy) workbench_->chart().goTo(target);
  });
  connect(&views.canvas(), &CanvasView::shownStatementsRefused, this,
          [this] { pin(std::nullopt); });
  connect(&views.map(), &MapView::cellPicked, this, &MainWindow::openSlice);
  connect(&views.map(), &MapView::secondAxisRequested, this, &MainWindow::sweepSecondAxis);

  connect(&views.runs(), &RunsView::openRequested, this, &MainWindow::openRun);
  connect(&views.runs(), &RunsView::overlaysChanged, this, &MainWindow::showOverlays);
  connect(&views.runs(), &RunsView::compareRequested, this, &MainWindow::compareRuns);
  connect(&views.runs(), &RunsView::exportRequested, this, &MainWindow::exportRuns);
  connect(&views.compare(), &CompareView::exportRequested, this, &MainWindow::exportComparison);
}

void MainWindow::refreshDocument() {
  const Experiment& experiment = document_.experiment();
  if (remedy_ == Remedy::undo) {  // it would take back this edit, not the one it speaks of
    remedy_ = Remedy::none;
    banner_->dismiss();
  }
  if (referenceName_ != experiment.reference || !run_.run()) refreshReference();
  workbench_->map().setExperiment(&experiment);
  if (document_.runnable())
    generated_.setExperiment(experiment);
  else
    generated_.clear(
        QStringLiteral("This cannot be run yet: %1").arg(document_.problems().front().text));
  workbench_->lesson().setLesson(lessonFor(experiment));
  refreshShownStatements();
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
  workbench_->anatomy().model().setSlice(0);
  restorePin();
}

bool MainWindow::measuredAsShown() const {
  return run_.run() && sameMeasurement(run_.run()->experiment, document_.experiment());
}

void MainWindow::refreshNotice() {
  const Run* shown = run_.run();
  const bool stale = shown && sampleCount(*shown) > 0 && !measuredAsShown();
  if (shown && sampleCount(*shown) > 0 && !stale && !devices_.measures(*shown)) {
    workbench_->setNotice(
        QStringLiteral("Measured on %1").arg(QString::fromStdString(shown->device)),
        QStringLiteral("These results are of another device; Run measures on %1, and puts its "
                       "results in their place.")
            .arg(devices_.chosen()));
    return;
  }
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
  actions_.goOn->setEnabled(!busy && controller_.canGoOn() && measuredAsShown() &&
                            devices_.measures(*run_.run()));
  for (QAction* action : {actions_.quick, actions_.newChain, actions_.open})
    action->setEnabled(!busy);
  actions_.saveRun->setEnabled(!busy && run_.run());
  actions_.exportRun->setEnabled(!busy && (run_.run() || !timeline_.empty()));
  workbench_->chart().setBusy(busy);
  refreshTitle();
}

void MainWindow::studyChanged() {
  refreshState();
  const StudyController::State state = controller_.state();
  if (state != StudyController::State::finished && state != StudyController::State::failed) return;
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
