// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/row_picture.h"

#include <algorithm>
#include <span>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

void RowPicture::draw(const Trace& trace, const TraceRow& row, const ColorClasses& colors,
                      const TimeScale& scale, std::size_t width) {
  pixels_.resize(width);
  boxes_.clear();
  idle_.clear();
  const bool device = trace.lanes()[row.lane].kind == Lane::Kind::device;
  const auto work = device ? workRowsOf(trace, row.lane) : std::span<const TraceRow>();
  if (!work.empty() && row.first == work[0].first)
    drawIdle(trace, row, colors, scale);
  else
    drawRow(trace, row, colors, scale, pixels_, boxes_);
}

/// Between the first and the last work of the lane, where no row of it has any. Leaves the pixels
/// and boxes of its first row.
void RowPicture::drawIdle(const Trace& trace, const TraceRow& row, const ColorClasses& colors,
                          const TimeScale& scale) {
  const auto rows = workRowsOf(trace, row.lane);
  busy_.assign(pixels_.size(), 0);
  Nanoseconds first = trace.start(rows[0].first), last = 0;
  for (std::size_t r = rows.size(); r-- > 0;) {  // the first one last: it is what is drawn
    boxes_.clear();
    drawRow(trace, rows[r], colors, scale, pixels_, boxes_);
    for (std::size_t x = 0; x < pixels_.size(); ++x)
      busy_[x] = std::max(busy_[x], pixels_[x].cover);
    first = std::min(first, trace.start(rows[r].first));
    last = std::max(last, trace.end(rows[r].last - 1));
  }
  const double from = scale.x(static_cast<double>(first)), to = scale.x(static_cast<double>(last));
  for (std::size_t x = 0; x < pixels_.size(); ++x) {
    // Where this row covers part of a pixel, the full wash shows; other rows' work weakens it.
    const auto at = static_cast<double>(x);
    const bool waits = at + 1 > from && at < to;
    const bool alone = pixels_[x].cover > 0 && busy_[x] == pixels_[x].cover;
    idle_.push_back(static_cast<std::uint8_t>(!waits ? 0 : alone ? 255 : 255 - busy_[x]));
  }
}

std::vector<RowPicture::Gap> RowPicture::gaps(const Trace& trace, const TraceRow& row,
                                              const TimeScale& scale) const {
  std::vector<Gap> found;
  if (idle_.empty()) return found;
  const auto look = [&](EventId before) {
    forEachIdle(trace, row, before, [&](Nanoseconds from, Nanoseconds to) {
      const auto begin = static_cast<double>(from), end = static_cast<double>(to);
      found.push_back({begin, end, uiText("idle %1").arg(formatTime(end - begin))});
    });
  };
  // Only gaps next to boxes, or a gap that fills the view, can be wide enough to be named.
  EventId said = kNoEvent;
  for (const EventBox& box : boxes_) {
    if (box.event > row.first && box.event - 1 != said) look(box.event - 1);
    if (box.event + 1 < row.last) look(said = box.event);
  }
  if (boxes_.empty()) {
    const EventId next = trace.firstStartingAt(row, static_cast<Nanoseconds>(scale.from));
    if (next > row.first && next < row.last) look(next - 1);
  }
  return found;
}

}  // namespace fusebench
