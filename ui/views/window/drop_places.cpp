// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/drop_places.h"

#include <QGraphicsOpacityEffect>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr double kDropEdge =
    2.0 / 3;  ///< part of the results' width and height where an edge begins
constexpr double kHintOpacity = 0.85;

}  // namespace

QString TabDrop::words() const {
  switch (to) {
    case To::nothing:
      return {};
    case To::right:
      return uiText("Split right");
    case To::below:
      return uiText("Split below");
    case To::otherGroup:
      return uiText("Move to the other group");
    case To::home:
      return uiText("Move back to the main window");
    case To::window:
      return uiText("Own window");
  }
  return {};
}

TabDrop dropAt(const DropPlaces& places, QPoint at) {
  using To = TabDrop::To;
  if (!places.window.contains(at)) return {places.inWindow ? To::nothing : To::window, {}};
  if (places.second.contains(at))
    return places.inSecond ? TabDrop() : TabDrop{To::otherGroup, places.second};
  if (places.room.contains(at)) {
    const QRect& room = places.room;
    const bool right = !places.narrow && at.x() > room.left() + kDropEdge * room.width();
    const bool below = at.y() > room.top() + kDropEdge * room.height();
    if (right || (!below && !places.homeIsRoom && !places.narrow))
      return {To::right, room.adjusted(room.width() / 2, 0, 0, 0)};
    if (below) return {To::below, room.adjusted(0, room.height() / 2, 0, 0)};
    if (!places.homeIsRoom) return {};
    return places.away ? TabDrop{To::home, places.home} : TabDrop();
  }
  return places.away && places.home.contains(at) ? TabDrop{To::home, places.home} : TabDrop();
}

DropHint::DropHint(QWidget& workbench) : QLabel(&workbench) {
  setObjectName(QStringLiteral("dropHint"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAlignment(Qt::AlignCenter);
  setTextFormat(Qt::PlainText);
  styleBy(*this,
          withRoles("#dropHint { background: @raised@; color: @text@; "
                    "border: 2px dashed @accent@; border-radius: 6px; padding: 6px 12px; }"));
  // The views below stay visible.
  auto* seeThrough = new QGraphicsOpacityEffect(this);
  seeThrough->setOpacity(kHintOpacity);
  setGraphicsEffect(seeThrough);
  hide();
}

void DropHint::show(const TabDrop& drop, QPoint at) {
  if (drop.to == TabDrop::To::nothing) return hide();
  setText(drop.words());
  if (drop.place.isEmpty()) {
    // Outside of the window: its words are at the nearest edge.
    adjustSize();
    const QRect room = parentWidget()->rect();
    move(std::clamp(at.x() - width() / 2, 0, std::max(0, room.width() - width())),
         std::clamp(at.y() - height() / 2, 0, std::max(0, room.height() - height())));
  } else {
    setGeometry(drop.place.adjusted(4, 4, -4, -4));
  }
  raise();
  QLabel::show();
}

}  // namespace fusebench

#include "moc_drop_places.cpp"
