// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "profiler/trace/device_peaks.h"
#include "profiler/trace/kernel_table.h"
#include "profiler/trace/operator_frames.h"

namespace fusebench {

/// What limits the kernels of an operator.
enum class Bound : std::uint8_t {
  unknown,  ///< shapes were not recorded, or the operator or the device is not known
  launch,   ///< its kernels are shorter than the calls that launched them
  memory,   ///< it computes less per byte than the device can compute
  compute,
};
/// "unknown", "launch", "memory", "compute".
std::string_view nameOf(Bound bound);

/// Calls of an operator with the same shapes and dtypes.
struct RooflinePoint {
  std::string op, shapes, dtypes;
  std::uint64_t calls = 0, kernels = 0;
  /// For the kernels that it launched itself, or on a host for the operator itself: the part in the
  /// range, and the whole calls. The FLOPs of a part of a call are not known, so rates and bound
  /// refer to whole calls.
  Nanoseconds time = 0, whole = 0;
  double flops = 0, bytes = 0;       ///< for all calls; 0: not known
  double tflops = 0, bandwidth = 0;  ///< reached: TFLOP/s and GB/s; 0: not known
  double intensity = 0;              ///< FLOPs per byte
  double peak = 0;                   ///< TFLOP/s of the device for its dtype; 0: not known
  double reached = 0;                ///< fraction of the roofline's limit; 0: not known
  Bound bound = Bound::unknown;
  KernelClass kind = KernelClass::unknown;  ///< by the operator, otherwise by its first kernel
  EventId longest = kNoEvent;
  bool operator==(const RooflinePoint&) const = default;
};

inline constexpr std::uint32_t kNoPoint = std::numeric_limits<std::uint32_t>::max();
struct Roofline {
  const DevicePeak* peak = nullptr;  ///< null: the device is not in the table, or there are several
  bool device = false;               ///< work of a device; else operators of the host
  std::vector<RooflinePoint> points;  ///< the longest time first
};
/// Includes operators that launched kernels themselves; without a device, those that call no
/// others. `pointOfFrame`, if it is not null, receives the position of each frame's point, or
/// kNoPoint.
Roofline rooflineOf(const Trace& trace, const OperatorFrames& frames,
                    std::vector<std::uint32_t>* pointOfFrame = nullptr);

struct RooflineReport {
  std::string title;
  std::string device;
  Roofline roofline;
};
std::string rooflineCsv(std::span<const RooflineReport> reports);
nlohmann::ordered_json rooflineJson(std::span<const RooflineReport> reports);

}  // namespace fusebench
