// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/study/torch_worker.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/comparison.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/documents.h"
#include "ui/models/window/window_size.h"
#include "ui/theme/tool_tips.h"
#include "ui/views/access/access_rows.h"
#include "ui/views/base/banner.h"
#include "ui/views/base/tab_order.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/code/generated_code_view.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/setup/capture_dialog.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/setup/python_dialog.h"
#include "ui/views/window/command_palette.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/window/view_groups.h"
#include "ui/views/window/view_links.h"
#include "ui/views/window/view_state.h"
#include "ui/views/window/window_actions.h"

namespace fusebench {
namespace {

constexpr QSize kWindowUsualSize(1280, 800);
/// With a title bar it is on a screen of 640 x 480; what has no room there folds.
constexpr QSize kLeastSize(636, 420);

QString dataFolder(const QString& given) {
  return given.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                         : given;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs,
                       const QString& folder, QWidget* parent)
    : QMainWindow(parent), models_(settings, runner, dataFolder(folder)), dialogs_(dialogs) {
  setMinimumSize(kLeastSize);
  resize(fittedSize(kWindowUsualSize, minimumSize(), screen()->availableGeometry().size()));
  setAcceptDrops(true);
  setWindowIcon(applicationIcon());
  // Before the views are made: a style sheet keeps the font that a widget had when it was polished.
  darkShown_ = settings.dark();
  applyTheme(*qApp, shownTheme());
  wrapToolTips(*qApp);
  installAccessibility();
  actions_ = makeActions(*this);
  makeMenu(*this, actions_,
           {[this](const QString& path) { openFile(path); },
            [this] { return models_.settings.recentFiles(); },
            [this](const QString& key) { workbench_->showView(key, true); },
            [this] { workbench_->view<ResultsView>().copyAll(); },
            [this] {
              auto* dialog = new PythonDialog(models_.settings, checkTorch, this);
              dialog->setAttribute(Qt::WA_DeleteOnClose);
              dialog->open();
            },
            [this] { captureModel({}); }, [this] { return models_.settings.language(); },
            [this](const QString& language) {
              models_.settings.setLanguage(language);
              models_.messages.say(Tone::info,
                                   uiText("The language changes when Fusebench is restarted."),
                                   uiText("Restart now"), Remedy::restart);
            }});
  auto* center = new QWidget(this);
  status_ = new StatusBar(models_.study, models_.run, models_.devices, center);
  workbench_ = new Workbench(models_, center);
  auto* layout = new QVBoxLayout(center);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* bar = new TopBar(actions_, center);
  connect(workbench_, &Workbench::regionsChanged, bar,
          [this, bar] { bar->offer(workbench_->narrow(), workbench_->low()); });
  layout->addWidget(bar);
  layout->addWidget(workbench_, 1);
  layout->addWidget(status_);
  banner_ = new Banner(center);  // over the others
  banner_->setMargins(bar->minimumHeight(), status_->minimumHeight());
  setCentralWidget(center);
  models_.palette.setRecent(settings.recentOps());
  models_.explore.setEnabled(settings.explore());
  makeControllers(dialogs);
  linkActions();
  linkState();
  if (!settings.geometry().isEmpty()) restoreGeometry(settings.geometry());
  themeViews();
  applySettings();
  refreshDocument();
  refreshState();
}

MainWindow::~MainWindow() {
  // The views go before the models that they show, and nobody listens to what they still say: a
  // text field that loses the keyboard writes to the document.
  if (QWidget* last = focusWidget()) last->clearFocus();
  models_.document.blockSignals(true);
  models_.place.blockSignals(true);
  exporter_.reset();
  launches_.reset();
  files_.reset();
  sites_.reset();
  runs_.reset();
  devices_.reset();
  keeper_.reset();
  for (QObject* model : std::initializer_list<QObject*>{
           &models_.document, &models_.run, &models_.study, &models_.explore, &models_.analysis,
           &models_.library, &models_.session, &models_.settings, &models_.timeline,
           &models_.devices, &models_.messages})
    model->disconnect(this);
  // Taken out first, all of it would be given a style again.
  delete centralWidget();
}

void MainWindow::makeControllers(const Dialogs& dialogs) {
  keeper_ = std::make_unique<DocumentKeeper>(models_, dialogs, this);
  devices_ = std::make_unique<DevicesController>(models_);
  runs_ = std::make_unique<RunsController>(models_, *keeper_, *devices_);
  sites_ = std::make_unique<SitesController>(models_, *runs_);
  files_ = std::make_unique<FilesController>(models_, *keeper_, *runs_);
  launches_ = std::make_unique<LaunchesController>(models_, *devices_);
  exporter_ = std::make_unique<Exporter>(models_, *workbench_, *runs_, *devices_, dialogs, this);
  WindowParts parts{models_, *workbench_, actions_,   *keeper_,  *runs_,
                    *sites_, *files_,     *launches_, *exporter_};
  workbench_->link(parts, actions_.exportRun);
  connect(files_.get(), &FilesController::modelGiven, this, &MainWindow::captureModel);
  connect(files_.get(), &FilesController::traceGiven, launches_.get(),
          [this](const QString& path) { launches_->open(path, false); });
  // Each kind of file has a layout of its own.
  connect(files_.get(), &FilesController::kindShown, this, [this](FileKind kind) {
    const bool lesson = kind == FileKind::experiment && models_.course.lesson() &&
                        models_.document.experiment().title == models_.course.experiment().title;
    workbench_->setKind(lesson ? FileKind::lesson : kind);
  });
  connect(&models_.timeline.loader(), &TimelineLoader::loaded, this,
          [this] { workbench_->setKind(FileKind::trace); });
  connect(files_.get(), &FilesController::executionTraceGiven, this,
          [this] { workbench_->setKind(FileKind::executionTrace); });
  connect(files_.get(), &FilesController::compileLogGiven, this,
          [this] { workbench_->setKind(FileKind::compileLog); });
  connect(&models_.course, &CourseModel::lessonChanged, this, [this] {
    if (models_.course.lesson()) workbench_->setKind(FileKind::lesson);
  });
  connect(files_.get(), &FilesController::viewGiven, this,
          [this](const QByteArray& view) { takeViewState(view, models_, *workbench_); });
  connect(files_.get(), &FilesController::viewWanted, workbench_, &Workbench::showView);
  connect(runs_.get(), &RunsController::viewWanted, workbench_, &Workbench::showView);
  connect(launches_.get(), &LaunchesController::viewWanted, workbench_, &Workbench::showView);
}

void MainWindow::linkActions() {
  const auto link = [this](QAction* action, auto&& task) {
    connect(action, &QAction::triggered, this, task);
  };
  Settings& settings = models_.settings;
  link(actions_.run, [this] { run(); });
  link(actions_.stop, [this] { stopAll(); });
  link(actions_.goOn, [this] { goOn(); });
  link(actions_.quick, [&settings](bool on) { settings.setQuick(on); });
  link(actions_.explore, [&settings](bool on) { settings.setExplore(on); });
  link(actions_.newChain, [this] { newChain(); });
  link(actions_.open, [this] { files_->ask(); });
  link(actions_.save, [this] { save(); });
  link(actions_.saveAs, [this] { saveAs(); });
  link(actions_.saveRun, [this] { saveRunAs(); });
  link(actions_.share, [this] { files_->share(viewState(models_, *workbench_)); });
  link(actions_.exportRun, [this] { exporter_->exportShown(); });
  link(actions_.undo, [this] { models_.document.undo(); });
  link(actions_.redo, [this] { models_.document.redo(); });
  link(actions_.lesson, [this] { workbench_->showView(QStringLiteral("lesson"), true); });
  link(actions_.theme, [&settings] { settings.setDark(!settings.dark()); });
  link(actions_.focus, [this](bool on) { workbench_->setFocusMode(on); });
  link(actions_.fullScreen, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
  link(actions_.splitRight, [this] { workbench_->split(Qt::Horizontal); });
  link(actions_.splitBelow, [this] { workbench_->split(Qt::Vertical); });
  link(actions_.otherGroup, [this] { workbench_->moveToOtherGroup(); });
  link(actions_.ownWindow, [this] { workbench_->detachOrReturn(); });
  link(actions_.allHome, [this] { workbench_->groups().putAllHome(); });
  for (const auto& [action, region] : {std::pair(actions_.left, Workbench::Region::left),
                                       {actions_.right, Workbench::Region::right},
                                       {actions_.table, Workbench::Region::table}})
    link(action, [this, region = region](bool on) { workbench_->setHidden(region, !on); });
  const auto showRegions = [this] {
    actions_.focus->setChecked(workbench_->focusMode());
    actions_.left->setChecked(!workbench_->hidden(Workbench::Region::left));
    actions_.right->setChecked(!workbench_->hidden(Workbench::Region::right));
    actions_.table->setChecked(!workbench_->hidden(Workbench::Region::table));
  };
  connect(workbench_, &Workbench::regionsChanged, this, showRegions);
  connect(workbench_, &Workbench::middleChanged, this, &MainWindow::refreshState);
  connect(&models_.timeline, &TimelineModel::tracesChanged, this, &MainWindow::refreshTitle);
  connect(workbench_, &Workbench::middleChanged, this, &MainWindow::refreshNotice);
  connect(&models_.timeline, &TimelineModel::tracesChanged, this, &MainWindow::refreshNotice);
  showRegions();
  link(actions_.device, [this] {
    workbench_->showView(QStringLiteral("setup"), true);
    workbench_->view<Inspector>().showDevice();
  });
  link(actions_.findCommand, [this] { findCommand(); });
  link(actions_.nextPart, [this] { workbench_->nextPart(false); });
  link(actions_.previousPart, [this] { workbench_->nextPart(true); });
}

void MainWindow::linkState() {
  Messages& messages = models_.messages;
  connect(&messages, &Messages::said, banner_, &Banner::show);
  connect(&messages, &Messages::dismissed, banner_, &Banner::dismiss);
  connect(banner_, &Banner::remedyChosen, this, &MainWindow::takeRemedy);
  connect(&models_.document, &DocumentModel::pasted, this, [&messages](const QStringList& notes) {
    if (!notes.isEmpty()) messages.say(Tone::info, notes.join(QStringLiteral("; ")));
  });
  connect(&models_.document, &DocumentModel::changed, this, &MainWindow::refreshDocument);
  connect(&models_.document, &DocumentModel::historyChanged, this, &MainWindow::refreshHistory);
  connect(&models_.study, &StudyController::stateChanged, this, &MainWindow::refreshState);
  connect(runs_.get(), &RunsController::wantedChanged, this, &MainWindow::refreshState);
  connect(&models_.study, &StudyController::progressed, this, &MainWindow::refreshTitle);
  connect(&models_.explore, &ExploreController::stateChanged, this, [this] {
    status_->setExploring(models_.explore.text());
    refreshNotice();
  });
  connect(&models_.timeline, &TimelineModel::tracesChanged, this, &MainWindow::refreshState);
  connect(&models_.devices, &DevicesModel::changed, this, &MainWindow::refreshNotice);
  connect(&models_.devices, &DevicesModel::changed, this, &MainWindow::refreshDevice);
  refreshDevice();
  connect(&models_.devices.sites(), &SitesModel::changed, this, &MainWindow::refreshState);
  connect(devices_.get(), &DevicesController::moved, this, [this] {
    refreshNotice();
    refreshState();
  });
  connect(&models_.library, &RunLibrary::failed, this,
          [&messages](const QString& what) { messages.say(Tone::warning, what); });
  connect(&models_.library, &RunLibrary::recovered, this, [&messages](const QStringList& paths) {
    const QString runs =
        paths.size() == 1
            ? uiText("Fusebench exited while measuring. The results so far are listed under Runs.")
            : uiText("Fusebench exited while measuring. %1 unfinished runs are listed under Runs.")
                  .arg(paths.size());
    if (messages.offered() == Remedy::discardRestored)
      messages.say(Tone::info,
                   uiText("Fusebench did not close properly. Your edits are restored. ") + runs,
                   uiText("Discard the edits"), Remedy::discardRestored);
    else
      messages.say(Tone::info, runs);
  });
  connect(&models_.session, &Session::failed, this, [&messages](const QString& what) {
    messages.say(Tone::warning, uiText("Your edits cannot be saved for recovery: %1").arg(what));
  });
  connect(&models_.run, &RunModel::runReset, this, &MainWindow::refreshReference);
  connect(&models_.run, &RunModel::runReset, this, &MainWindow::refreshNotice);
  connect(&models_.run, &RunModel::cellsChanged, this, [this] {
    if (models_.run.lent() != lentShown_) refreshNotice();
  });
  connect(&models_.settings, &Settings::changed, this, &MainWindow::applySettings);
  connect(runs_.get(), &RunsController::ended, this, [this] {
    // Leaves this signal's caller alone: closing may destroy it.
    if (closing_) QTimer::singleShot(0, this, &QWidget::close);
  });
}

// ---- what others ask of it ----

void MainWindow::setOptions(const StudyOptions& options) {
  devices_->setOptions(options);
}

bool MainWindow::openFile(const QString& path) {
  return files_->open(path);
}

bool MainWindow::openMainStudy() {
  return files_->openMainStudy();
}

void MainWindow::restoreSession() {
  files_->restoreSession();
}

void MainWindow::warmUp() {
  devices_->warmUp();
}

void MainWindow::run() {
  runs_->run();
}

void MainWindow::goOn() {
  runs_->goOn();
}

void MainWindow::restart() {
  restartWanted_ = true;
  // It stays open where changes are to be kept, and closes later where a study has to stop first.
  if (!close() && !closing_) restartWanted_ = false;
}

void MainWindow::stopAll() {
  sites_->stop();  // all that are measured in turn, not only the one under way
  runs_->forgetWanted();
  models_.study.stop();
  models_.explore.stop();
}

void MainWindow::newChain() {
  files_->newChain();
}

bool MainWindow::save() {
  return keeper_->save();
}

bool MainWindow::saveAs() {
  return keeper_->saveAs();
}

void MainWindow::saveRunAs() {
  keeper_->saveRunAs();
}

void MainWindow::takeRemedy() {
  switch (models_.messages.take()) {
    case Remedy::goOn:
      return goOn();
    case Remedy::saveElsewhere:
      saveAs();
      return;
    case Remedy::discardRestored:
      return files_->discardRestored();
    case Remedy::undo:
      return models_.document.undo();
    case Remedy::sweepSize:
      return models_.document.edit(uiText("Sweep the size"), {}, fusebench::sweepSize);
    case Remedy::choosePython:
      return actions_.python->trigger();
    case Remedy::openWhole:
      return files_->openWhole();
    case Remedy::restart:
      return restart();
    case Remedy::forgetRun:
      return runs_->forgetWanted();
    case Remedy::stopStudy:
      return models_.study.stop();
    case Remedy::stopAndGoOn:
      files_->doWaiting();
      return models_.study.busy() ? stopAll() : void();
    case Remedy::stopOpening:
      return files_->stopOpening();
    case Remedy::none:
      return;
  }
}

// ---- what it shows ----

void MainWindow::applySettings() {
  const Settings& settings = models_.settings;
  if (settings.dark() != darkShown_) {
    darkShown_ = settings.dark();
    applyTheme(*qApp, shownTheme());
    themeViews();
  }
  devices_->applySettings();
  actions_.quick->setChecked(settings.quick());
  actions_.explore->setChecked(settings.explore());
  models_.explore.setEnabled(settings.explore());
}

const Theme& MainWindow::shownTheme() const {
  return darkShown_ ? darkTheme() : lightTheme();
}

void MainWindow::themeViews() {
  setIcons(actions_, shownTheme());
  workbench_->setTheme(shownTheme());
  banner_->setTheme(shownTheme());
}

void MainWindow::refreshDocument() {
  const Experiment& experiment = models_.document.experiment();
  models_.messages.withdraw(
      Remedy::undo);  // it would take back this edit, not the one it speaks of
  if (referenceName_ != experiment.reference || !models_.run.run()) refreshReference();
  if (models_.document.runnable())
    models_.generated.setExperiment(experiment);
  else
    models_.generated.clear(
        uiText("This cannot be run yet: %1").arg(models_.document.problems().front().text));
  refreshState();
  refreshHistory();
  refreshNotice();
}

/// The chart shows what was measured; before that, what will be.
void MainWindow::refreshReference() {
  const Experiment& experiment = models_.place.experiment();
  referenceName_ = experiment.reference;
  models_.findings.setReference(nullptr);  // it is about to change
  reference_ = referenceFor(experiment);
  const bool published = reference_ && fits(*reference_, experiment);
  workbench_->view<ChartView>().setExperiment(&experiment, published ? &*reference_ : nullptr);
  models_.findings.setReference(published ? &*reference_ : nullptr);
  workbench_->view<ChartChoices>().setExperiment(experiment, published);
  models_.place.setSlice(0);
  models_.place.restore();
}

void MainWindow::refreshNotice() {
  const Run* shown = models_.run.run();
  lentShown_ = models_.run.lent();
  const bool any = shown && sampleCount(*shown) > 0;
  const bool elsewhere = any && models_.measuredAsShown() && !models_.devices.measures(*shown);
  workbench_->view<GeneratedCodeView>().setNote(
      elsewhere ? uiText("This is the code for %1. The run was measured on %2, where other code "
                         "ran; it can only be generated on that device.")
                      .arg(models_.devices.chosen(), QString::fromStdString(shown->device))
                : QString());
  // A trace in sight is none of the run's.
  if (workbench_->shows(QStringLiteral("timeline")) && !models_.timeline.empty())
    return workbench_->setNotice({}, {});
  if (elsewhere) {
    workbench_->setNotice(
        uiText("Measured on %1").arg(QString::fromStdString(shown->device)),
        uiText("These results are from another device; Run measures on %1 and replaces them.")
            .arg(models_.devices.chosen()));
    return;
  }
  if (const std::size_t lent = models_.run.lent(); lent > 0 && models_.measuredAsShown()) {
    workbench_->setNotice(
        uiText("%1 of %2 data points from Explore").arg(lent).arg(shown->cells.size()),
        uiText("The run has fewer than %1 samples of these points: until it has more, Explore's "
               "results are shown. The run is saved and exported without those results.")
            .arg(kLeastSamples));
    return;
  }
  workbench_->setNotice(
      any && !models_.measuredAsShown() ? uiText("Measured before your edits") : QString(),
      uiText("These results are from before the last edits of the experiment."));
}

/// The chip next to Run: on what the next run is measured.
void MainWindow::refreshDevice() {
  const QString name = models_.devices.chosen();
  const bool simulated = name.startsWith(QStringLiteral("sim:"));
  actions_.device->setText(simulated ? uiText("%1 (simulated)").arg(name) : name);
  actions_.device->setToolTip(uiText("Run measures on %1. Setup lists the other devices.")
                                  .arg(models_.devices.chosenText()));
}

void MainWindow::refreshState() {
  using State = StudyController::State;
  const State state = models_.study.state();
  const bool busy = models_.study.busy();
  const Run* shown = models_.run.run();
  actions_.run->setEnabled(!busy);
  actions_.stop->setEnabled(state == State::preparing || state == State::running ||
                            models_.explore.active() || models_.devices.sites().busy() ||
                            runs_->wanted());
  actions_.goOn->setEnabled(!busy && models_.study.canGoOn() && models_.measuredAsShown() &&
                            models_.devices.measures(*shown));
  actions_.quick->setEnabled(!busy);
  explain(*actions_.run, busy ? uiText("A run is being measured") : QString());
  explain(*actions_.quick,
          busy ? uiText("A run is being measured; this is about the next one") : QString());
  actions_.saveRun->setEnabled(!busy && shown);
  const bool memory = workbench_->shows(QStringLiteral("memory")) && models_.document.runnable();
  actions_.exportRun->setEnabled(!busy && (shown || memory || !models_.timeline.empty()));
  refreshTitle();
}

void MainWindow::refreshHistory() {
  const auto word = [](const QString& verb, const QString& step) {
    return step.isEmpty() ? verb : verb + QStringLiteral(": ") + step;
  };
  const DocumentModel& document = models_.document;
  actions_.undo->setEnabled(document.canUndo());
  actions_.redo->setEnabled(document.canRedo());
  actions_.undo->setText(word(uiText("Undo"), document.undoName()));
  actions_.redo->setText(word(uiText("Redo"), document.redoName()));
  for (QAction* action : {actions_.undo, actions_.redo})
    action->setToolTip(
        QStringLiteral("%1  (%2)")
            .arg(action->text(), action->shortcut().toString(QKeySequence::NativeText)));
  refreshTitle();
}

void MainWindow::refreshTitle() {
  const DocumentModel& document = models_.document;
  // A shipped study's is in the catalogue; another person's stays as it is written.
  QString title = text(said(document.experiment().title));
  if (!document.path().isEmpty())
    title = QStringLiteral("%1 (%2)").arg(title, QFileInfo(document.path()).fileName());
  title += QStringLiteral(" – Fusebench");
  if (document.modified()) title = QStringLiteral("• ") + title;
  // A trace in sight is what the window is about.
  QStringList facts, devices;
  if (workbench_->shows(QStringLiteral("timeline")) && !models_.timeline.empty()) {
    constexpr std::size_t kMostTold = 3;  // one by one in a line
    QStringList traces;
    std::int64_t spans = 0;
    for (const auto& shown : models_.timeline.shown()) {
      traces << shown.title;
      facts << uiText("%1: %2 slices, %3")
                   .arg(shown.title, formatCount(std::int64_t(shown.trace->size())),
                        formatTime(double(shown.trace->length())));
      spans += std::int64_t(shown.trace->size());
      const QString device = QString::fromStdString(shown.trace->device());
      if (!device.isEmpty() && !devices.contains(device)) devices << device;
    }
    if (models_.timeline.shown().size() > kMostTold)
      facts = {uiText("%1 traces: %2 slices, up to %3")
                   .arg(models_.timeline.shown().size())
                   .arg(formatCount(spans), formatTime(double(models_.timeline.length())))};
    const auto more = traces.size() - 2;
    title = uiText("%1 – Fusebench")
                .arg(more > 1 ? uiText("%1, %2 and %3 more").arg(traces[0], traces[1]).arg(more)
                              : traces.join(uiText(" and ")));
  }
  status_->setTrace(facts.join(QStringLiteral(" · ")), devices.join(QStringLiteral(", ")));
  if (models_.study.busy())
    title =
        QStringLiteral("%1% – ").arg(std::lround(100 * models_.study.progress().fraction)) + title;
  setWindowTitle(title);
}

// ---- events ----

void MainWindow::closeEvent(QCloseEvent* event) {
  // Asked before anything is stopped, and once: this is called again when the study has ended.
  if (!closing_) {
    keeper_->commit();
    const bool mayClose =
        (!(models_.study.busy() || models_.devices.sites().busy()) ||
         keeper_->mayStop(uiText("A study is being measured. Stop it and close? What was "
                                 "measured so far is kept."))) &&
        keeper_->mayReplace(uiText("The experiment has unsaved changes. Save it before closing?"));
    if (!mayClose) {
      event->ignore();
      return;
    }
  }
  sites_->stop();
  if (models_.study.busy()) {
    // The measuring thread needs a moment to stop its worker; the window goes when it has.
    closing_ = true;
    models_.study.stop();
    event->ignore();
    return;
  }
  models_.explore.stop();
  models_.settings.setGeometry(saveGeometry());
  models_.settings.setRecentOps(models_.palette.recent());
  workbench_->savePlaces();
  // What is still changed was to be discarded: the copy against crashes goes, too.
  models_.session.end(!models_.document.modified());
  event->accept();
}

bool MainWindow::focusNextPrevChild(bool next) {
  return followTabOrder(*this, next);
}

void MainWindow::findCommand() {
  std::vector<Command> commands;
  emit actions_.more->aboutToShow();  // the recent files are filled in then
  addMenuCommands(commands, *actions_.more, uiText("Menu"));
  std::erase_if(commands,
                [this](const Command& each) { return each.name == actions_.findCommand->text(); });
  const PaletteModel ops;
  for (int row = 0; row < ops.rowCount(); ++row)
    if (const OpRow* const op = ops.at(row))
      commands.push_back({text(op->name), uiText("Operator"), {}, text(said(op->doc)), [this, op] {
                            workbench_->view<CanvasView>().appendOp(op);
                          }});
  for (const CourseModel::Row& lesson : models_.course.rows())
    commands.push_back(
        {lesson.title, uiText("Lesson"), {}, lesson.objective, [this, name = lesson.name] {
           emit files_->lessonGiven(name);
         }});
  auto* const palette = new CommandPalette(std::move(commands), this);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->open();
}

void MainWindow::captureModel(const QString& file) {
  if (!isVisible()) {  // a file of the command line: a dialog needs a window to be over
    QTimer::singleShot(0, this, [this, file] {
      if (isVisible()) captureModel(file);
    });
    return;
  }
  auto* dialog = new CaptureDialog(models_.settings, dialogs_, fusebench::captureModel, file, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CaptureDialog::captured, this,
          [this](const QString& path, Tone tone, const QString& remarks) {
            if (!openFile(path)) return;
            const auto say = [this, tone, remarks] { models_.messages.say(tone, remarks); };
            if (!files_->opening()) return say();
            connect(files_.get(), &FilesController::opened, this, say, Qt::SingleShotConnection);
          });
  dialog->open();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange && actions_.fullScreen)
    actions_.fullScreen->setChecked(isFullScreen());
}

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

#include "moc_main_window.cpp"
