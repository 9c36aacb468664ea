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
TimeRange wholeOf(const Trace& trace);

/// Which events are counted: what the device did, or, in a trace without a device, what the host
/// did (annotations do not count).
enum class Work : std::uint8_t { device, host };
/// device if the trace holds any work of a device.
Work workOf(const Trace& trace);
bool counts(SpanKind kind, Work work);

/// A device that a trace shows at work: its process there, which its streams share.
struct TraceDevice {
  std::int64_t process = 0;
  std::string name;  ///< no other of the trace has it
  bool operator==(const TraceDevice&) const = default;
};
/// In the order of their lanes. A host that runs kernels itself is one, too.
std::vector<TraceDevice> devicesOf(const Trace& trace);
/// Of which device alone; nothing: of all together.
using OneDevice = std::optional<std::int64_t>;

/// All executions of one name. Times are whole ones: an event that the range cuts counts in full.
struct SpanTotal {
  NameId name = 0;
  SpanKind kind = SpanKind::kernel;
  std::uint64_t count = 0;
  Nanoseconds total = 0, least = 0, most = 0;
  /// What of the total nothing nested took: at each moment the time of a thread is that of the span
  /// that began last. Work of a device does not nest: all of it.
  Nanoseconds self = 0;
  double mean = 0;
  double share = 0;                              ///< of the self time of all names
  std::int64_t bytesRead = 0, bytesWritten = 0;  ///< of all executions; -1: not known of each
};
/// Of the events that start in the range, by name and kind, the longest total first.
std::vector<SpanTotal> totalsByName(const Trace& trace, Work work, TimeRange range,
                                    OneDevice device = {});

/// What a range holds. Busy: at least one event of the work lies there.
struct RangeStatistics {
  TimeRange range;
  Nanoseconds busy = 0;
  Nanoseconds idle = 0;        ///< the rest of the range
  std::uint64_t launches = 0;  ///< executions that start in the range; of a host: its spans
  std::uint64_t gaps = 0;      ///< between two executions, whole and inside the range
  double meanGap = 0;          ///< nanoseconds; 0 without gaps
};
RangeStatistics statisticsOf(const Trace& trace, Work work, TimeRange range, OneDevice device = {});

/// Times between the executions of the work that lie in the range, in order.
std::vector<Nanoseconds> gapsOf(const Trace& trace, Work work, TimeRange range,
                                OneDevice device = {});
/// From the begin of the host's call to the start of the execution, for those that start in the
/// range.
std::vector<Nanoseconds> launchDelaysOf(const Trace& trace, TimeRange range, OneDevice device = {});

}  // namespace fusebench
