// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_beside.h"

#include <algorithm>
#include <vector>

#include "ui/export/figures/figure_heading.h"

namespace fusebench {
namespace {

constexpr double kFirstShare = 1 / 1.68;  ///< fraction of the width, as in the window
constexpr double kNarrowestEms = 48;      ///< narrower figures place one panel below the other
constexpr double kLowestEms = 18;         ///< height of each panel then

void moveBy(FigureItem& item, const QPointF& by) {
  item.rect.translate(by);
  item.at += by;
  for (QPolygonF& shape : item.shapes) shape.translate(by);
}

}  // namespace

bool panelsAcross(const FigureStyle& style) {
  return style.size.width() >= kNarrowestEms * style.em;
}

double secondPanelWidth(const FigureStyle& style) {
  return style.size.width() * (panelsAcross(style) ? 1 - kFirstShare : 1);
}

Figure besideEachOther(const FigurePanel& first, const FigurePanel& second,
                       const QString& secondGroup, const FigureStyle& style) {
  Figure whole;
  const bool across = panelsAcross(style);
  whole.size = style.size;
  if (!across)
    whole.size.setHeight(std::max(
        style.size.height(), captionHeight(style, style.size.width()) +
                                 (2 * kLowestEms + (style.title.isEmpty() ? 0 : 4)) * style.em));
  const double top = drawTitle(whole, style) - (style.title.isEmpty() ? 0.9 * style.em : 0);
  const double bottom = drawCaption(whole, style) + (style.caption.isEmpty() ? 0.9 * style.em : 0);
  const QSizeF room(whole.size.width(), bottom - top);
  FigureStyle inner = style;
  inner.title.clear();
  inner.caption.clear();
  inner.size = across ? QSizeF(room.width() * kFirstShare, room.height())
                      : QSizeF(room.width(), room.height() / 2);
  Figure made = first(inner);
  const QPointF next =
      across ? QPointF(inner.size.width(), top) : QPointF(0, top + inner.size.height());
  if (across) inner.size.setWidth(room.width() - inner.size.width());
  Figure other = second(inner);

  for (FigureItem& item : made.items) moveBy(item, {0, top});
  for (FigureItem& item : other.items) {
    moveBy(item, next);
    item.group = secondGroup + u'-' + item.group;
    item.clipped = false;
  }
  made.plot.translate(0, top);
  for (FigureReading& reading : made.readings)
    for (double& height : reading.heights) height += top;
  std::vector<FigureItem> heading = std::move(whole.items);
  heading.insert(heading.end(), made.items.begin(), made.items.end());
  heading.insert(heading.end(), other.items.begin(), other.items.end());
  made.items = std::move(heading);
  made.size = whole.size;
  if (!style.title.isEmpty()) made.title = style.title;
  made.description += u' ' + other.description;
  return made;
}

}  // namespace fusebench
