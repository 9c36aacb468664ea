// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints that a device waits.
#include <QPainter>
#include <algorithm>

#include "ui/look/span_colors.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

constexpr double kIdleLabelFrom = 84;  ///< pixels

}  // namespace

/// Where a device waits, below its events.
void TimelineCanvas::paintIdle(QPainter& painter, const Band& band) {
  const QRgb wash = blend(theme_->warning, theme_->panel, 0.13).rgb();
  line_.clear();
  for (const std::uint8_t alpha : picture_.idle())
    line_.push_back(qRgba(qRed(wash), qGreen(wash), qBlue(wash), alpha));
  paintLine(painter, band);
}

/// How long a device waits, where there is room to say it.
void TimelineCanvas::sayIdle(QPainter& painter, const Band& band) {
  const Trace& trace = *model_.shown()[band.trace].trace;
  const TimeScale view = scale();
  painter.setPen(blend(theme_->warning, theme_->text, 0.55));
  for (const RowPicture::Gap& gap : picture_.gaps(trace, trace.rows()[band.row], view)) {
    const double from = std::max(0.0, view.x(gap.from)), to = std::min(width(), view.x(gap.to));
    if (to - from >= kIdleLabelFrom)
      painter.drawText(QRectF(gutter_ + from, band.y, to - from, kRow), Qt::AlignCenter, gap.text);
  }
}

}  // namespace fusebench
