// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "profiler/trace/trace.h"

namespace fusebench {

/// The visible part of a trace and its scale: `from` nanoseconds at the left edge.
struct TimeScale {
  double from = 0;
  double perPixel = 1;  ///< nanoseconds
  double x(double time) const { return (time - from) / perPixel; }
  double time(double x) const { return from + x * perPixel; }
};

/// The color class of an event: its kind, or for device work the rank of its name.
using ColorClass = std::uint8_t;
inline constexpr ColorClass kFirstRank = 32;
inline constexpr ColorClass kRanks = 6;  ///< names beyond them share kFirstRank + kRanks

/// The class of each event of a trace: device work by its name, beginning with the name that takes
/// the most time.
class ColorClasses {
 public:
  explicit ColorClasses(const Trace& trace);
  ColorClass operator()(const Trace& trace, EventId event) const {
    const SpanKind kind = trace.kind(event);
    return isDeviceWork(kind) ? ofName_[trace.nameId(event)] : static_cast<ColorClass>(kind);
  }
  /// The name to which a rank's color belongs; nothing for the color that the others share.
  std::optional<NameId> nameOf(ColorClass rank) const;

 private:
  std::vector<ColorClass> ofName_;
};

/// The content of one pixel of a row.
struct RowPixel {
  ColorClass color = 0;
  std::uint8_t cover = 0;  ///< how much of it is busy, of 255; 0: not at all
  bool operator==(const RowPixel&) const = default;
};

/// An event that is wide enough for a separate box: pixels [from, to), possibly beyond the edges.
struct EventBox {
  EventId event = 0;
  double from = 0, to = 0;
};

/// Number of rows of a lane that are drawn; deeper ones are folded until they are opened.
inline constexpr std::size_t kRowsUnfolded = 24;

/// An event of at least this width gets a separate box.
inline constexpr double kAloneFrom = 1.5;

/// Draws one row into `pixels` (as many as the view is wide; cleared first) and lists the events
/// that are wide enough for a box. The cost is proportional to the width, however many events there
/// are: the time of events that share a pixel comes from the trace's running sums, their color from
/// the longest of a few of them.
void drawRow(const Trace& trace, const TraceRow& row, const ColorClasses& colors,
             const TimeScale& scale, std::vector<RowPixel>& pixels, std::vector<EventBox>& boxes);

/// The rows of a device's lane that contain work, which come first. Ranges and waits around them do
/// not count.
std::span<const TraceRow> workRowsOf(const Trace& trace, LaneId lane);

/// Where a lane is idle after an event of its first row (not its last): the time that no row of
/// work covers until the next event of that row.
void forEachIdle(const Trace& trace, const TraceRow& first, EventId before,
                 const std::function<void(Nanoseconds from, Nanoseconds to)>& visit);

/// The event at this position of a row, or the nearest one within `tolerance` nanoseconds;
/// kNoEvent.
EventId eventAt(const Trace& trace, const TraceRow& row, double time, double tolerance);

}  // namespace fusebench
