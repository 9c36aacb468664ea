// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>

class QTabBar;

namespace fusebench {

/// Lets the tabs of a bar be dragged with the left button. The bar itself does not move them: the
/// listener decides where a tab goes.
class TabDrag : public QObject {
  Q_OBJECT

 public:
  explicit TabDrag(QTabBar& tabs);

 signals:
  /// The tab that was pressed is being dragged; `place` is on the screen.
  void moved(int tab, QPoint place);
  void dropped(int tab, QPoint place);
  /// Escape, or the bar is gone.
  void canceled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool follow(QPoint place);
  void end();

  QTabBar& tabs_;
  int tab_ = -1;  ///< that is pressed; -1: none
  QPoint pressed_;
  bool dragging_ = false;
};

}  // namespace fusebench
