// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/occupancy.h"

#include <array>
#include <utility>

namespace fusebench {
namespace {

constexpr std::uint64_t kWarp = 32;

std::uint64_t dividedUp(std::uint64_t value, std::uint64_t by) {
  return (value + by - 1) / by;
}
std::uint64_t roundedUp(std::uint64_t value, std::uint64_t to) {
  return dividedUp(value, to) * to;
}

/// Blocks that a multiprocessor runs at once, however small; 0: not known.
std::uint64_t mostBlocks(const DeviceLimits& limits) {
  switch (limits.generation) {
    case 7:
      return limits.revision == 5 ? 16 : 32;
    case 8:
      return limits.revision == 0 ? 32 : limits.revision == 9 ? 24 : 16;
    case 9:
      return 32;
    case 10:
      return limits.revision == 1 ? 24 : 32;
    case 11:
      return limits.revision == 0 ? 24 : 32;
    case 12:
      return 24;
    default:
      return 0;
  }
}

}  // namespace

std::optional<Occupancy> theoreticalOccupancy(const DeviceLimits& limits,
                                              std::uint64_t blockThreads, std::uint32_t registers,
                                              std::uint64_t sharedBytes) {
  // Generation 7 or later; older ones divide their registers differently.
  constexpr std::uint64_t kParts = 4, kRegistersAtOnce = 256, kMostRegisters = 256;
  constexpr std::uint64_t kMostThreads = 1024, kMostShared = std::uint64_t{1} << 32;
  const std::uint64_t blocks = mostBlocks(limits);
  const std::uint64_t warps = limits.threads / kWarp;
  if (blocks == 0 || warps == 0 || limits.registers == 0 || limits.sharedBytes == 0 ||
      blockThreads == 0 || blockThreads > kMostThreads || registers == 0 ||
      registers > kMostRegisters || sharedBytes > kMostShared)
    return std::nullopt;
  const std::uint64_t blockWarps = dividedUp(blockThreads, kWarp);
  const std::uint64_t warpRegisters = roundedUp(registers * kWarp, kRegistersAtOnce);
  const std::uint64_t registerWarps = limits.registers / kParts / warpRegisters * kParts;
  const bool old = limits.generation == 7;
  const std::uint64_t blockShared =
      roundedUp(sharedBytes + (old ? 0 : 1024), old ? 256 : 128);  // the driver takes some, too
  // Of equal limits the first is named: what a person can change about a kernel.
  const std::array<std::pair<std::uint64_t, std::string_view>, 4> allowed = {
      {{registerWarps / blockWarps, "registers"},
       {blockShared > 0 ? limits.sharedBytes / blockShared : ~std::uint64_t{0}, "shared memory"},
       {warps / blockWarps, "threads"},
       {blocks, "blocks"}}};
  auto least = allowed.front();
  for (const auto& limit : allowed)
    if (limit.first < least.first) least = limit;
  if (least.first == 0) return std::nullopt;
  return Occupancy{static_cast<double>(least.first * blockWarps) / static_cast<double>(warps),
                   least.second};
}

}  // namespace fusebench
