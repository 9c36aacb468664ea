// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that carries settings out.
#include <QAction>
#include <QApplication>
#include <QMenu>

#include "ui/views/base/banner.h"
#include "ui/views/chart/chart_choices.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/window/main_window.h"
#include "ui/views/window/workbench.h"

namespace fusebench {

void MainWindow::applySettings() {
  if (settings_.dark() != darkShown_) {
    darkShown_ = settings_.dark();
    applyTheme(*qApp, shownTheme());
    themeViews();
  }
  if (settings_.python() != python_) useOptions();
  devices_.choose(settings_.device());
  actions_.quick->setChecked(settings_.quick());
  workbench_->chart().setQuick(settings_.quick());
  actions_.explore->setChecked(settings_.explore());
  explore_.setEnabled(settings_.explore());
  workbench_->chart().setLogLatency(settings_.logLatency());
  workbench_->chart().setShowPublished(settings_.showPublished());
  workbench_->chartChoices().setShowPublished(settings_.showPublished());
}

const Theme& MainWindow::shownTheme() const {
  return darkShown_ ? darkTheme() : lightTheme();
}

void MainWindow::themeViews() {
  applyIcons(shownTheme());
  workbench_->setTheme(shownTheme());
  banner_->setTheme(shownTheme());
}

void MainWindow::applyIcons(const Theme& theme) {
  const std::pair<QAction*, const char*> kIcons[] = {{actions_.stop, "stop"},
                                                     {actions_.newChain, "new"},
                                                     {actions_.open, "open"},
                                                     {actions_.save, "save"},
                                                     {actions_.undo, "undo"},
                                                     {actions_.redo, "redo"},
                                                     {actions_.lesson, "lesson"},
                                                     {actions_.theme, "theme"},
                                                     {actions_.more->menuAction(), "menu"}};
  for (const auto& [action, name] : kIcons) action->setIcon(themedIcon(QLatin1String(name), theme));
  actions_.run->setIcon(themedIcon(QStringLiteral("run"), theme, theme.onAccent));
  // Drawn for the button's ground, it could not be read on the menu's.
  for (QAction* action : {actions_.run, actions_.stop}) action->setIconVisibleInMenu(false);
}

}  // namespace fusebench
