// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAction;
class QMenu;

namespace fusebench {

/// What the bar's buttons and the menu do; owned by the window.
struct WindowActions {
  QAction *run, *stop, *goOn, *quick, *explore;
  QAction *newChain, *open, *save, *saveAs, *saveRun, *exportRun;
  QAction *undo, *redo;
  QAction *lesson, *theme, *nextPart, *previousPart;
  QAction *focus, *left, *right, *table;  ///< the middle alone; what is shown beside it
  QAction* python;                        ///< chooses the one for PyTorch
  QMenu* more;
};

/// The row of main controls.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const WindowActions& actions, QWidget* parent = nullptr);
};

}  // namespace fusebench
