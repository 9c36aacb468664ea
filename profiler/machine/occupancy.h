// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fusebench {

/// The limits of a GPU that determine how many blocks run at once on one of its multiprocessors.
struct DeviceLimits {
  std::int32_t device = -1;       ///< its number
  std::int32_t generation = 0;    ///< the compute capability's first number
  std::int32_t revision = 0;      ///< and its second
  std::uint32_t threads = 0;      ///< of a multiprocessor
  std::uint32_t registers = 0;    ///< of a multiprocessor
  std::uint32_t sharedBytes = 0;  ///< of a multiprocessor
  bool operator==(const DeviceLimits&) const = default;
};

struct Occupancy {
  double share = 0;  ///< fraction of the warps that a multiprocessor can hold
  std::string_view
      limit;  ///< the limiting factor: "registers", "shared memory", "blocks", "threads"
};

/// How full such blocks can make a multiprocessor, if it gives all it can to shared memory:
/// NVIDIA's rules of allocation (cuda_occupancy.h). Nothing for a device or block of which too
/// little is known, or that cannot be.
std::optional<Occupancy> theoreticalOccupancy(const DeviceLimits& limits,
                                              std::uint64_t blockThreads, std::uint32_t registers,
                                              std::uint64_t sharedBytes);

}  // namespace fusebench
