// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/window_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <string>

#include "engine/base/saying.h"
#include "profiler/files/resources.h"
#include "profiler/run/recordings.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
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
    QAction* action = menu.addAction(text(said(recording.title)));
    action->setToolTip(text(said(recording.about)));
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
    QAction* action = menu.addAction(uiText(row->title));
    if (row->rank <= 10)
      action->setShortcut(QKeySequence(Qt::ALT | Qt::Key(Qt::Key_0 + row->rank % 10)));
    window.addAction(action);
    QObject::connect(action, &QAction::triggered, &window,
                     [show = tasks.showView, key = QLatin1String(row->key)] { show(key); });
  }
}

/// Each in its own language: it is looked for by people who read no other.
void fillLanguages(QMenu& menu, const MenuTasks& tasks) {
  auto* group = new QActionGroup(&menu);
  const std::pair<QString, QString> choices[] = {
      {{}, uiText("The system's")},
      {QStringLiteral("en"), QStringLiteral("English")},
      {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
  for (const auto& [language, name] : choices) {
    QAction* action = group->addAction(name);
    action->setCheckable(true);
    action->setChecked(tasks.language && tasks.language() == language);
    menu.addAction(action);
    QObject::connect(action, &QAction::triggered, &menu,
                     [choose = tasks.chooseLanguage, chosen = language] { choose(chosen); });
  }
}

constexpr const char* kUsualTip = "usualTip";

}  // namespace

void explain(QAction& action, const QString& whyNot) {
  action.setToolTip(whyNot.isEmpty() ? action.property(kUsualTip).toString() : whyNot);
}

WindowActions makeActions(QMainWindow& window) {
  WindowActions actions{};
  const auto make = [&window](const QString& text, const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(text, &window);
    action->setShortcut(keys);
    action->setToolTip(
        keys.isEmpty()
            ? tip
            : QStringLiteral("%1  (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
    action->setProperty(kUsualTip, action->toolTip());
    window.addAction(action);
    return action;
  };
  actions.run =
      make(uiText("Run"), QKeySequence(Qt::CTRL | Qt::Key_R), uiText("Measure the experiment"));
  actions.stop =
      make(uiText("Stop"), QKeySequence(Qt::Key_Escape), uiText("Stop; what was measured is kept"));
  actions.goOn = make(uiText("Resume"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
                      uiText("Add samples to the stopped run"));
  actions.quick = make(uiText("Quick"), QKeySequence(Qt::CTRL | Qt::Key_K),
                       uiText("Run with a tenth of the time: wider intervals"));
  actions.quick->setCheckable(true);
  actions.explore = make(uiText("Explore"), QKeySequence(Qt::CTRL | Qt::Key_E),
                         uiText("Measure after every edit, coarsely at first"));
  actions.explore->setCheckable(true);
  actions.newChain = make(uiText("New"), QKeySequence::New, uiText("Start with an empty chain"));
  actions.open = make(uiText("Open…"), QKeySequence::Open, uiText("Open an experiment or a run"));
  actions.save = make(uiText("Save"), QKeySequence::Save,
                      uiText("Save the experiment; runs are saved automatically"));
  actions.saveAs = make(uiText("Save as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                        uiText("Save the experiment under another name"));
  actions.saveRun =
      make(uiText("Save run as…"), {}, uiText("Write the run shown to a file of its own"));
  actions.share = make(uiText("Share as one file…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
                       uiText("Write experiment, run, notes and view to one .fusebench file"));
  actions.exportRun = make(uiText("Export…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                           uiText("Export the results: report, chart, table, data"));
  actions.undo = make(uiText("Undo"), QKeySequence::Undo, uiText("Undo"));
  actions.redo = make(uiText("Redo"), QKeySequence::Redo, uiText("Redo"));
  actions.redo->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y});
  actions.lesson =
      make(uiText("Guide"), QKeySequence(Qt::Key_F1),
           uiText("For the open experiment: what to look at, what to change, what to expect"));
  actions.theme = make(uiText("Dark or light"), QKeySequence(Qt::CTRL | Qt::Key_T),
                       uiText("Switch between dark and light"));
  actions.nextPart = make(uiText("Next part"), QKeySequence(Qt::Key_F6), uiText("Next part"));
  actions.previousPart =
      make(uiText("Previous part"), QKeySequence(Qt::SHIFT | Qt::Key_F6), uiText("Previous part"));
  actions.focus = make(uiText("Focus mode"), QKeySequence(Qt::SHIFT | Qt::Key_F11),
                       uiText("Show the middle in the whole window, and back"));
  actions.fullScreen = make(uiText("Full screen"), QKeySequence(Qt::Key_F11),
                            uiText("Show the window in full screen, and back"));
  actions.fullScreen->setCheckable(true);
  actions.splitRight = make(uiText("Split right"), QKeySequence(Qt::Key_F7),
                            uiText("Show the current view right of the others"));
  actions.splitBelow = make(uiText("Split below"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
                            uiText("Show the current view below the others"));
  actions.otherGroup = make(uiText("Move to the other group"), QKeySequence(Qt::Key_F8),
                            uiText("Move the current view to the other group of tabs"));
  actions.allHome = make(uiText("Reset all views"), QKeySequence(Qt::SHIFT | Qt::Key_F8),
                         uiText("Undo all splits, and close separate view windows"));
  actions.ownWindow = make(uiText("Own window"), QKeySequence(Qt::Key_F9),
                           uiText("Give the current view a window of its own, or return it"));
  actions.left = make(uiText("Left column"), QKeySequence(Qt::CTRL | Qt::Key_B),
                      uiText("Show or hide the chain and its text"));
  actions.right = make(uiText("Right column"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B),
                       uiText("Show or hide findings, setup, runs, guide and course"));
  actions.table = make(uiText("Results table"), QKeySequence(Qt::CTRL | Qt::Key_J),
                       uiText("Show or hide the table of results"));
  for (QAction* action : {actions.focus, actions.left, actions.right, actions.table})
    action->setCheckable(true);
  actions.python =
      make(uiText("Python for PyTorch…"), {}, uiText("The Python that runs PyTorch's variants"));
  actions.device = make(uiText("Device"), {}, {});
  actions.findCommand =
      make(uiText("Find a command…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
           uiText("Find an action, an operator, a view, a study, a lesson or a file by its name"));
  return actions;
}

void makeMenu(QMainWindow& window, WindowActions& actions, const MenuTasks& tasks) {
  auto* menu = new QMenu(&window);
  actions.more = menu;
  menu->menuAction()->setText(uiText("Menu"));
  menu->menuAction()->setToolTip(uiText("Menu") + QStringLiteral("  (F10)"));
  const auto add = [&](const QString& text, const std::function<void()>& task) {
    QAction* action = menu->addAction(text);
    QObject::connect(action, &QAction::triggered, &window, [task] { task(); });
    return action;
  };

  menu->addAction(actions.newChain);
  fillPresets(*menu->addMenu(uiText("Studies")), tasks.openFile);
  fillRecordings(*menu->addMenu(uiText("Recorded on a GPU")), tasks.openFile);
  menu->addAction(actions.open);
  add(uiText("Capture a model…"), tasks.captureModel)
      ->setToolTip(uiText("Make an experiment of your own PyTorch model"));
  QMenu* recent = menu->addMenu(uiText("Recent files"));
  QObject::connect(menu, &QMenu::aboutToShow, &window,
                   [recent, tasks] { fillRecent(*recent, tasks.recentFiles(), tasks.openFile); });
  menu->addSeparator();
  for (QAction* action :
       {actions.save, actions.saveAs, actions.saveRun, actions.share, actions.exportRun})
    menu->addAction(action);
  add(uiText("Copy results as text"), tasks.copyResults);
  menu->addSeparator();
  for (QAction* action : {actions.undo, actions.redo}) menu->addAction(action);
  menu->addSeparator();
  for (QAction* action : {actions.run, actions.goOn, actions.stop, actions.quick, actions.explore})
    menu->addAction(action);
  menu->addSeparator();
  QMenu* show = menu->addMenu(uiText("Show"));
  fillViews(*show, window, tasks);
  show->addSeparator();
  for (QAction* action :
       {actions.fullScreen, actions.focus, actions.left, actions.right, actions.table})
    show->addAction(action);
  show->addSeparator();
  for (QAction* action : {actions.splitRight, actions.splitBelow, actions.otherGroup,
                          actions.ownWindow, actions.allHome})
    show->addAction(action);
  show->addSeparator();
  for (QAction* action : {actions.nextPart, actions.previousPart}) show->addAction(action);
  menu->addAction(actions.python);
  QObject::connect(actions.python, &QAction::triggered, &window,
                   [choose = tasks.choosePython] { choose(); });
  menu->addAction(actions.theme);
  fillLanguages(*menu->addMenu(uiText("Language")), tasks);
  menu->addAction(actions.lesson);
  menu->addAction(actions.findCommand);
  add(uiText("Keys…"), [&window] { showShortcuts(&window); });
  add(uiText("About and license"), [&window] { showAbout(&window); });
  menu->addSeparator();
  QAction* quit = add(uiText("Quit"), [&window] { window.close(); });
  quit->setShortcut(Qt::CTRL | Qt::Key_Q);  // as the list of keys says, on every desktop
  window.addAction(quit);
}

void setIcons(const WindowActions& actions, const Theme& theme) {
  const std::pair<QAction*, const char*> kIcons[] = {
      {actions.stop, "stop"},   {actions.newChain, "new"},
      {actions.open, "open"},   {actions.save, "save"},
      {actions.undo, "undo"},   {actions.redo, "redo"},
      {actions.focus, "focus"}, {actions.lesson, "lesson"},
      {actions.theme, "theme"}, {actions.more->menuAction(), "menu"},
      {actions.left, "left"},   {actions.right, "right"},
      {actions.table, "table"}};
  for (const auto& [action, name] : kIcons) action->setIcon(themedIcon(QLatin1String(name), theme));
  actions.run->setIcon(themedIcon(QStringLiteral("run"), theme, theme.onAccent));
  // Drawn for the button's ground, it could not be read on the menu's.
  for (QAction* action : {actions.run, actions.stop}) action->setIconVisibleInMenu(false);
  // A picture would take the place of the mark that says whether it is shown.
  for (QAction* action : {actions.left, actions.right, actions.table})
    action->setIconVisibleInMenu(false);
}

}  // namespace fusebench
