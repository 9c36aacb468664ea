// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that makes its actions and its menu.
#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QMenu>

#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "profiler/study/torch_worker.h"
#include "ui/models/setup/presets_model.h"
#include "ui/views/runs/results_view.h"
#include "ui/views/setup/python_dialog.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/shortcuts_dialog.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

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
                      QStringLiteral("Measure the experiment"));
  actions_.stop = make(QStringLiteral("Stop"), QKeySequence(Qt::Key_Escape),
                       QStringLiteral("Stop; what was measured is kept"));
  actions_.goOn = make(QStringLiteral("Go on"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
                       QStringLiteral("Add samples to the run that was stopped"));
  actions_.quick = make(QStringLiteral("Quick"), {},
                        QStringLiteral("Run with a tenth of the time: wider intervals"));
  actions_.quick->setCheckable(true);
  actions_.explore = make(QStringLiteral("Explore"), QKeySequence(Qt::CTRL | Qt::Key_E),
                          QStringLiteral("Measure after every edit, coarsely at first"));
  actions_.explore->setCheckable(true);
  actions_.newChain =
      make(QStringLiteral("New"), QKeySequence::New, QStringLiteral("Start with an empty chain"));
  actions_.open = make(QStringLiteral("Open…"), QKeySequence::Open,
                       QStringLiteral("Open an experiment or a run"));
  actions_.save = make(QStringLiteral("Save"), QKeySequence::Save,
                       QStringLiteral("Save the experiment; runs are kept by themselves"));
  actions_.saveAs = make(QStringLiteral("Save as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                         QStringLiteral("Save the experiment under another name"));
  actions_.saveRun = make(QStringLiteral("Save run as…"), {},
                          QStringLiteral("Write the run shown to a file of its own"));
  actions_.exportRun =
      make(QStringLiteral("Export…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
           QStringLiteral("Take the results along: report, chart, table, data"));
  actions_.undo = make(QStringLiteral("Undo"), QKeySequence::Undo, QStringLiteral("Undo"));
  actions_.redo = make(QStringLiteral("Redo"), QKeySequence::Redo, QStringLiteral("Redo"));
  actions_.lesson = make(QStringLiteral("Lesson"), QKeySequence(Qt::Key_F1),
                         QStringLiteral("What to look at, what to change, what to expect"));
  actions_.theme = make(QStringLiteral("Dark or light"), QKeySequence(Qt::CTRL | Qt::Key_T),
                        QStringLiteral("Switch between dark and light"));
  actions_.nextPart =
      make(QStringLiteral("Next part"), QKeySequence(Qt::Key_F6), QStringLiteral("Next part"));
  actions_.previousPart =
      make(QStringLiteral("Previous part"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
           QStringLiteral("Previous part"));
  connect(actions_.run, &QAction::triggered, this, &MainWindow::run);
  connect(actions_.stop, &QAction::triggered, this, [this] {
    controller_.stop();
    explore_.stop();
  });
  connect(actions_.goOn, &QAction::triggered, this, &MainWindow::goOn);
  connect(actions_.quick, &QAction::triggered, &settings_, &Settings::setQuick);
  connect(actions_.explore, &QAction::triggered, &settings_, &Settings::setExplore);
  connect(actions_.newChain, &QAction::triggered, this, &MainWindow::newChain);
  connect(actions_.open, &QAction::triggered, this, &MainWindow::open);
  connect(actions_.save, &QAction::triggered, this, &MainWindow::save);
  connect(actions_.saveAs, &QAction::triggered, this, &MainWindow::saveAs);
  connect(actions_.saveRun, &QAction::triggered, this, &MainWindow::saveRunAs);
  connect(actions_.exportRun, &QAction::triggered, this, &MainWindow::exportRun);
  connect(actions_.undo, &QAction::triggered, &document_, &DocumentModel::undo);
  connect(actions_.redo, &QAction::triggered, &document_, &DocumentModel::redo);
  connect(actions_.lesson, &QAction::triggered, this,
          [this] { workbench_->showView(QStringLiteral("lesson"), true); });
  connect(actions_.theme, &QAction::triggered, this,
          [this] { settings_.setDark(!settings_.dark()); });
  connect(actions_.nextPart, &QAction::triggered, this, [this] { workbench_->nextPart(false); });
  connect(actions_.previousPart, &QAction::triggered, this, [this] { workbench_->nextPart(true); });
}

void MainWindow::buildMenu() {
  auto* menu = new QMenu(this);
  actions_.more = menu;
  menu->menuAction()->setText(QStringLiteral("Menu"));
  menu->menuAction()->setToolTip(QStringLiteral("Menu  (F10)"));

  menu->addAction(actions_.newChain);
  QMenu* presets = menu->addMenu(QStringLiteral("Studies"));
  fillPresets(*presets);
  fillRecordings(*menu->addMenu(QStringLiteral("Recorded on a GPU")));
  menu->addAction(actions_.open);
  QMenu* recent = menu->addMenu(QStringLiteral("Recent files"));
  connect(menu, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
  menu->addSeparator();
  for (QAction* action : {actions_.save, actions_.saveAs, actions_.saveRun, actions_.exportRun})
    menu->addAction(action);
  connect(menu->addAction(QStringLiteral("Copy results as text")), &QAction::triggered, this,
          [this] { workbench_->results().copyAll(); });
  menu->addSeparator();
  for (QAction* action : {actions_.undo, actions_.redo}) menu->addAction(action);
  menu->addSeparator();
  for (QAction* action : {actions_.run, actions_.goOn, actions_.stop, actions_.explore})
    menu->addAction(action);
  menu->addSeparator();
  QMenu* show = menu->addMenu(QStringLiteral("Show"));
  const std::pair<const char*, const char*> kViews[] = {
      {"canvas", "Operator chain"}, {"code", "PyTorch text"},  {"palette", "Operators"},
      {"chart", "Chart"},           {"map", "Break-even map"}, {"generated", "Generated code"},
      {"compare", "Compare"},       {"results", "Table"},      {"findings", "Findings"},
      {"setup", "Set-up"},          {"runs", "Runs"},          {"lesson", "Lesson"},
      {"anatomy", "Anatomy"},       {"timeline", "Timeline"}};
  int number = 0;
  for (const auto& [key, title] : kViews) {
    QAction* action = show->addAction(QLatin1String(title));
    // Alt+1 to Alt+9, then Alt+0; the lesson has F1.
    if (++number <= 10)
      action->setShortcut(QKeySequence(Qt::ALT | Qt::Key(Qt::Key_0 + number % 10)));
    addAction(action);
    connect(action, &QAction::triggered, this,
            [this, key = QLatin1String(key)] { workbench_->showView(key, true); });
  }
  show->addSeparator();
  for (QAction* action : {actions_.nextPart, actions_.previousPart}) show->addAction(action);
  connect(menu->addAction(QStringLiteral("Python for PyTorch…")), &QAction::triggered, this,
          &MainWindow::choosePython);
  menu->addAction(actions_.theme);
  menu->addAction(actions_.lesson);
  connect(menu->addAction(QStringLiteral("Keys…")), &QAction::triggered, this,
          [this] { showShortcuts(this); });
  connect(menu->addAction(QStringLiteral("About and licence")), &QAction::triggered, this,
          [this] { showAbout(this); });
  menu->addSeparator();
  QAction* quit = menu->addAction(QStringLiteral("Quit"));
  quit->setShortcut(QKeySequence::Quit);
  addAction(quit);
  connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::choosePython() {
  auto* dialog = new PythonDialog(settings_, checkTorch, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::fillPresets(QMenu& menu) {
  menu.setToolTipsVisible(true);
  const PresetsModel presets;
  for (int row = 0; row < presets.rowCount(); ++row) {
    const QModelIndex index = presets.index(row);
    QAction* action = menu.addAction(index.data().toString());
    action->setToolTip(index.data(PresetsModel::QuestionRole).toString());
    const std::string file =
        "experiments/" + index.data(PresetsModel::NameRole).toString().toStdString() + ".json";
    connect(action, &QAction::triggered, this,
            [this, file] { openFile(QString::fromStdString(resourcePath(file))); });
  }
}

void MainWindow::fillRecordings(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (const Recording& recording : shippedRecordings()) {
    QAction* action = menu.addAction(QString::fromStdString(recording.title));
    action->setToolTip(QString::fromStdString(recording.about));
    connect(action, &QAction::triggered, this,
            [this, path = QString::fromStdString(recording.path)] { openFile(path); });
  }
  menu.setEnabled(!menu.isEmpty());
}

void MainWindow::fillRecent(QMenu& menu) {
  menu.clear();
  for (const QString& path : settings_.recentFiles()) {
    QAction* action = menu.addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
  }
  menu.setToolTipsVisible(true);
  menu.setEnabled(!menu.isEmpty());
}

}  // namespace fusebench
