// SPDX-License-Identifier: GPL-3.0-or-later
// A row of events as vectors: boxes with their names, and strips where many events share a place.
#include "ui/export/figures/timeline_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/span_colors.h"
#include "ui/models/base/utf8.h"
#include "ui/models/timeline/launch_arrows.h"

namespace fusebench {
namespace {

constexpr double kPixelsPerUnit = 2;  ///< resolution for events that share a pixel
constexpr double kNameFrom = 2.9;     ///< ems of width from which a box is named
constexpr double kIdleNameFrom = 6.7;

/// Visits sequences of equal pixels: visit(first, last + 1).
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

void TimelineRowDrawing::draw(const TimelineRow& row, double top, double height,
                              TimelineShown& shown) {
  const QRectF band(plot_.left(), top + 0.06 * height, plot_.width(), 0.88 * height);
  const auto& trace = subject_.traces[row.trace];
  const TraceRow& events = trace.trace->rows()[row.row];
  const TimeScale fine{subject_.from, perUnit() / kPixelsPerUnit};
  picture_.draw(*trace.trace, events, trace.colors, fine,
                static_cast<std::size_t>(std::ceil(plot_.width() * kPixelsPerUnit)));
  drawIdle(band);
  const std::vector<RowPicture::Gap> gaps = picture_.gaps(*trace.trace, events, fine);
  // A box too narrow for its own outline is drawn with the pixels.
  std::erase_if(picture_.boxes(), [](const EventBox& box) {
    return box.to - box.from < kAloneFrom * kPixelsPerUnit;
  });
  drawPixels(row, band, shown);
  drawBoxes(row, band, shown);
  sayIdle(gaps, band);
}

void TimelineRowDrawing::drawIdle(const QRectF& band) {
  const std::vector<std::uint8_t>& idle = picture_.idle();
  forEachRun(
      idle.size(), [&](std::size_t a, std::size_t b) { return idle[a] == idle[b]; },
      [&](std::size_t a, std::size_t b) {
        if (idle[a] == 0) return;
        QColor color = blend(style_.theme.warning, style_.theme.panel, 0.13);
        color.setAlpha(idle[a]);
        pen_.rect({band.left() + static_cast<double>(a) / kPixelsPerUnit, band.top(),
                   static_cast<double>(b - a) / kPixelsPerUnit, band.height()},
                  color);
      });
}

void TimelineRowDrawing::sayIdle(const std::vector<RowPicture::Gap>& gaps, const QRectF& band) {
  for (const RowPicture::Gap& gap : gaps) {
    const double left = std::max(band.left(), x(gap.from));
    const double right = std::min(band.right(), x(gap.to));
    if (right - left >= kIdleNameFrom * style_.em)
      pen_.text({(left + right) / 2, band.center().y()}, gap.text, 0.85 * style_.em,
                blend(style_.theme.warning, style_.theme.text, 0.55), Qt::AlignHCenter);
  }
}

void TimelineRowDrawing::drawPixels(const TimelineRow& row, const QRectF& band,
                                    TimelineShown& shown) {
  std::vector<RowPixel>& pixels = picture_.pixels();
  for (const EventBox& box : picture_.boxes()) {
    const auto end = static_cast<double>(pixels.size());
    const auto from = static_cast<std::ptrdiff_t>(std::clamp(std::floor(box.from), 0.0, end));
    const auto to = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(box.to), 0.0, end));
    std::fill(pixels.begin() + from, pixels.begin() + to, RowPixel{});
  }
  forEachRun(
      pixels.size(), [&](std::size_t a, std::size_t b) { return pixels[a] == pixels[b]; },
      [&](std::size_t a, std::size_t b) {
        if (pixels[a].cover == 0) return;
        QColor color = classColor(pixels[a].color, style_.theme);
        color.setAlpha(pixels[a].cover);
        const double width = static_cast<double>(b - a) / kPixelsPerUnit;
        pen_.rect({band.left() + static_cast<double>(a) / kPixelsPerUnit, band.top(), width,
                   band.height()},
                  color);
        shown.widths[{row.trace, pixels[a].color}] += width;
      });
}

void TimelineRowDrawing::drawBoxes(const TimelineRow& row, const QRectF& band,
                                   TimelineShown& shown) {
  const auto& trace = subject_.traces[row.trace];
  const double size = 0.85 * style_.em;
  for (const EventBox& box : picture_.boxes()) {
    const double left = std::max(band.left(), band.left() + box.from / kPixelsPerUnit);
    const double right = std::min(band.right(), band.left() + box.to / kPixelsPerUnit);
    if (right <= left) continue;
    const ColorClass kind = trace.colors(*trace.trace, box.event);
    const QColor color = classColor(kind, style_.theme);
    // Leave a hairline gap between neighbors.
    const double gap = right - left > 2 ? 0.5 : 0;
    pen_.rect({left, band.top(), right - left - gap, band.height()}, color);
    shown.widths[{row.trace, kind}] += right - left;
    if (right - left >= kNameFrom * style_.em)
      pen_.text({left + 0.4 * style_.em, band.center().y()},
                figureElided(QString::fromStdString(labelOf(*trace.trace, box.event)), size,
                             right - left - 0.7 * style_.em),
                size, inkOn(color));
    if (box.from >= 0 && getsArrow(*trace.trace, box.event, right - left))
      shown.executions.push_back({row.trace, trace.trace->link(box.event), {left, band.top()}});
    if (const EventId before = trace.trace->meets(box.event);
        box.from >= 0 && before != kNoEvent && meetingGetsArrow(right - left))
      shown.executions.push_back({row.trace, before, {left, band.top()}});
  }
}

}  // namespace fusebench
