// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// The key by which the work of a trace is grouped, so that two traces can be compared.
enum class Grouping : std::uint8_t {
  kernel,  ///< its own name
  op,  ///< the operator that launched it: the recorded one, otherwise the innermost one around its
       ///< call
  step,    ///< "step 1", "step 2": the profiler's steps in order of time; otherwise the program's
           ///< ranges
  stream,  ///< the device's queue; for a host: the thread
};
/// "kernel", "operator", "step", "stream".
std::string_view nameOf(Grouping grouping);

struct GroupTotal {
  std::string name;
  std::uint64_t count = 0;  ///< executions that start in the range; for a host: spans
  Nanoseconds total = 0;    ///< inside the range
  bool operator==(const GroupTotal&) const = default;
};
/// Totals of the work that overlaps the range, the longest first. A step is the one in which the
/// launching call began; work outside of all steps, or without a known operator, has a separate
/// group. For a host, spans inside of others count for kernels and operators only.
std::vector<GroupTotal> totalsBy(Grouping grouping, const Trace& trace, Work work, TimeRange range,
                                 OneDevice device = {});

/// The innermost operator of a framework around a call of the host; kNoEvent: none is recorded.
EventId operatorAround(const Trace& trace, EventId call);

}  // namespace fusebench
