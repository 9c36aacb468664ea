// SPDX-License-Identifier: GPL-3.0-or-later
// How TimelineCanvas paints that a device waits.
#include <QPainter>
#include <algorithm>

#include "profiler/trace/gap_neighbors.h"
#include "ui/look/span_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
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
      painter.drawText(QRectF(gutter_ + from, band.y, to - from, rowHeight_), Qt::AlignCenter,
                       gap.text);
  }
}

std::optional<std::pair<std::size_t, TimeRange>> TimelineCanvas::gapAt(const QPoint& at) const {
  if (at.x() < gutter_ || at.y() < kAxis) return std::nullopt;
  const double time = scale().time(at.x() + 0.5 - gutter_);
  for (const Band& band : bandsInSight()) {
    if (at.y() < band.y || at.y() >= band.y + rowHeight_ || band.pinned != (at.y() < top()))
      continue;
    const Trace& trace = *model_.shown()[band.trace].trace;
    const TraceRow& row = trace.rows()[band.row];
    const auto work = workRowsOf(trace, band.lane);
    if (work.empty() || row.first != work[0].first ||
        trace.lanes()[band.lane].kind != Lane::Kind::device)
      return std::nullopt;
    const EventId next = trace.firstStartingAt(row, static_cast<Nanoseconds>(time));
    if (next == row.first || next == row.last) return std::nullopt;
    std::optional<std::pair<std::size_t, TimeRange>> found;
    forEachIdle(trace, row, next - 1, [&](Nanoseconds from, Nanoseconds to) {
      if (static_cast<double>(from) <= time && time < static_cast<double>(to))
        found = {band.trace, TimeRange{from, to}};
    });
    return found;
  }
  return std::nullopt;
}

/// How long, between which kernels, and what the host did then.
QStringList TimelineCanvas::gapFacts(std::size_t t, TimeRange gap, const QPoint& at) const {
  const Trace& trace = *model_.shown()[t].trace;
  OneDevice device;
  for (const Band& band : bandsInSight())
    if (at.y() >= band.y && at.y() < band.y + rowHeight_) device = trace.lanes()[band.lane].process;
  return {uiText("idle %1").arg(formatTime(double(gap.length()))),
          text(sentenceOf(trace, neighborsOf(trace, Work::device, gap, device)))};
}

}  // namespace fusebench
