// SPDX-License-Identifier: GPL-3.0-or-later
// A row of events as vectors: boxes with their names, and strips where many events share a place.
#include "ui/export/figures/timeline_rows.h"

#include <algorithm>
#include <cmath>

#include "ui/models/base/format.h"
#include "ui/models/base/utf8.h"
#include "ui/views/timeline/timeline_colors.h"

namespace fusebench {
namespace {

constexpr double kPixelsPerUnit = 2;  ///< how finely events that share a place are told apart
constexpr double kNameFrom = 2.9;     ///< ems of width from which a box is named
constexpr double kIdleNameFrom = 6.7;
constexpr double kExecutionFrom = 3;  ///< units from which an execution gets an arrow

/// Runs of pixels that look the same: visit(first, last + 1).
template <typename Same, typename Visit>
void forEachRun(std::size_t count, Same&& same, Visit&& visit) {
  for (std::size_t from = 0; from < count;) {
    std::size_t to = from + 1;
    while (to < count && same(from, to)) ++to;
    visit(from, to);
    from = to;
  }
}

}  // namespace

void TimelineRowDrawing::draw(const TimelineRow& row, double top, double height, bool idle,
                              TimelineShown& shown) {
  const QRectF band(plot_.left(), top + 0.06 * height, plot_.width(), 0.88 * height);
  pixels_.resize(static_cast<std::size_t>(std::ceil(plot_.width() * kPixelsPerUnit)));
  if (idle) drawIdle(row, band);
  const auto& trace = subject_.traces[row.trace];
  boxes_.clear();
  drawRow(*trace.trace, trace.trace->rows()[row.row], trace.colors,
          {subject_.from, perUnit() / kPixelsPerUnit}, pixels_, boxes_);
  // What is too narrow for an outline of its own stays with the pixels.
  std::erase_if(
      boxes_, [](const EventBox& box) { return box.to - box.from < kAloneFrom * kPixelsPerUnit; });
  drawPixels(row, band, shown);
  drawBoxes(row, band, shown);
  if (idle) sayIdle(row, band);
}

/// Between the first and the last event of a device's lane, where no row of it has one.
void TimelineRowDrawing::drawIdle(const TimelineRow& row, const QRectF& band) {
  const auto& shown = subject_.traces[row.trace];
  const Trace& trace = *shown.trace;
  const auto rows = trace.rowsOf(trace.rows()[row.row].lane);
  const TimeScale fine{subject_.from, perUnit() / kPixelsPerUnit};
  busy_.assign(pixels_.size(), 0);
  Nanoseconds first = trace.start(rows[0].first), last = 0;
  for (const TraceRow& each : rows) {
    boxes_.clear();
    drawRow(trace, each, shown.colors, fine, pixels_, boxes_);
    for (std::size_t i = 0; i < pixels_.size(); ++i)
      busy_[i] = std::max(busy_[i], pixels_[i].cover);
    first = std::min(first, trace.start(each.first));
    last = std::max(last, trace.end(each.last - 1));
  }
  const double from = fine.x(static_cast<double>(first)), to = fine.x(static_cast<double>(last));
  const QColor wash = blend(style_.theme.warning, style_.theme.panel, 0.13);
  const auto alpha = [&](std::size_t i) {
    const auto at = static_cast<double>(i);
    return at + 1 > from && at < to ? 255 - busy_[i] : 0;
  };
  forEachRun(
      pixels_.size(), [&](std::size_t a, std::size_t b) { return alpha(a) == alpha(b); },
      [&](std::size_t a, std::size_t b) {
        if (alpha(a) == 0) return;
        QColor color = wash;
        color.setAlpha(alpha(a));
        pen_.rect({band.left() + static_cast<double>(a) / kPixelsPerUnit, band.top(),
                   static_cast<double>(b - a) / kPixelsPerUnit, band.height()},
                  color);
      });
}

void TimelineRowDrawing::sayIdle(const TimelineRow& row, const QRectF& band) {
  const Trace& trace = *subject_.traces[row.trace].trace;
  const TraceRow& events = trace.rows()[row.row];
  const double size = 0.85 * style_.em;
  const auto say = [&](EventId before) {
    forEachIdle(trace, events, before, [&](Nanoseconds from, Nanoseconds to) {
      const double left = std::max(band.left(), x(static_cast<double>(from)));
      const double right = std::min(band.right(), x(static_cast<double>(to)));
      const QString text =
          QStringLiteral("idle %1").arg(formatTime(static_cast<double>(to - from)));
      if (right - left >= kIdleNameFrom * style_.em)
        pen_.text({(left + right) / 2, band.center().y()}, text, size,
                  blend(style_.theme.warning, style_.theme.text, 0.55), Qt::AlignHCenter);
    });
  };
  EventId said = kNoEvent;
  for (const EventBox& box : boxes_) {
    if (box.event > events.first && box.event - 1 != said) say(box.event - 1);
    if (box.event + 1 < events.last) say(said = box.event);
  }
}

void TimelineRowDrawing::drawPixels(const TimelineRow& row, const QRectF& band,
                                    TimelineShown& shown) {
  for (const EventBox& box : boxes_) {
    const auto end = static_cast<double>(pixels_.size());
    const auto from = static_cast<std::ptrdiff_t>(std::clamp(std::floor(box.from), 0.0, end));
    const auto to = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(box.to), 0.0, end));
    std::fill(pixels_.begin() + from, pixels_.begin() + to, RowPixel{});
  }
  forEachRun(
      pixels_.size(), [&](std::size_t a, std::size_t b) { return pixels_[a] == pixels_[b]; },
      [&](std::size_t a, std::size_t b) {
        if (pixels_[a].cover == 0) return;
        QColor color = classColor(pixels_[a].color, style_.theme);
        color.setAlpha(pixels_[a].cover);
        const double width = static_cast<double>(b - a) / kPixelsPerUnit;
        pen_.rect({band.left() + static_cast<double>(a) / kPixelsPerUnit, band.top(), width,
                   band.height()},
                  color);
        shown.widths[{row.trace, pixels_[a].color}] += width;
      });
}

void TimelineRowDrawing::drawBoxes(const TimelineRow& row, const QRectF& band,
                                   TimelineShown& shown) {
  const auto& trace = subject_.traces[row.trace];
  const double size = 0.85 * style_.em;
  for (const EventBox& box : boxes_) {
    const double left = std::max(band.left(), band.left() + box.from / kPixelsPerUnit);
    const double right = std::min(band.right(), band.left() + box.to / kPixelsPerUnit);
    if (right <= left) continue;
    const ColorClass kind = trace.colors(*trace.trace, box.event);
    const QColor color = classColor(kind, style_.theme);
    // A hair's breadth between neighbours.
    const double gap = right - left > 2 ? 0.5 : 0;
    pen_.rect({left, band.top(), right - left - gap, band.height()}, color);
    shown.widths[{row.trace, kind}] += right - left;
    if (right - left >= kNameFrom * style_.em)
      pen_.text({left + 0.4 * style_.em, band.center().y()},
                figureElided(QString::fromStdString(labelOf(*trace.trace, box.event)), size,
                             right - left - 0.7 * style_.em),
                size, inkOn(color));
    if (box.from >= 0 && right - left >= kExecutionFrom &&
        isDeviceWork(trace.trace->kind(box.event)) && trace.trace->link(box.event) != kNoEvent)
      shown.executions.push_back({row.trace, box.event, {left, band.top()}});
  }
}

}  // namespace fusebench
