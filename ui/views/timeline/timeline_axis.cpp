// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints its time axis, and what is selected on it.
#include <QPainter>
#include <algorithm>

#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {

void TimelineCanvas::paintAxis(QPainter& painter) {
  const TimeScale view = scale();
  painter.fillRect(QRect(0, 0, viewport()->width(), kAxis), theme_->panel);
  painter.fillRect(QRect(0, kAxis - 1, viewport()->width(), 1), theme_->border);
  painter.setFont(textFont(0.9));
  constexpr double kLeastTick = 84;
  const QRectF badge = selectionBadge().adjusted(-6, -kAxis, 6, kAxis);
  for (const TimeTick& tick : timeTicks(model_.from(), model_.to(), kLeastTick * view.perPixel)) {
    const double x = gutter_ + view.x(tick.time);
    painter.fillRect(QRectF(x, kAxis - 6, 1, 5), theme_->muted);
    painter.setPen(theme_->muted);
    const QRectF place(x + 4, 0, 120, kAxis - 3);
    const int wide = painter.fontMetrics().horizontalAdvance(tick.text);
    // Part of a figure next to the badge would look like another figure.
    const bool hidden = place.left() < badge.right() && x + 6 + wide > badge.left();
    if (x >= gutter_ && x + 6 + wide < viewport()->width() && !hidden)
      painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, tick.text);
  }
}

/// What of the selection is in sight: its left and right edge; equal if nothing is.
std::pair<double, double> TimelineCanvas::selectionEdges() const {
  if (!model_.selection()) return {};
  const TimeScale view = scale();
  const double from = gutter_ + std::max(0.0, view.x(double(model_.selection()->from)));
  const double to = gutter_ + std::min(width(), view.x(double(model_.selection()->to)));
  return to <= gutter_ || from >= viewport()->width() ? std::pair(0.0, 0.0) : std::pair(from, to);
}

/// Area of the selection's length on the axis; empty without a selection.
QRectF TimelineCanvas::selectionBadge() const {
  const auto [from, to] = selectionEdges();
  if (to <= from) return {};
  const QString length = exactTime(model_.selection()->length());
  const double needed = QFontMetrics(textFont(0.9)).horizontalAdvance(length) + 12;
  const double most = std::max(double(gutter_) + 1, viewport()->width() - needed);
  return {std::clamp((from + to - needed) / 2, double(gutter_) + 1, most), 4, needed, kAxis - 8};
}

void TimelineCanvas::paintSelection(QPainter& painter) {
  const auto [from, to] = selectionEdges();
  if (to <= from) return;
  QColor wash = theme_->accent;
  wash.setAlpha(38);
  painter.fillRect(QRectF(from, 0, to - from, viewport()->height()), wash);
  for (const double x : {from, to - 1})
    painter.fillRect(QRectF(x, 0, 1, viewport()->height()), theme_->accent);
  const QRectF badge = selectionBadge();
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->accent);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.drawRoundedRect(badge, 3, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme_->onAccent);
  painter.drawText(badge, Qt::AlignCenter, exactTime(model_.selection()->length()));
}

}  // namespace fusebench
