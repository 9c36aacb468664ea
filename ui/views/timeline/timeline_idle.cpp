// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints that a device waits.
#include <QPainter>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/views/timeline/timeline_canvas.h"
#include "ui/views/timeline/timeline_colors.h"

namespace fusebench {
namespace {

constexpr double kIdleLabelFrom = 84;  ///< pixels

}  // namespace

/// Where a device waits: between the first and the last event of its lane, where no row has one.
/// Leaves the first row's pixels and boxes.
void TimelineCanvas::paintIdle(QPainter& painter, const Band& band, const TimeScale& fine) {
  const auto& shown = model_.shown()[band.trace];
  const Trace& trace = *shown.trace;
  const auto rows = trace.rowsOf(band.lane);
  busy_.assign(pixels_.size(), 0);
  Nanoseconds first = trace.start(rows[0].first), last = 0;
  for (std::size_t r = rows.size(); r-- > 0;) {  // the first one last: it is what is painted next
    boxes_.clear();
    drawRow(trace, rows[r], shown.colors, fine, pixels_, boxes_);
    for (std::size_t x = 0; x < pixels_.size(); ++x)
      busy_[x] = std::max(busy_[x], pixels_[x].cover);
    first = std::min(first, trace.start(rows[r].first));
    last = std::max(last, trace.end(rows[r].last - 1));
  }
  const double from = fine.x(double(first)), to = fine.x(double(last));
  const QRgb wash = blend(theme_->warning, theme_->panel, 0.13).rgb();
  line_.clear();
  for (std::size_t x = 0; x < pixels_.size(); ++x) {
    // Under a span that covers a pixel in part the wash shines through; beside it it is whole.
    const bool idle = double(x) + 1 > from && double(x) < to;
    const bool alone = pixels_[x].cover > 0 && busy_[x] == pixels_[x].cover;
    const int alpha = !idle ? 0 : alone ? 255 : 255 - busy_[x];
    line_.push_back(qRgba(qRed(wash), qGreen(wash), qBlue(wash), alpha));
  }
  paintLine(painter, band);
}

/// How long a device waits, where there is room to say it.
void TimelineCanvas::sayIdle(QPainter& painter, const Band& band) {
  const Trace& trace = *model_.shown()[band.trace].trace;
  const TraceRow& row = trace.rows()[band.row];
  const TimeScale view = scale();
  painter.setPen(blend(theme_->warning, theme_->text, 0.55));
  const auto say = [&](EventId before) {
    forEachIdle(trace, row, before, [&](Nanoseconds from, Nanoseconds to) {
      const double x0 = std::max(0.0, view.x(double(from)));
      const double x1 = std::min(width(), view.x(double(to)));
      if (x1 - x0 >= kIdleLabelFrom)
        painter.drawText(QRectF(kGutter + x0, band.y, x1 - x0, kRow), Qt::AlignCenter,
                         tr("idle %1").arg(formatTime(double(to - from))));
    });
  };
  // Only gaps beside events that stand alone can be so wide, or one that fills the view.
  EventId said = kNoEvent;
  for (const EventBox& box : boxes_) {
    if (box.event > row.first && box.event - 1 != said) say(box.event - 1);
    if (box.event + 1 < row.last) say(said = box.event);
  }
  if (boxes_.empty()) {
    const EventId next = trace.firstStartingAt(row, static_cast<Nanoseconds>(model_.from()));
    if (next > row.first && next < row.last) say(next - 1);
  }
}

}  // namespace fusebench
