// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/device/clock_bridge.h"

namespace fusebench {

/// One call of the driver or of the runtime, as a collector records it. Times are the collector's
/// nanoseconds.
struct ApiCall {
  std::uint64_t start = 0, end = 0;
  std::uint32_t function = 0;  ///< its number in the collector's library
  bool runtime = false;        ///< else the driver's
  std::uint32_t process = 0, thread = 0;
  std::uint32_t correlation = 0;  ///< shared with the device work that it starts
  std::uint32_t result = 0;       ///< 0: success
  bool operator==(const ApiCall&) const = default;
};

/// One kernel execution, copy or fill on a device. Times are the
/// collector's nanoseconds.
struct DeviceWork {
  enum class Kind : std::uint8_t { kernel, copy, fill };
  Kind kind = Kind::kernel;
  std::string name;  ///< the kernel's entry as compiled, or "Memcpy HtoD", "Memset"
  std::uint64_t start = 0, end = 0;
  std::uint64_t queued = 0, submitted = 0;  ///< 0: not known
  std::uint32_t device = 0, context = 0, stream = 0;
  std::uint32_t correlation = 0;  ///< with the call; all work of one graph launch shares it
  std::uint32_t graph = 0;        ///< 0: in none
  std::uint64_t graphNode = 0;    ///< with `correlation` it names one execution; 0: in no graph
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;                        ///< per thread
  std::uint32_t staticShared = 0, dynamicShared = 0;  ///< bytes
  std::uint64_t bytes = 0;                            ///< of a copy or fill
  bool operator==(const DeviceWork&) const = default;
};

/// Time that the collector itself used.
struct Overhead {
  std::uint64_t start = 0, end = 0;
};

/// Records without information that could be shown.
struct ActivityLosses {
  std::uint64_t dropped = 0;    ///< dropped because there was no room
  std::uint64_t missing = 0;    ///< launches without recorded work on the device
  std::uint64_t zero = 0;       ///< start or end is 0: the device's own buffers ran out
  std::uint64_t inverted = 0;   ///< end before start
  std::uint64_t malformed = 0;  ///< too short for their kind, or at an invalid position
  std::uint64_t total() const { return dropped + missing + zero + inverted + malformed; }
  bool operator==(const ActivityLosses&) const = default;
};
/// "3 dropped, 1 without a time"; empty if nothing was lost.
std::string sentenceOf(const ActivityLosses& losses);

/// The contents of one buffer, in the order of its records, which is arbitrary.
struct Activities {
  std::vector<ApiCall> calls;
  std::vector<DeviceWork> work;
  std::vector<Overhead> overheads;
  ActivityLosses losses;

  void add(Activities more);
};

/// The records between a collector's begin() and end(), and how to convert their times.
struct Collected {
  Activities activities;
  ClockBridge clocks;
};

}  // namespace fusebench
