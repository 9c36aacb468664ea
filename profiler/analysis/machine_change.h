// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "profiler/run/run.h"

namespace fusebench {

/// How much slower the machine itself was than while the baseline was measured, by the fixed work
/// of PaceMeter.
struct MachineChange {
  double value = 0, low = 0, high = 0;  ///< relative: 0.1 is 10% slower
  /// The changes of the two kinds of work that became slower by the least and by the most.
  double least = 0, most = 0;
  /// The slowdown that every kind of work shares: the machine's certain part of a change.
  double common() const { return std::max(least, 0.0); }
};

/// Nothing unless both sides recorded the same kind of work.
///
/// The ticks of each run are split into successive blocks, and each block is represented by its
/// lower decile, as a session of a data point is; the intervals are those of sessionChanges().
/// No kind of work stands for every program, so the value is that of the kind that changed most,
/// and the interval contains the intervals of all kinds.
std::optional<MachineChange> machineChange(std::span<const Run> before, std::span<const Run> now);

}  // namespace fusebench
