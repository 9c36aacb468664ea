// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/statistics/distribution.h"
#include "profiler/trace/trace.h"

namespace fusebench {

/// Times of a trace, [from, to).
struct TimeRange {
  Nanoseconds from = 0, to = 0;
  Nanoseconds length() const { return to - from; }
  bool operator==(const TimeRange&) const = default;
};
/// Everything that was recorded, not extended by profilers' own spans. It includes events that
/// begin at its end.
TimeRange wholeOf(const Trace& trace);
/// The same, extended to at least one nanosecond.
TimeRange recordedOf(const Trace& trace);

/// The events that count: the device's work, or, in a trace without a device, the host's.
/// Annotations and profilers' spans never count.
enum class Work : std::uint8_t { device, host };
/// device if the trace contains any device work.
Work workOf(const Trace& trace);
bool counts(SpanKind kind, Work work);

/// A device for which a trace shows work: its process there, which its streams share.
struct TraceDevice {
  std::int64_t process = 0;
  std::string name;  ///< no other of the trace has it
  bool operator==(const TraceDevice&) const = default;
};
/// In the order of their lanes. A host that runs kernels itself is also included.
std::vector<TraceDevice> devicesOf(const Trace& trace);
/// One device; nothing: all together.
using OneDevice = std::optional<std::int64_t>;

/// All executions with one name. The total is the time inside the range; minimum, maximum and mean
/// are those of whole executions, including executions that the range cuts.
struct SpanTotal {
  NameId name = 0;
  SpanKind kind = SpanKind::kernel;
  std::uint64_t count = 0;  ///< that start in the range; 0: one overlaps it
  Nanoseconds total = 0, least = 0, most = 0;
  /// The part of the total that no nested span took: at each moment the time of a thread belongs to
  /// the span that began last. Device work does not nest, so this is all of it.
  Nanoseconds self = 0;
  double mean = 0;
  double share = 0;                              ///< fraction of the self time of all names
  std::int64_t bytesRead = 0, bytesWritten = 0;  ///< over all executions; -1: not known for each
};
/// Totals of the events that touch the range, by name and kind, the longest first.
std::vector<SpanTotal> totalsByName(const Trace& trace, Work work, TimeRange range,
                                    OneDevice device = {});

/// The number of each kind of work in a range.
struct WorkCounts {
  std::uint64_t calls = 0;       ///< the host's, each with at least one execution in the range
  std::uint64_t kernels = 0;     ///< executions, those of graphs among them
  std::uint64_t graphNodes = 0;  ///< kernels, copies and fills that a graph started
  std::uint64_t copies = 0, fills = 0;
  std::uint64_t graphs = 0;  ///< whole graphs whose kernels are not distinguished
  std::uint64_t spans = 0;   ///< of a host
  bool operator==(const WorkCounts&) const = default;
};
/// "1,000 launching calls, 1,200 kernels (200 of them graph nodes), 3 copies".
std::string sentenceOf(const WorkCounts& counts);

/// Figures for a range. It is busy while at least one piece of work runs.
struct RangeStatistics {
  TimeRange range;
  WorkCounts counts;        ///< counts everything that starts in the range
  Nanoseconds counted = 0;  ///< the part that counts; see Trace::windows
  Nanoseconds busy = 0;
  Nanoseconds idle = 0;        ///< the rest of the counted time
  std::uint64_t launches = 0;  ///< executions that start in the range; for a host: its spans
  std::uint64_t gaps = 0;      ///< between two executions, whole and inside the range
  double meanGap = 0;          ///< nanoseconds; 0 without gaps
};
RangeStatistics statisticsOf(const Trace& trace, Work work, TimeRange range, OneDevice device = {});

/// Times between the executions of the work in the range, in order.
std::vector<Nanoseconds> gapsOf(const Trace& trace, Work work, TimeRange range,
                                OneDevice device = {});
/// The longest of them first, at most this many.
std::vector<TimeRange> longestGapsOf(const Trace& trace, Work work, TimeRange range,
                                     OneDevice device = {}, std::size_t most = 100);
/// The delay of executions after the call that launched them.
struct LaunchDelays {
  std::vector<Nanoseconds>
      times;                     ///< from the beginning of the host's call to the execution's start
  std::uint64_t executions = 0;  ///< of the range, joined with a call or not
  std::uint64_t before = 0;      ///< joined, but begun before their call: the clocks disagree
};
/// Delays of the executions that start in the range.
LaunchDelays launchDelaysOf(const Trace& trace, TimeRange range, OneDevice device = {});
/// "of 90 of 100 executions, from the beginning of their call; 2 begin before it".
std::string sentenceOf(const LaunchDelays& delays);

}  // namespace fusebench
