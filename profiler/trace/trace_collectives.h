// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// Collectives of one kind: the same name, bytes and ranks. Bandwidths follow the conventions of
/// nccl-tests (PERFORMANCE.md there).
struct CollectiveTotal {
  std::string name;         ///< "allreduce", as recorded, else the kernel's name
  std::string dtype;        ///< empty: not recorded
  std::int64_t bytes = -1;  ///< for one call, on one rank; -1: not recorded
  std::int32_t ranks = 0;   ///< 0: not recorded
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  /// The time until the last rank arrived, and the rest, if all ranks are in the trace.
  std::uint64_t met = 0;
  Nanoseconds waiting = 0, transfer = 0;
  /// Bytes per nanosecond, which is GB/s; 0: not known. Waiting time is excluded if it is known.
  double algorithmBandwidth = 0, busBandwidth = 0;
  EventId longest = kNoEvent;
  bool operator==(const CollectiveTotal&) const = default;
};

/// Includes kernels of devices that are at least partly in the range, or all; the longest total
/// first. Times are the parts in the range. Bandwidths refer to whole calls, because the bytes of a
/// part are not known.
std::vector<CollectiveTotal> collectivesOf(const Trace& trace,
                                           const std::optional<TimeRange>& range = {});

/// How many bytes per byte of a call cross the links of each rank: 2 (n - 1) / n for an allreduce;
/// 0: the collective is not known.
double busFactor(std::string_view collective, std::int32_t ranks);

}  // namespace fusebench
