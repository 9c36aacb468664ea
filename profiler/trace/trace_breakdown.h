// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// How a device's recorded time was spent, divided as in HolisticTraceAnalysis, except that a
/// stream waits for its host until the launching call has ended, not only until it begins.
/// Nanoseconds.
struct DeviceBreakdown {
  TraceDevice device;
  Nanoseconds total = 0;          ///< that was recorded
  Nanoseconds computing = 0;      ///< at least one kernel other than a collective runs
  Nanoseconds communication = 0;  ///< a collective, and no other kernel
  Nanoseconds memory = 0;         ///< a copy or fill, and no kernel at all
  Nanoseconds idle = 0;           ///< nothing of these
  Nanoseconds collectives = 0;    ///< at least one collective runs, regardless of other work
  Nanoseconds overlap = 0;        ///< part of that with another kernel running

  // Gaps between two pieces of work on a stream, summed over the streams of the device.
  Nanoseconds hostWait =
      0;  ///< the call of the next work had not ended when the previous work ended
  Nanoseconds kernelWait = 0;  ///< as short as the device takes from one to the next
  Nanoseconds otherWait = 0;   ///< launched in time, but begun late; or launched by an unknown call

  std::uint64_t kernels = 0;  ///< launched by a call that is known
  /// How many of them are shorter than their call, or than their share of a graph launch:
  /// launch-bound.
  std::uint64_t shorter = 0;
  std::uint64_t mostQueued = 0;  ///< launched and not yet begun, of one stream
  double meanQueued = 0;         ///< over time from the first launch to the last start
};

/// A gap of a stream up to this length is the device's own and not a wait.
inline constexpr Nanoseconds kKernelWait = 30;

/// For each device of the trace, in the order of devicesOf.
/// `range`: only what runs in it; kernels count where they start.
std::vector<DeviceBreakdown> breakdownOf(const Trace& trace,
                                         const std::optional<TimeRange>& range = {});

}  // namespace fusebench
