// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAction;
class QMenu;

namespace fusebench {

/// What the bar's buttons do; owned by the window.
struct WindowActions {
  QAction* run;
  QAction* stop;
  QAction* quick;
  QAction* open;
  QAction* save;
  QAction* lesson;
  QAction* theme;
  QMenu* more;
};

/// The row of main controls.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const WindowActions& actions, QWidget* parent = nullptr);
};

}  // namespace fusebench
