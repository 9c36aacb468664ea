// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QTimer>
#include <cmath>

#include "ui/models/comparison.h"
#include "ui/models/documents.h"
#include "ui/views/banner.h"
#include "ui/views/chain_view.h"
#include "ui/views/chart_view.h"
#include "ui/views/insights_view.h"
#include "ui/views/lesson_view.h"
#include "ui/views/panel.h"
#include "ui/views/results_view.h"
#include "ui/views/status_bar.h"

namespace fusebench {
namespace {

constexpr const char* kMainStudy = "experiments/fusion_study.json";
constexpr const char* kRunFilter = "Run (*.jsonl)";
constexpr const char* kExperimentFilter = "Experiment (*.json)";

}  // namespace

MainWindow::MainWindow(Settings& settings, StudyRunner runner, Dialogs dialogs, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      dialogs_(std::move(dialogs)),
      controller_(run_, std::move(runner)),
      analysis_(run_),
      findings_(run_, analysis_),
      table_(run_) {
  setMinimumSize(960, 600);
  resize(1280, 800);
  setWindowIcon(applicationIcon());
  // Before the views are made: a style sheet keeps the font that a widget had when it was polished.
  applyTheme(*qApp, settings_.dark() ? darkTheme() : lightTheme());
  buildActions();
  buildMenu();
  buildViews();
  connectViews();
  if (!settings_.geometry().isEmpty()) restoreGeometry(settings_.geometry());
  applySettings();
  refreshState();
}

MainWindow::~MainWindow() = default;

bool MainWindow::openMainStudy() {
  return openFile(QString::fromStdString(resourcePath(kMainStudy)));
}

bool MainWindow::openFile(const QString& path) {
  if (controller_.busy()) {
    banner_->show(Banner::Tone::warning,
                  QStringLiteral("Stop the study before opening another file."));
    return false;
  }
  try {
    Document document = openDocument(path);
    if (!mayReplaceRun(QStringLiteral("The results shown are not saved. Save them before opening "
                                      "another file?")))
      return false;
    banner_->dismiss();
    if (auto* experiment = std::get_if<Experiment>(&document))
      controller_.setExperiment(std::move(*experiment));
    else
      controller_.setRun(std::get<Run>(std::move(document)));
    return true;
  } catch (const std::exception& error) {
    banner_->show(Banner::Tone::error, QString::fromUtf8(error.what()));
    return false;
  }
}

void MainWindow::open() {
  const QString path = dialogs_.openFile(this, settings_.folder());
  if (path.isEmpty()) return;
  settings_.setFolder(QFileInfo(path).absolutePath());
  openFile(path);
}

QString MainWindow::suggestion(const QString& ending) const {
  const QString folder = settings_.folder();
  return (folder.isEmpty() ? QString() : folder + u'/') + fileNameFor(*controller_.experiment()) +
         ending;
}

bool MainWindow::saveRunAs() {
  if (!run_.run()) return false;
  const QString path =
      dialogs_.saveFile(this, suggestion(QStringLiteral(".jsonl")), QLatin1String(kRunFilter));
  if (path.isEmpty()) return false;
  try {
    saveRun(*run_.run(), path.toStdString());
  } catch (const std::exception& error) {
    banner_->show(Banner::Tone::error, QString::fromUtf8(error.what()));
    return false;
  }
  settings_.setFolder(QFileInfo(path).absolutePath());
  run_.markSaved();
  return true;
}

void MainWindow::save() {
  if (run_.run())
    saveRunAs();
  else
    saveExperimentAs();
}

void MainWindow::saveExperimentAs() {
  if (!controller_.experiment()) return;
  const QString path = dialogs_.saveFile(this, suggestion(QStringLiteral(".json")),
                                         QLatin1String(kExperimentFilter));
  if (path.isEmpty()) return;
  try {
    saveExperiment(*controller_.experiment(), path.toStdString());
    settings_.setFolder(QFileInfo(path).absolutePath());
  } catch (const std::exception& error) {
    banner_->show(Banner::Tone::error, QString::fromUtf8(error.what()));
  }
}

bool MainWindow::mayReplaceRun(const QString& question) {
  if (!run_.unsaved()) return true;
  switch (dialogs_.unsaved(this, question)) {
    case Dialogs::Unsaved::save:
      return saveRunAs();
    case Dialogs::Unsaved::discard:
      return true;
    case Dialogs::Unsaved::cancel:
      return false;
  }
  return false;
}

void MainWindow::run() {
  if (controller_.busy() || !controller_.experiment()) return;
  if (!mayReplaceRun(QStringLiteral("The results shown are not saved. Save them before measuring "
                                    "anew?")))
    return;
  banner_->dismiss();
  chart_->setFocus();  // the button that was pressed is about to be disabled
  controller_.start(settings_.quick());
}

void MainWindow::goOn() {
  if (controller_.canGoOn())
    controller_.goOn();
  else
    run();
}

void MainWindow::announceEnd() {
  const QString& message = controller_.message();
  if (controller_.state() == StudyController::State::failed) {
    const bool kept = run_.run() && sampleCount(*run_.run()) > 0;
    QString text = message.isEmpty() ? QStringLiteral("The study failed.") : message;
    if (!text.endsWith(u'.')) text += u'.';
    if (kept) text += QStringLiteral(" What was measured is kept.");
    banner_->show(Banner::Tone::error, text,
                  kept ? QStringLiteral("Go on with a new worker") : QStringLiteral("Try again"));
  } else if (run_.run() && run_.run()->interrupted && controller_.canGoOn()) {
    banner_->show(Banner::Tone::info,
                  QStringLiteral("The study was stopped. What was measured is kept."),
                  QStringLiteral("Go on"));
  }
}

void MainWindow::refreshExperiment() {
  const Experiment* experiment = controller_.experiment();
  pinned_.reset();
  program_.setExperiment(experiment);
  findings_.setReference(nullptr);  // it is about to change
  chart_->setExperiment(nullptr, nullptr);
  reference_ = experiment ? referenceFor(*experiment) : std::nullopt;
  const bool published = experiment && reference_ && fits(*reference_, *experiment);
  published_->setVisible(published);
  chart_->setExperiment(experiment, published ? &*reference_ : nullptr);
  findings_.setReference(published ? &*reference_ : nullptr);
  if (!experiment) return;
  chain_->setInputs(inputLines(*experiment));
  chartPanel_->setTitle(QString::fromStdString(experiment->title));
  lesson_->setLesson(lessonFor(*experiment));
  const QSignalBlocker quiet(slice_);
  slice_->clear();
  slice_->setVisible(experiment->axes.size() > 1);
  if (experiment->axes.size() > 1)
    for (const std::int64_t value : experiment->axes[1].values)
      slice_->addItem(QStringLiteral("%1 = %2")
                          .arg(QString::fromStdString(experiment->axes[1].name))
                          .arg(value));
}

void MainWindow::refreshState() {
  using State = StudyController::State;
  const State state = controller_.state();
  actions_.run->setEnabled(!controller_.busy() && controller_.experiment());
  actions_.stop->setEnabled(state == State::preparing || state == State::running);
  actions_.quick->setEnabled(!controller_.busy());
  actions_.open->setEnabled(!controller_.busy());
  actions_.save->setEnabled(!controller_.busy() && controller_.experiment());
  chart_->setBusy(controller_.busy());
  refreshTitle();
  if (state == State::finished || state == State::failed) {
    if (closing_) {
      // Leaves this signal's caller alone: closing may destroy it.
      QTimer::singleShot(0, this, &QWidget::close);
      return;
    }
    announceEnd();
  }
}

void MainWindow::refreshTitle() {
  QString title = QStringLiteral("Fusebench");
  if (const Experiment* experiment = controller_.experiment())
    title = QString::fromStdString(experiment->title) + QStringLiteral(" – ") + title;
  if (controller_.busy())
    title =
        QStringLiteral("%1% – ").arg(std::lround(100 * controller_.progress().fraction)) + title;
  else if (run_.unsaved())
    title = QStringLiteral("• ") + title;
  setWindowTitle(title);
}

void MainWindow::markAt(std::optional<double> x, bool scroll) {
  if (x && !std::isfinite(*x)) x = pinned_;
  chart_->setCursor(x);
  results_->mark(x, scroll);
  const Experiment* experiment = controller_.experiment();
  const bool statements =
      experiment && !experiment->axes.empty() && experiment->axes[0].name == "statements";
  program_.setActiveCount(x && statements ? static_cast<int>(*x) : 0);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (controller_.busy()) {
    // The measuring thread needs a moment to stop its worker; the window goes when it has.
    closing_ = true;
    controller_.stop();
    event->ignore();
    return;
  }
  if (!mayReplaceRun(
          QStringLiteral("The results shown are not saved. Save them before closing?"))) {
    closing_ = false;
    event->ignore();
    return;
  }
  run_.markSaved();  // asked once is enough
  settings_.setGeometry(saveGeometry());
  event->accept();
}

}  // namespace fusebench
