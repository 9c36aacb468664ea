// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/base/tab_drag.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTabBar>
#include <utility>

namespace fusebench {

TabDrag::TabDrag(QTabBar& tabs) : QObject(&tabs), tabs_(tabs) {
  tabs_.installEventFilter(this);
}

void TabDrag::end() {
  tab_ = -1;
  if (!std::exchange(dragging_, false)) return;
  tabs_.unsetCursor();
}

/// Whether this movement belongs to a drag.
bool TabDrag::follow(QPoint place) {
  if (tab_ < 0) return false;
  if (!dragging_) {
    if ((place - pressed_).manhattanLength() < QApplication::startDragDistance()) return false;
    dragging_ = true;
    tabs_.setCursor(Qt::ClosedHandCursor);
  }
  emit moved(tab_, place);
  return true;
}

bool TabDrag::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (dragging_) return true;  // another button
      tab_ = mouse->button() == Qt::LeftButton ? tabs_.tabAt(mouse->pos()) : -1;
      pressed_ = mouse->globalPosition().toPoint();
      break;
    }
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (!(mouse->buttons() & Qt::LeftButton)) break;
      if (follow(mouse->globalPosition().toPoint())) return true;
      break;
    }
    case QEvent::MouseButtonRelease: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      const int tab = tab_;
      const bool dragged = dragging_;
      end();
      if (!dragged) break;
      // The bar hears of the release before its tab leaves it.
      const QPoint place = mouse->globalPosition().toPoint();
      QMetaObject::invokeMethod(
          this, [this, tab, place] { emit dropped(tab, place); }, Qt::QueuedConnection);
      break;
    }
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
      if (!dragging_ || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) break;
      event->accept();
      if (event->type() == QEvent::ShortcutOverride) return true;
      end();
      emit canceled();
      return true;
    case QEvent::Hide:
      if (dragging_) emit canceled();
      end();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_tab_drag.cpp"
