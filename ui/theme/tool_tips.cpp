// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/tool_tips.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QLabel>
#include <QScreen>
#include <algorithm>

namespace fusebench {
namespace {

constexpr int kWidestTip = 420;

class TipWrapper : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const bool laidOut = event->type() == QEvent::Show || event->type() == QEvent::Resize;
    if (laidOut && watched->inherits("QTipLabel")) wrap(*static_cast<QLabel*>(watched));
    return false;
  }

 private:
  static void wrap(QLabel& tip) {
    // Qt wraps what is wider than the screen, but no narrower than that.
    if (Qt::mightBeRichText(tip.text()) || tip.width() <= kWidestTip) return;
    tip.setWordWrap(true);
    tip.resize(kWidestTip, tip.heightForWidth(kWidestTip));
    // Qt placed it for its former width.
    constexpr QPoint kFromCursor(2, 21);
    const QPoint cursor = QCursor::pos();
    const QScreen* screen = QGuiApplication::screenAt(cursor);
    if (!screen) screen = QGuiApplication::primaryScreen();
    const QRect room = screen->availableGeometry();
    QPoint place = cursor + kFromCursor;
    if (place.y() + tip.height() > room.bottom()) place.setY(cursor.y() - tip.height() - 4);
    place.setX(
        std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - tip.width())));
    tip.move(place);
  }
};

}  // namespace

void wrapToolTips(QApplication& application) {
  static const QString kName = QStringLiteral("tipWrapper");
  if (application.findChild<QObject*>(kName)) return;
  auto* wrapper = new TipWrapper(&application);
  wrapper->setObjectName(kName);
  application.installEventFilter(wrapper);
}

}  // namespace fusebench
