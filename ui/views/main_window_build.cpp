// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that makes its actions and views and joins them up.
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/views/banner.h"
#include "ui/views/chain_view.h"
#include "ui/views/chart_view.h"
#include "ui/views/insights_view.h"
#include "ui/views/lesson_view.h"
#include "ui/views/main_window.h"
#include "ui/views/panel.h"
#include "ui/views/results_view.h"
#include "ui/views/status_bar.h"

namespace fusebench {
namespace {

QSplitter* makeSplitter(Qt::Orientation orientation, const char* name) {
  auto* splitter = new QSplitter(orientation);
  splitter->setObjectName(QLatin1String(name));
  splitter->setHandleWidth(1);
  splitter->setChildrenCollapsible(false);
  return splitter;
}

}  // namespace

void MainWindow::buildActions() {
  const auto make = [this](const QString& text, const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setToolTip(
        keys.isEmpty()
            ? tip
            : QStringLiteral("%1  (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
  };
  actions_.run = make(QStringLiteral("Run"), QKeySequence(Qt::CTRL | Qt::Key_R),
                      QStringLiteral("Measure the study"));
  actions_.stop = make(QStringLiteral("Stop"), QKeySequence(Qt::Key_Escape),
                       QStringLiteral("Stop; what was measured is kept"));
  actions_.quick = make(QStringLiteral("Quick"), {},
                        QStringLiteral("Measure with a tenth of the time: wider intervals"));
  actions_.quick->setCheckable(true);
  actions_.open = make(QStringLiteral("Open…"), QKeySequence::Open,
                       QStringLiteral("Open an experiment or a run"));
  actions_.save = make(QStringLiteral("Save…"), QKeySequence::Save,
                       QStringLiteral("Save the run, or the experiment if there is none"));
  actions_.lesson = make(QStringLiteral("Lesson"), QKeySequence(Qt::Key_F1),
                         QStringLiteral("What to look at, what to change, what to expect"));
  actions_.lesson->setCheckable(true);
  actions_.theme = make(QStringLiteral("Theme"), QKeySequence(Qt::CTRL | Qt::Key_T),
                        QStringLiteral("Switch between dark and light"));
  connect(actions_.run, &QAction::triggered, this, &MainWindow::run);
  connect(actions_.stop, &QAction::triggered, &controller_, &StudyController::stop);
  connect(actions_.quick, &QAction::triggered, &settings_, &Settings::setQuick);
  connect(actions_.open, &QAction::triggered, this, &MainWindow::open);
  connect(actions_.save, &QAction::triggered, this, &MainWindow::save);
  connect(actions_.lesson, &QAction::triggered, &settings_, &Settings::setShowLesson);
  connect(actions_.theme, &QAction::triggered, this,
          [this] { settings_.setDark(!settings_.dark()); });
}

void MainWindow::buildMenu() {
  auto* menu = new QMenu(this);
  actions_.more = menu;
  menu->menuAction()->setText(QStringLiteral("More"));
  menu->menuAction()->setToolTip(QStringLiteral("More"));
  QMenu* shipped = menu->addMenu(QStringLiteral("Shipped experiments"));
  const QDir folder(QFileInfo(QString::fromStdString(resourcePath("experiments/fusion_study.json")))
                        .absolutePath());
  for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
    connect(shipped->addAction(file.completeBaseName()), &QAction::triggered, this,
            [this, path = file.absoluteFilePath()] { openFile(path); });
  shipped->setEnabled(!shipped->isEmpty());
  connect(menu->addAction(QStringLiteral("Save experiment as…")), &QAction::triggered, this,
          &MainWindow::saveExperimentAs);
  connect(menu->addAction(QStringLiteral("Copy results as text")), &QAction::triggered, this,
          [this] { results_->copyAll(); });
  menu->addSeparator();
  connect(menu->addAction(QStringLiteral("About and licence")), &QAction::triggered, this,
          [this] { showAbout(this); });
  QAction* quit = menu->addAction(QStringLiteral("Quit"));
  quit->setShortcut(QKeySequence::Quit);
  connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::buildViews() {
  chain_ = new ChainView(program_);
  chart_ = new ChartView(run_, analysis_);
  results_ = new ResultsView(table_);
  insights_ = new InsightsView(findings_);
  lesson_ = new LessonView;
  status_ = new StatusBar(controller_, run_);
  banner_ = new Banner;

  auto* chainPanel = new Panel(QStringLiteral("Operator chain"), chain_);
  chartPanel_ = new Panel(QStringLiteral("Latency"), chart_);
  chartPanel_->addControl(chartControls());
  auto* resultsPanel = new Panel(QStringLiteral("Results"), results_);
  auto* insightsPanel = new Panel(QStringLiteral("Findings"), insights_);
  lessonPanel_ = new Panel(QStringLiteral("Lesson"), lesson_);
  chainPanel->setMinimumWidth(220);
  chainPanel->setMaximumWidth(420);
  chartPanel_->setMinimumSize(420, 240);
  resultsPanel->setMinimumHeight(110);
  insightsPanel->setMinimumSize(260, 120);
  lessonPanel_->setMinimumSize(260, 160);
  for (Panel* panel : {insightsPanel, lessonPanel_})
    panel->setMaximumWidth(460);  // longer lines are hard to read

  QSplitter* middle = makeSplitter(Qt::Vertical, "middle");
  middle->addWidget(chartPanel_);
  middle->addWidget(resultsPanel);
  middle->setStretchFactor(0, 3);
  middle->setStretchFactor(1, 2);
  middle->setSizes({460, 262});
  QSplitter* right = makeSplitter(Qt::Vertical, "right");
  right->addWidget(insightsPanel);
  right->addWidget(lessonPanel_);
  right->setStretchFactor(0, 2);
  right->setStretchFactor(1, 3);
  right->setSizes({330, 392});
  QSplitter* columns = makeSplitter(Qt::Horizontal, "columns");
  columns->addWidget(chainPanel);
  columns->addWidget(middle);
  columns->addWidget(right);
  columns->setStretchFactor(0, 0);
  columns->setStretchFactor(1, 3);
  columns->setStretchFactor(2, 1);
  columns->setSizes({240, 732, 308});

  auto* center = new QWidget(this);
  auto* layout = new QVBoxLayout(center);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(new TopBar(actions_, center));
  layout->addWidget(banner_);
  layout->addWidget(columns, 1);
  layout->addWidget(status_);
  setCentralWidget(center);
}

QWidget* MainWindow::chartControls() {
  auto* controls = new QWidget;
  auto* layout = new QHBoxLayout(controls);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  const auto make = [&](const QString& text, const char* name, const QString& tip) {
    auto* button = new QToolButton(controls);
    button->setText(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
  };
  slice_ = new QComboBox(controls);
  slice_->setAccessibleName(QStringLiteral("Value of the second axis"));
  published_ = make(QStringLiteral("Published"), "small",
                    QStringLiteral("Show the published curves beside: another machine and metric"));
  logarithmic_ =
      make(QStringLiteral("Log"), "segmentLeft", QStringLiteral("Logarithmic latency axis"));
  linear_ = make(QStringLiteral("Linear"), "segmentRight", QStringLiteral("Linear latency axis"));
  slice_->hide();
  published_->hide();
  auto* scale = new QButtonGroup(controls);
  scale->addButton(logarithmic_);
  scale->addButton(linear_);
  layout->addWidget(slice_);
  layout->addSpacing(8);
  layout->addWidget(published_);
  layout->addSpacing(8);
  layout->addWidget(logarithmic_);
  layout->addWidget(linear_);
  return controls;
}

void MainWindow::connectViews() {
  connect(&controller_, &StudyController::stateChanged, this, &MainWindow::refreshState);
  connect(&controller_, &StudyController::progressed, this, &MainWindow::refreshTitle);
  connect(&controller_, &StudyController::experimentChanged, this, &MainWindow::refreshExperiment);
  connect(&controller_, &StudyController::workerLost, this, [this](const QString& what) {
    banner_->show(
        Banner::Tone::warning,
        QStringLiteral("A worker was lost: %1. The points are kept%2.")
            .arg(what, controller_.busy() ? QStringLiteral("; a new one goes on") : QString()));
  });
  connect(&run_, &RunModel::unsavedChanged, this, &MainWindow::refreshTitle);
  connect(&settings_, &Settings::changed, this, &MainWindow::applySettings);
  connect(banner_, &Banner::remedyChosen, this, &MainWindow::goOn);
  connect(chart_, &ChartView::runRequested, this, &MainWindow::run);
  connect(chart_, &ChartView::hovered, this, [this](double x) { markAt(x, false); });
  const auto pick = [this](double x) {
    pinned_ = pinned_ == x ? std::nullopt : std::optional(x);
    markAt(pinned_, true);
  };
  connect(chart_, &ChartView::picked, this, pick);
  connect(results_, &ResultsView::picked, this, pick);
  connect(published_, &QToolButton::clicked, &settings_, &Settings::setShowPublished);
  connect(logarithmic_, &QToolButton::clicked, &settings_,
          [this] { settings_.setLogLatency(true); });
  connect(linear_, &QToolButton::clicked, &settings_, [this] { settings_.setLogLatency(false); });
  connect(slice_, &QComboBox::currentIndexChanged, this,
          [this](int index) { chart_->setSlice(static_cast<std::size_t>(std::max(0, index))); });
}

void MainWindow::applySettings() {
  const Theme& theme = settings_.dark() ? darkTheme() : lightTheme();
  if (settings_.dark() != darkShown_ || actions_.run->icon().isNull()) {
    darkShown_ = settings_.dark();
    applyTheme(*qApp, theme);
    actions_.run->setIcon(themedIcon(QStringLiteral("run"), theme, theme.onAccent));
    actions_.stop->setIcon(themedIcon(QStringLiteral("stop"), theme));
    actions_.open->setIcon(themedIcon(QStringLiteral("open"), theme));
    actions_.save->setIcon(themedIcon(QStringLiteral("save"), theme));
    actions_.lesson->setIcon(themedIcon(QStringLiteral("lesson"), theme));
    actions_.theme->setIcon(themedIcon(QStringLiteral("theme"), theme));
    actions_.more->menuAction()->setIcon(themedIcon(QStringLiteral("menu"), theme));
    chain_->setTheme(theme);
    chart_->setTheme(theme);
    results_->setTheme(theme);
    insights_->setTheme(theme);
    lesson_->setTheme(theme);
    banner_->setTheme(theme);
  }
  actions_.quick->setChecked(settings_.quick());
  actions_.lesson->setChecked(settings_.showLesson());
  lessonPanel_->setVisible(settings_.showLesson());
  published_->setChecked(settings_.showPublished());
  logarithmic_->setChecked(settings_.logLatency());
  linear_->setChecked(!settings_.logLatency());
  chart_->setLogLatency(settings_.logLatency());
  chart_->setShowPublished(settings_.showPublished());
}

}  // namespace fusebench
