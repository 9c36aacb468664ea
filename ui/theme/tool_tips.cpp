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
constexpr int kFromEdge = 4;  ///< least distance from the screen's edge

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
    // If the cursor is not on a screen, as in a window larger than its screen, the tip stays.
    QPoint place = screen ? cursor + kFromCursor : tip.pos();
    if (!screen) screen = tip.screen();
    const QRect room =
        screen->availableGeometry().adjusted(kFromEdge, kFromEdge, -kFromEdge, -kFromEdge);
    if (place.y() + tip.height() > room.bottom()) place.setY(cursor.y() - tip.height() - 4);
    const auto within = [](int at, int first, int last) {
      return std::clamp(at, first, std::max(first, last));
    };
    tip.move(within(place.x(), room.left(), room.right() - tip.width()),
             within(place.y(), room.top(), room.bottom() - tip.height()));
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
