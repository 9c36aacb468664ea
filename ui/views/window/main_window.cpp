// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QScreen>
#include <QStandardPaths>
#include <QTimer>
#include <QVBoxLayout>

#include "profiler/files/resources.h"
#include "profiler/trace/trace_import.h"
#include "ui/models/results/comparison.h"
#include "ui/models/runs/same_measurement.h"
#include "ui/models/setup/documents.h"
#include "ui/models/window/window_size.h"
#include "ui/views/base/banner.h"
#include "ui/views/window/status_bar.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/code/code_pane.h"
#include "ui/views/setup/inspector.h"
#include "ui/views/window/workbench.h"

namespace fusebench {
namespace {

constexpr QSize kWindowUsualSize(1280, 800);
constexpr const char* kMainStudy = "experiments/fusion_study.json";
constexpr const char* kRunFilter = "Run (*.jsonl)";
constexpr const char* kExperimentFilter = "Experiment (*.json)";

QString dataFolder(const QString& given) {
  return given.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                         : given;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs,
                       const QString& folder, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      dialogs_(std::move(dialogs)),
      folder_(dataFolder(folder)),
      controller_(run_, runner),
      explore_(document_, run_, controller_, runner),
      analysis_(run_),
      findings_(run_, analysis_),
      table_(run_),
      library_(folder_ + QStringLiteral("/runs")),
      session_(document_, folder_) {
  setMinimumSize(960, 600);
  resize(fittedSize(kWindowUsualSize, minimumSize(), screen()->availableGeometry().size()));
  setAcceptDrops(true);
  setWindowIcon(applicationIcon());
  // Before the views are made: a style sheet keeps the font that a widget had when it was polished.
  darkShown_ = settings_.dark();
  applyTheme(*qApp, shownTheme());
  buildActions();
  buildMenu();
  auto* center = new QWidget(this);
  banner_ = new Banner(center);
  status_ = new StatusBar(controller_, run_, devices_, center);
  workbench_ = new Workbench({document_, run_, analysis_, findings_, table_, palette_, library_,
                              generated_, timeline_, devices_},
                             settings_, center);
  auto* layout = new QVBoxLayout(center);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(new TopBar(actions_, center));
  layout->addWidget(banner_);
  layout->addWidget(workbench_, 1);
  layout->addWidget(status_);
  setCentralWidget(center);
  palette_.setRecent(settings_.recentOps());
  explore_.setEnabled(settings_.explore());
  linkState();
  linkViews();
  linkTimeline();
  linkDevices();
  if (!settings_.geometry().isEmpty()) restoreGeometry(settings_.geometry());
  themeViews();
  applySettings();
  refreshDocument();
  refreshState();
}

MainWindow::~MainWindow() {
  // The views go before the models that they show, and nobody listens to what they still say: a
  // text field that loses the keyboard writes to the document.
  if (QWidget* last = focusWidget()) last->clearFocus();
  for (QObject* model :
       std::initializer_list<QObject*>{&document_, &run_, &controller_, &explore_, &analysis_,
                                       &library_, &session_, &settings_, &timeline_, &devices_})
    model->disconnect(this);
  delete takeCentralWidget();
}

// ---- files ----

bool MainWindow::openMainStudy() {
  return openFile(QString::fromStdString(resourcePath(kMainStudy)));
}

void MainWindow::showExperiment(Experiment experiment, const QString& path) {
  explore_.stop();
  pin(std::nullopt);
  run_.clear();
  replaceDocument(std::move(experiment), path);
}

void MainWindow::replaceDocument(Experiment experiment, const QString& path) {
  pin(std::nullopt);  // a place in the experiment that goes
  keepOverlaysOf(&experiment);
  document_.load(std::move(experiment), path);
}

bool MainWindow::openFile(const QString& path) {
  if (looksLikeTrace(path.toStdString())) {
    openTrace(path, false);
    return true;
  }
  if (controller_.busy()) {
    say(int(Banner::Tone::warning), QStringLiteral("Stop the run before opening another file."));
    return false;
  }
  try {
    Document file = openDocument(path);
    if (std::holds_alternative<Experiment>(file) &&
        !mayReplaceDocument(
            QStringLiteral("The experiment is changed and not saved. Save it before "
                           "opening another one?")))
      return false;
    banner_->dismiss();
    if (auto* experiment = std::get_if<Experiment>(&file)) {
      const bool shipped = path.startsWith(
          QFileInfo(QString::fromStdString(resourcePath(kMainStudy))).absolutePath());
      showExperiment(std::move(*experiment), shipped ? QString() : path);
      session_.setShownRun({});
      if (!shipped) settings_.addRecentFile(path);
    } else {
      const auto run = std::make_shared<const Run>(std::get<Run>(std::move(file)));
      if (!openWithExperiment(run, path)) return false;
      settings_.addRecentFile(path);
      // Reports alone may hold more; a run is not read again for that.
      if (path.endsWith(QLatin1String(".html"), Qt::CaseInsensitive))
        if (std::vector<Run> runs = openRuns(path); runs.size() > 1)
          showTogether(std::move(runs), path);
    }
    return true;
  } catch (const std::exception& error) {
    settings_.forgetRecentFile(path);
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
    return false;
  }
}

void MainWindow::open() {
  const QString path = dialogs_.openFile(this, settings_.folder());
  if (path.isEmpty()) return;
  settings_.setFolder(QFileInfo(path).absolutePath());
  openFile(path);
}

void MainWindow::newChain() {
  if (controller_.busy()) return;
  if (!mayReplaceDocument(QStringLiteral("The experiment is changed and not saved. Save it before "
                                         "starting a new one?")))
    return;
  banner_->dismiss();
  keepOverlaysOf(nullptr);
  showExperiment(DocumentModel::blank(), {});
  session_.setShownRun({});
  workbench_->showView(QStringLiteral("canvas"), true);
}

QString MainWindow::suggestion(const QString& ending) const {
  const QString folder = settings_.folder();
  return (folder.isEmpty() ? QString() : folder + u'/') + fileNameFor(document_.experiment()) +
         ending;
}

bool MainWindow::saveTo(const QString& path) {
  if (path.isEmpty()) return false;
  workbench_->code().commit();
  // Nobody gave it a title yet: its file has a name now, and its runs will have that.
  Experiment saved = document_.experiment();
  if (saved.title == DocumentModel::blank().title)
    saved.title = QFileInfo(path).completeBaseName().toStdString();
  try {
    saveExperiment(saved, path.toStdString());
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()), QStringLiteral("Save elsewhere"),
        Remedy::saveElsewhere);
    return false;
  }
  settings_.setFolder(QFileInfo(path).absolutePath());
  settings_.addRecentFile(path);
  document_.edit(QStringLiteral("Title from the file's name"), {},
                 [&](Experiment& experiment) { experiment.title = saved.title; });
  document_.markSaved(path);
  return true;
}

bool MainWindow::save() {
  return document_.path().isEmpty() ? saveAs() : saveTo(document_.path());
}

bool MainWindow::saveAs() {
  return saveTo(dialogs_.saveFile(this, suggestion(QStringLiteral(".json")),
                                  QLatin1String(kExperimentFilter)));
}

void MainWindow::saveRunAs() {
  if (!run_.run()) return;
  const QString path =
      dialogs_.saveFile(this, suggestion(QStringLiteral(".jsonl")), QLatin1String(kRunFilter));
  if (path.isEmpty()) return;
  try {
    saveRun(*run_.run(), path.toStdString());
    settings_.setFolder(QFileInfo(path).absolutePath());
    settings_.addRecentFile(path);
    run_.markSaved();
  } catch (const std::exception& error) {
    say(int(Banner::Tone::error), QString::fromUtf8(error.what()));
  }
}

bool MainWindow::mayReplaceDocument(const QString& question) {
  if (!document_.modified()) return true;
  switch (dialogs_.unsaved(this, question)) {
    case Dialogs::Unsaved::save:
      return save();
    case Dialogs::Unsaved::discard:
      return true;
    case Dialogs::Unsaved::cancel:
      return false;
  }
  return false;
}

// ---- session ----

void MainWindow::restoreSession() {
  if (!session_.mine()) {
    openMainStudy();
    return;
  }
  std::optional<Session::State> left = session_.left();
  if (!left) {
    openMainStudy();
  } else {
    showExperiment(left->experiment, left->path);
    if (left->modified) document_.markUnsaved();
    if (!left->shownRun.isEmpty() && QFileInfo::exists(left->shownRun)) showRun(left->shownRun);
    if (left->crashed && left->modified)
      say(int(Banner::Tone::info),
          QStringLiteral("Fusebench did not close properly. Your edits are restored."),
          QStringLiteral("Discard them"), Remedy::discardRestored);
  }
  session_.begin();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (controller_.busy()) {
    // The measuring thread needs a moment to stop its worker; the window goes when it has.
    closing_ = true;
    controller_.stop();
    event->ignore();
    return;
  }
  workbench_->code().commit();
  if (!mayReplaceDocument(
          QStringLiteral("The experiment is changed and not saved. Save it before closing?"))) {
    closing_ = false;
    event->ignore();
    return;
  }
  explore_.stop();
  settings_.setGeometry(saveGeometry());
  settings_.setRecentOps(palette_.recent());
  workbench_->savePlaces();
  session_.end();
  event->accept();
}

// ---- running ----

void MainWindow::run() {
  if (controller_.busy()) return;
  workbench_->code().commit();
  if (!document_.runnable()) {
    const Problem& problem = document_.problems().front();
    if (problem.where == Problem::Where::program) {
      workbench_->showView(QStringLiteral("code"));
      workbench_->code().goTo(problem.place.line, problem.place.column);
    } else {
      workbench_->showView(QStringLiteral("setup"));
      workbench_->inspector().showProblem(problem);
    }
    say(int(Banner::Tone::error), QStringLiteral("This cannot be run yet: %1").arg(problem.text));
    return;
  }
  if (toFollow_) {
    say(int(Banner::Tone::info),
        QStringLiteral("Which devices are here is being found out; press Run again in a moment."));
    return;
  }
  banner_->dismiss();
  workbench_->chart().setFocus();  // the button that was pressed is about to be disabled
  explore_.runFull(settings_.quick());
}

void MainWindow::goOn() {
  if (controller_.canGoOn() && measuredAsShown()) {
    if (mayAddHere()) controller_.goOn();
    return;
  }
  run();
}

void MainWindow::keepRun() {
  if (!run_.run() || run_.run()->explored || sampleCount(*run_.run()) == 0) return;
  if (!run_.unsaved()) return;
  keeping_ = true;
  kept_ = run_.shared();
  memory_.remember(kept_, {});
  library_.add(kept_);
  run_.markSaved();
}

void MainWindow::announceEnd() {
  const QString& message = controller_.message();
  if (controller_.state() == StudyController::State::failed) {
    const bool kept = run_.run() && sampleCount(*run_.run()) > 0;
    QString text = message.isEmpty() ? QStringLiteral("The study failed.") : message;
    if (!text.endsWith(u'.')) text += u'.';
    if (kept) text += QStringLiteral(" What was measured is kept.");
    say(int(Banner::Tone::error), text,
        kept ? QStringLiteral("Go on with a new worker") : QStringLiteral("Try again"),
        Remedy::goOn);
  } else if (run_.run() && run_.run()->interrupted && !run_.run()->explored &&
             controller_.canGoOn()) {
    say(int(Banner::Tone::info),
        QStringLiteral("The study was stopped. What was measured is kept."),
        QStringLiteral("Go on"), Remedy::goOn);
  } else {
    dismissGoOn();
  }
}

/// There is a complete measurement: what was said of one that stopped is over.
void MainWindow::dismissGoOn() {
  if (remedy_ != Remedy::goOn) return;
  remedy_ = Remedy::none;
  banner_->dismiss();
}

void MainWindow::say(int tone, const QString& text, const QString& button, Remedy remedy) {
  remedy_ = remedy;
  banner_->show(static_cast<Banner::Tone>(tone), text, button);
}

void MainWindow::takeRemedy() {
  banner_->dismiss();
  switch (std::exchange(remedy_, Remedy::none)) {
    case Remedy::goOn:
      return goOn();
    case Remedy::saveElsewhere:
      saveAs();
      return;
    case Remedy::discardRestored:
      if (const QString path = document_.path(); !path.isEmpty() && QFileInfo::exists(path)) {
        document_.markSaved(path);  // asked already
        openFile(path);
      } else {
        document_.markSaved({});
        openMainStudy();
      }
      return;
    case Remedy::undo:
      document_.undo();
      return;
    case Remedy::none:
      return;
  }
}

}  // namespace fusebench
