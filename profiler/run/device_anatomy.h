// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/statistics/distribution.h"

namespace fusebench {

/// How the time of a call is divided on an asynchronous device.
enum class DevicePart : std::uint8_t {
  delay,    ///< from the call's first launch call to that kernel's start, without copies
  copies,   ///< memory is copied or filled
  kernels,  ///< kernels run
  gaps,     ///< between the first kernel's start and the last one's end, when the device is idle
  idle,     ///< before the first launch call, and after the last kernel until the host continues
};
inline constexpr std::size_t kDeviceParts = 5;
constexpr std::string_view name(DevicePart part) {
  constexpr std::array<std::string_view, kDeviceParts> kNames = {"delay", "copies", "kernels",
                                                                 "gaps", "idle"};
  return kNames[static_cast<std::size_t>(part)];
}

/// All executions of one kernel in some recorded calls. Nanoseconds.
struct DeviceKernel {
  std::string name;
  int count = 0;
  double total = 0, least = 0, most = 0;

  double mean() const { return count > 0 ? total / count : 0; }
};

/// The device's time for one launch of a call: the time of its kernels.
struct DeviceLaunch {
  std::string kernel;
  std::vector<int> statements;  ///< as LaunchAnatomy has them
  double nanoseconds = 0;
};

/// The work of an asynchronous device for one synchronized call: the median over some recorded
/// calls, separately for each part. Nanoseconds, by the device's own clock. Recording slows the
/// host down, so all parts except kernels and copies become longer.
struct DeviceAnatomy {
  std::array<double, kDeviceParts> nanoseconds{};  ///< by DevicePart
  int executions = 0;                              ///< kernels of a call
  int calls = 0;                       ///< number of calls that were recorded completely
  std::vector<DeviceLaunch> launches;  ///< in order; empty if they cannot be distinguished
  std::vector<DeviceKernel> byKernel;  ///< in all those calls, the longest total first
  /// In all those calls: the delays from each launch call to its kernel's start, and the individual
  /// gaps.
  Distribution delays, gaps;

  double of(DevicePart part) const { return nanoseconds[static_cast<std::size_t>(part)]; }
  double total() const;
};

/// The parts that take time in these, in their order; copies only if they are at least half a
/// percent of one of them.
std::vector<DevicePart> notableDeviceParts(std::span<const DeviceAnatomy* const> devices);

}  // namespace fusebench
