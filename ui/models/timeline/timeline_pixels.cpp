// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/timeline_pixels.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {
namespace {

constexpr EventId kSamples = 8;  ///< events of a pixel that are examined for its color

/// The first event of [event, last) that starts at `time` or later, found by steps that double.
EventId gallop(const Trace& trace, EventId event, EventId last, double time) {
  const auto before = [&](EventId e) { return static_cast<double>(trace.start(e)) < time; };
  EventId step = 1, low = event;
  while (low < last && before(low)) {
    event = low + 1;
    low += std::min(step, last - low);
    step *= 2;
  }
  const auto starts = trace.starts();
  return static_cast<EventId>(
      std::partition_point(starts.begin() + event, starts.begin() + std::min(low, last),
                           [&](Nanoseconds s) { return static_cast<double>(s) < time; }) -
      starts.begin());
}

ColorClass dominant(const Trace& trace, const ColorClasses& colors, EventId from, EventId to) {
  // The samples do not depend on where the pixel begins, or panning would make colors flicker.
  const EventId step = std::max<EventId>(1, std::bit_ceil((to - from + kSamples - 1) / kSamples));
  EventId best = from;
  for (EventId e = (from + step - 1) / step * step; e < to; e += step)
    if (trace.duration(e) > trace.duration(best)) best = e;
  return colors(trace, best);
}

void fill(std::vector<RowPixel>& pixels, double from, double to, ColorClass color) {
  const auto width = static_cast<double>(pixels.size());
  const auto first = static_cast<std::size_t>(std::clamp(std::round(from), 0.0, width));
  auto end = static_cast<std::size_t>(std::clamp(std::round(to), 0.0, width));
  // Leave a hairline gap between neighbors.
  if (to - from > 4 && to < width && end > first) {
    pixels[end - 1] = {color, 96};
    --end;
  }
  std::fill(pixels.begin() + static_cast<std::ptrdiff_t>(first),
            pixels.begin() + static_cast<std::ptrdiff_t>(std::max(first, end)),
            RowPixel{color, 255});
}

}  // namespace

ColorClasses::ColorClasses(const Trace& trace)
    : ofName_(trace.names(), static_cast<ColorClass>(kFirstRank + kRanks)) {
  std::vector<Nanoseconds> total(trace.names(), 0);
  for (EventId e = 0; e < trace.size(); ++e)
    if (isDeviceWork(trace.kind(e))) total[trace.nameId(e)] += trace.duration(e);
  for (ColorClass rank = 0; rank < kRanks; ++rank) {
    const auto most = std::ranges::max_element(total);
    if (most == total.end() || *most <= 0) break;
    ofName_[static_cast<std::size_t>(most - total.begin())] =
        static_cast<ColorClass>(kFirstRank + rank);
    *most = 0;
  }
}

std::optional<NameId> ColorClasses::nameOf(ColorClass rank) const {
  if (rank >= kFirstRank + kRanks) return std::nullopt;
  const auto found = std::ranges::find(ofName_, rank);
  if (found == ofName_.end()) return std::nullopt;
  return static_cast<NameId>(found - ofName_.begin());
}

std::span<const TraceRow> workRowsOf(const Trace& trace, LaneId lane) {
  const auto rows = trace.rowsOf(lane);
  std::size_t count = 0;
  while (count < rows.size() && isDeviceWork(trace.kind(rows[count].first))) ++count;
  return rows.first(count);
}

void forEachIdle(const Trace& trace, const TraceRow& first, EventId before,
                 const std::function<void(Nanoseconds from, Nanoseconds to)>& visit) {
  constexpr int kMostPieces = 64;
  const auto others = workRowsOf(trace, first.lane).subspan(1);
  Nanoseconds at = trace.end(before);
  const Nanoseconds end = trace.start(before + 1);
  for (int piece = 0; piece < kMostPieces && at < end; ++piece) {
    Nanoseconds idleUntil = end, busyUntil = at;
    for (const TraceRow& other : others) {
      const EventId next = trace.firstEndingAfter(other, at);
      if (next == other.last) continue;
      if (trace.start(next) <= at) busyUntil = std::max(busyUntil, trace.end(next));
      idleUntil = std::min(idleUntil, std::max(at, trace.start(next)));
    }
    if (busyUntil > at) {
      at = busyUntil;
      continue;
    }
    visit(at, idleUntil);
    at = idleUntil;
  }
}

void drawRow(const Trace& trace, const TraceRow& row, const ColorClasses& colors,
             const TimeScale& scale, std::vector<RowPixel>& pixels, std::vector<EventBox>& boxes) {
  std::ranges::fill(pixels, RowPixel{});
  const auto width = static_cast<double>(pixels.size());
  const double until = scale.time(width);
  EventId e =
      trace.firstEndingAfter(row, static_cast<Nanoseconds>(std::clamp(scale.from, -4e18, 4e18)));
  while (e < row.last) {
    const auto start = static_cast<double>(trace.start(e));
    if (start >= until) break;
    const double from = scale.x(start);
    const double to = scale.x(static_cast<double>(trace.end(e)));
    if (to - from >= kAloneFrom) {
      fill(pixels, from, to, colors(trace, e));
      boxes.push_back({e, from, to});
      ++e;
      continue;
    }
    const double pixel = std::max(0.0, std::floor(from));
    EventId next = gallop(trace, e + 1, row.last, scale.time(pixel + 1));
    // The last one may reach far beyond this pixel.
    if (next - 1 > e &&
        static_cast<double>(trace.duration(next - 1)) / scale.perPixel >= kAloneFrom)
      --next;
    const double share = static_cast<double>(trace.busyBetween(e, next)) / scale.perPixel;
    RowPixel& at = pixels[static_cast<std::size_t>(std::min(pixel, width - 1))];
    // Even the shortest event is visible.
    const auto cover = static_cast<std::uint8_t>(std::clamp(share, 0.3, 1.0) * 255);
    if (cover >= at.cover) at = {dominant(trace, colors, e, next), cover};
    e = next;
  }
}

EventId eventAt(const Trace& trace, const TraceRow& row, double time, double tolerance) {
  const EventId e = trace.firstEndingAfter(row, static_cast<Nanoseconds>(time - tolerance));
  if (e == row.last || static_cast<double>(trace.start(e)) > time + tolerance) return kNoEvent;
  // A wide event under the cursor has priority over a thin one next to it.
  const EventId exact = trace.firstEndingAfter(row, static_cast<Nanoseconds>(time));
  if (exact < row.last && static_cast<double>(trace.start(exact)) <= time) return exact;
  return e;
}

}  // namespace fusebench
