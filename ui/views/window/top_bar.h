// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

class QAction;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace fusebench {

/// Actions of the bar's buttons and of the menu; owned by the window.
struct WindowActions {
  QAction *run, *stop, *goOn, *quick, *explore;
  QAction *newChain, *open, *save, *saveAs, *saveRun, *share, *exportRun;
  QAction *undo, *redo;
  QAction *lesson, *theme, *nextPart, *previousPart;
  QAction *focus, *left, *right, *table;  ///< the middle alone; regions around it
  QAction *splitRight, *splitBelow, *otherGroup, *ownWindow, *allHome;  ///< where views are
  QAction* fullScreen;
  QAction* python;  ///< chooses the one for PyTorch
  QAction* findCommand;
  QAction* device;  ///< shows on what Run measures
  QMenu* more;
};

/// The row of main controls. If there is not enough room for their text, controls with an icon show
/// only the icon, and undo and the theme are only in the menu.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const WindowActions& actions, QWidget* parent = nullptr);
  /// Buttons for the columns at both sides, and for the table, if the window is too small to show
  /// all of them at a time.
  void offer(bool columns, bool table);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QHBoxLayout* bar_;
  std::vector<QToolButton*> worded_;  ///< with an icon next to their text
  std::vector<QWidget*> spared_;      ///< hidden in the narrowest window; the menu has them
  QToolButton *run_, *left_, *right_, *table_;
};

}  // namespace fusebench
