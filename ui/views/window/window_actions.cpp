// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/window_actions.h"

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>

#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "ui/models/setup/presets_model.h"
#include "ui/views/base/dialogs.h"
#include "ui/views/window/shortcuts_dialog.h"
#include "ui/views/window/view_rows.h"

namespace fusebench {
namespace {

using OpenFile = std::function<void(const QString& path)>;

/// A menu for each section of the course: all of them in one would be higher than a small screen.
void fillPresets(QMenu& menu, const OpenFile& open) {
  const PresetsModel presets;
  QMenu* section = nullptr;
  for (int row = 0; row < presets.rowCount(); ++row) {
    const QModelIndex index = presets.index(row);
    const QString title = index.data(PresetsModel::SectionRole).toString();
    if (!section || section->title() != title) {
      section = menu.addMenu(title);
      section->setToolTipsVisible(true);
    }
    QAction* action = section->addAction(index.data().toString());
    action->setToolTip(index.data(PresetsModel::QuestionRole).toString());
    const std::string file =
        "experiments/" + index.data(PresetsModel::NameRole).toString().toStdString() + ".json";
    QObject::connect(action, &QAction::triggered, &menu,
                     [open, file] { open(QString::fromStdString(resourcePath(file))); });
  }
}

void fillRecordings(QMenu& menu, const OpenFile& open) {
  menu.setToolTipsVisible(true);
  for (const Recording& recording : shippedRecordings()) {
    QAction* action = menu.addAction(QString::fromStdString(recording.title));
    action->setToolTip(QString::fromStdString(recording.about));
    QObject::connect(action, &QAction::triggered, &menu,
                     [open, path = QString::fromStdString(recording.path)] { open(path); });
  }
  menu.setEnabled(!menu.isEmpty());
}

void fillRecent(QMenu& menu, const QStringList& files, const OpenFile& open) {
  menu.clear();
  for (const QString& path : files) {
    QAction* action = menu.addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    QObject::connect(action, &QAction::triggered, &menu, [open, path] { open(path); });
  }
  menu.setToolTipsVisible(true);
  menu.setEnabled(!menu.isEmpty());
}

/// An action for each view.
void fillViews(QMenu& menu, QMainWindow& window, const MenuTasks& tasks) {
  for (const ViewRow* row : viewsByRank()) {
    QAction* action = menu.addAction(QLatin1String(row->title));
    if (row->rank <= 10)
      action->setShortcut(QKeySequence(Qt::ALT | Qt::Key(Qt::Key_0 + row->rank % 10)));
    window.addAction(action);
    QObject::connect(action, &QAction::triggered, &window,
                     [show = tasks.showView, key = QLatin1String(row->key)] { show(key); });
  }
}

}  // namespace

WindowActions makeActions(QMainWindow& window) {
  WindowActions actions{};
  const auto make = [&window](const QString& text, const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(text, &window);
    action->setShortcut(keys);
    action->setToolTip(
        keys.isEmpty()
            ? tip
            : QStringLiteral("%1  (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    window.addAction(action);
    return action;
  };
  actions.run = make(QStringLiteral("Run"), QKeySequence(Qt::CTRL | Qt::Key_R),
                     QStringLiteral("Measure the experiment"));
  actions.stop = make(QStringLiteral("Stop"), QKeySequence(Qt::Key_Escape),
                      QStringLiteral("Stop; what was measured is kept"));
  actions.goOn = make(QStringLiteral("Go on"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
                      QStringLiteral("Add samples to the run that was stopped"));
  actions.quick = make(QStringLiteral("Quick"), QKeySequence(Qt::CTRL | Qt::Key_K),
                       QStringLiteral("Run with a tenth of the time: wider intervals"));
  actions.quick->setCheckable(true);
  actions.explore = make(QStringLiteral("Explore"), QKeySequence(Qt::CTRL | Qt::Key_E),
                         QStringLiteral("Measure after every edit, coarsely at first"));
  actions.explore->setCheckable(true);
  actions.newChain =
      make(QStringLiteral("New"), QKeySequence::New, QStringLiteral("Start with an empty chain"));
  actions.open = make(QStringLiteral("Open…"), QKeySequence::Open,
                      QStringLiteral("Open an experiment or a run"));
  actions.save = make(QStringLiteral("Save"), QKeySequence::Save,
                      QStringLiteral("Save the experiment; runs are kept by themselves"));
  actions.saveAs = make(QStringLiteral("Save as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                        QStringLiteral("Save the experiment under another name"));
  actions.saveRun = make(QStringLiteral("Save run as…"), {},
                         QStringLiteral("Write the run shown to a file of its own"));
  actions.exportRun =
      make(QStringLiteral("Export…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
           QStringLiteral("Export the results: report, chart, table, data"));
  actions.undo = make(QStringLiteral("Undo"), QKeySequence::Undo, QStringLiteral("Undo"));
  actions.redo = make(QStringLiteral("Redo"), QKeySequence::Redo, QStringLiteral("Redo"));
  actions.lesson = make(QStringLiteral("Lesson"), QKeySequence(Qt::Key_F1),
                        QStringLiteral("What to look at, what to change, what to expect"));
  actions.theme = make(QStringLiteral("Dark or light"), QKeySequence(Qt::CTRL | Qt::Key_T),
                       QStringLiteral("Switch between dark and light"));
  actions.nextPart =
      make(QStringLiteral("Next part"), QKeySequence(Qt::Key_F6), QStringLiteral("Next part"));
  actions.previousPart = make(QStringLiteral("Previous part"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
                              QStringLiteral("Previous part"));
  actions.focus = make(QStringLiteral("Focus mode"), QKeySequence(Qt::Key_F11),
                       QStringLiteral("Give the middle the whole window, and back"));
  actions.left = make(QStringLiteral("Left column"), QKeySequence(Qt::CTRL | Qt::Key_B),
                      QStringLiteral("Show or hide the chain and its text"));
  actions.right = make(QStringLiteral("Right column"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B),
                       QStringLiteral("Show or hide findings, set-up, runs and lesson"));
  actions.table = make(QStringLiteral("Results table"), QKeySequence(Qt::CTRL | Qt::Key_J),
                       QStringLiteral("Show or hide the table of results"));
  for (QAction* action : {actions.focus, actions.left, actions.right, actions.table})
    action->setCheckable(true);
  actions.python = make(QStringLiteral("Python for PyTorch…"), {},
                        QStringLiteral("Which Python runs PyTorch's variants"));
  return actions;
}

void makeMenu(QMainWindow& window, WindowActions& actions, const MenuTasks& tasks) {
  auto* menu = new QMenu(&window);
  actions.more = menu;
  menu->menuAction()->setText(QStringLiteral("Menu"));
  menu->menuAction()->setToolTip(QStringLiteral("Menu  (F10)"));
  const auto add = [&](const QString& text, const std::function<void()>& task) {
    QAction* action = menu->addAction(text);
    QObject::connect(action, &QAction::triggered, &window, [task] { task(); });
    return action;
  };

  menu->addAction(actions.newChain);
  fillPresets(*menu->addMenu(QStringLiteral("Studies")), tasks.openFile);
  fillRecordings(*menu->addMenu(QStringLiteral("Recorded on a GPU")), tasks.openFile);
  menu->addAction(actions.open);
  QMenu* recent = menu->addMenu(QStringLiteral("Recent files"));
  QObject::connect(menu, &QMenu::aboutToShow, &window,
                   [recent, tasks] { fillRecent(*recent, tasks.recentFiles(), tasks.openFile); });
  menu->addSeparator();
  for (QAction* action : {actions.save, actions.saveAs, actions.saveRun, actions.exportRun})
    menu->addAction(action);
  add(QStringLiteral("Copy results as text"), tasks.copyResults);
  menu->addSeparator();
  for (QAction* action : {actions.undo, actions.redo}) menu->addAction(action);
  menu->addSeparator();
  for (QAction* action : {actions.run, actions.goOn, actions.stop, actions.quick, actions.explore})
    menu->addAction(action);
  menu->addSeparator();
  QMenu* show = menu->addMenu(QStringLiteral("Show"));
  fillViews(*show, window, tasks);
  show->addSeparator();
  for (QAction* action : {actions.focus, actions.left, actions.right, actions.table})
    show->addAction(action);
  show->addSeparator();
  for (QAction* action : {actions.nextPart, actions.previousPart}) show->addAction(action);
  menu->addAction(actions.python);
  QObject::connect(actions.python, &QAction::triggered, &window,
                   [choose = tasks.choosePython] { choose(); });
  menu->addAction(actions.theme);
  menu->addAction(actions.lesson);
  add(QStringLiteral("Keys…"), [&window] { showShortcuts(&window); });
  add(QStringLiteral("About and licence"), [&window] { showAbout(&window); });
  menu->addSeparator();
  QAction* quit = add(QStringLiteral("Quit"), [&window] { window.close(); });
  quit->setShortcut(QKeySequence::Quit);
  window.addAction(quit);
}

void setIcons(const WindowActions& actions, const Theme& theme) {
  const std::pair<QAction*, const char*> kIcons[] = {
      {actions.stop, "stop"},   {actions.newChain, "new"},
      {actions.open, "open"},   {actions.save, "save"},
      {actions.undo, "undo"},   {actions.redo, "redo"},
      {actions.focus, "focus"}, {actions.lesson, "lesson"},
      {actions.theme, "theme"}, {actions.more->menuAction(), "menu"}};
  for (const auto& [action, name] : kIcons) action->setIcon(themedIcon(QLatin1String(name), theme));
  actions.run->setIcon(themedIcon(QStringLiteral("run"), theme, theme.onAccent));
  // Drawn for the button's ground, it could not be read on the menu's.
  for (QAction* action : {actions.run, actions.stop}) action->setIconVisibleInMenu(false);
}

}  // namespace fusebench
