// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/call_part.h"
#include "profiler/run/device_anatomy.h"

namespace fusebench {

struct Mark;

/// Nanoseconds of each part of a call, by CallPart. `outside` is always 0.
using PartTimes = std::array<double, kCallParts>;

/// Where the time around one kernel goes: from finding it to freeing its memory. Where a device
/// runs the kernels: around one launch call, which for a replay starts many.
struct LaunchAnatomy {
  std::string kernel;
  std::vector<int> statements;  ///< that it computes; empty if that is not known
  PartTimes nanoseconds{};
};

/// Where one call's time goes, on the thread that makes it: the mean over all inputs of each one's
/// usual call (those of the middle half). The marks' own cost is subtracted. Never a latency: see
/// untracedNanoseconds.
struct CallAnatomy {
  PartTimes nanoseconds{};
  std::vector<LaunchAnatomy> launches;  ///< in order; empty if calls differ in their launches
  double stampNanoseconds = 0;          ///< calibrated cost of one mark
  double stampsPerCall = 0;             ///< how many of them were subtracted
  /// The same calls without marks, timed in turn with the marked ones.
  double untracedNanoseconds = 0;
  int calls = 0;           ///< that were recorded
  int inputs = 0;          ///< that they ran over
  std::uint64_t lost = 0;  ///< marks for which there was no room
  /// Recorded in a process of its own; nothing where the host runs the kernels.
  std::optional<DeviceAnatomy> device = std::nullopt;
  /// Why there is no `device` though one runs the kernels; one line.
  std::string deviceProblem;

  double total() const;
  double of(CallPart part) const { return nanoseconds[static_cast<std::size_t>(part)]; }
};

/// Parts on which one of the calls spends at least half a percent, in the order a call meets them.
std::vector<CallPart> notableParts(std::span<const CallAnatomy* const> calls);

/// One recorded call: the calling thread's marks from the call's first one to that which ends it.
struct RecordedCall {
  std::span<const Mark> marks;
  std::size_t input = 0;  ///< which of the cell's inputs it ran over
};

/// Cuts the calling thread's marks into calls: each ends with a mark of `outside`. Call number i
/// ran over input i modulo `inputs`. Marks after the last end are left out.
std::vector<RecordedCall> callsIn(std::span<const Mark> marks, std::size_t inputs);

/// `statements`: those of each launch of a call, in order, if known. Pure.
CallAnatomy anatomyOf(std::span<const RecordedCall> calls, double ticksPerNanosecond,
                      double stampNanoseconds, std::span<const std::vector<int>> statements = {});

}  // namespace fusebench
