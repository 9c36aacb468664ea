// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/theme/theme.h"
#include "ui/views/window/top_bar.h"

class QMainWindow;

namespace fusebench {

/// Functions that the menu calls in addition to the window's actions.
struct MenuTasks {
  std::function<void(const QString& path)> openFile;
  std::function<QStringList()> recentFiles;
  std::function<void(const QString& key)> showView;
  std::function<void()> copyResults, choosePython, captureModel;
  /// As in Settings: empty means the system's language.
  std::function<QString()> language;
  std::function<void(const QString& language)> chooseLanguage;
};

/// The actions with their keys, owned by the window; nothing happens yet when one is triggered.
WindowActions makeActions(QMainWindow& window);
/// The tooltip of an action: why it is not available now; otherwise what it does.
void explain(QAction& action, const QString& whyNot);
/// The menu of them, of the views, of what can be opened. It becomes `actions.more`.
void makeMenu(QMainWindow& window, WindowActions& actions, const MenuTasks& tasks);
void setIcons(const WindowActions& actions, const Theme& theme);

}  // namespace fusebench
