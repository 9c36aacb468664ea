// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints counters.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/look/span_colors.h"
#include "ui/models/timeline/counter_picture.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {

std::vector<TimelineCanvas::CounterBand> TimelineCanvas::counterBands() const {
  std::vector<CounterBand> shown = counterBands_;
  for (CounterBand& band : shown) band.y += top() - verticalScrollBar()->value();
  return shown;
}

const CounterTrack* TimelineCanvas::counterAt(const QPoint& at) const {
  if (at.y() < top()) return nullptr;
  for (const CounterBand& band : counterBands())
    if (at.y() >= band.y && at.y() < band.y + band.height)
      return &model_.shown()[band.trace].trace->counters()[band.counter];
  return nullptr;
}

/// The name and the greatest value on the left, the values as an area down to 0.
void TimelineCanvas::paintCounters(QPainter& painter) {
  const TimeScale view = scale();
  for (const CounterBand& band : counterBands()) {
    if (band.y + band.height < top() || band.y > viewport()->height()) continue;
    const CounterTrack& counter = model_.shown()[band.trace].trace->counters()[band.counter];
    const QRectF place(gutter_, band.y + 2, width(), band.height - 3);
    const CounterPicture picture = drawnCounter(counter, view, place);
    const QRect names(14, band.y, gutter_ - 22, kCounter / 2);
    painter.setPen(theme_->text);
    painter.drawText(
        names, Qt::AlignVCenter,
        painter.fontMetrics().elidedText(counterTitle(counter), Qt::ElideMiddle, names.width()));
    painter.setPen(theme_->muted);
    const QString most = counterValue(counter, picture.high);
    const QString range = picture.low < 0
                              ? counterValue(counter, picture.low) + QStringLiteral(" – ") + most
                              : QStringLiteral("0 – ") + most;
    painter.drawText(names.translated(0, kCounter / 2), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(range, Qt::ElideRight, names.width()));
    painter.save();
    painter.setClipRect(place, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(theme_->accent, theme_->panel, 0.25));
    for (const auto& area : picture.areas) painter.drawPolygon(QPolygonF(area));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme_->accent, 1.2));
    for (const auto& line : picture.lines) painter.drawPolyline(QPolygonF(line));
    painter.restore();
    painter.fillRect(QRect(gutter_, band.y + band.height + 3, viewport()->width() - gutter_, 1),
                     theme_->grid);
  }
}

}  // namespace fusebench
