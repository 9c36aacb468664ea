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

/// The row of main controls. Where it has no room for their words, those with a picture do without,
/// and undoing and the theme are in the menu alone.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const WindowActions& actions, QWidget* parent = nullptr);
  /// Buttons for the columns at both sides, and for the table, where a window that is too narrow or
  /// too low shows them in turn.
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
