// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/trace/trace_statistics.h"

namespace fusebench {

/// The events around a time in which no work ran.
struct GapNeighbors {
  EventId before = kNoEvent;  ///< the work that ended last before it
  EventId after = kNoEvent;   ///< the work that started first after it
  EventId host = kNoEvent;    ///< the innermost call of the host during at least half of it
  bool operator==(const GapNeighbors&) const = default;
};
/// `host` is searched if the work is that of a device.
GapNeighbors neighborsOf(const Trace& trace, Work work, TimeRange gap, OneDevice device = {});

/// "relu_kernel to sum_kernel; host: aten::item".
std::string sentenceOf(const Trace& trace, const GapNeighbors& neighbors);

}  // namespace fusebench
