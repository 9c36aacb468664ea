// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace fusebench::sim {

void* Addresses::take(std::size_t bytes, Pages /*pages*/) {
  const std::uintptr_t at = next_;
  next_ += (bytes + 255) / 256 * 256;
  return reinterpret_cast<void*>(at);  // NOLINT(performance-no-int-to-ptr)
}

// Four numbers at a time, since one after the other would wait for each product.
std::uint64_t contentsHash(const void* data, std::size_t bytes) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  constexpr std::size_t kLanes = 4;
  std::array<std::uint64_t, kLanes> lanes{1, 2, 3, 4};
  const auto mix = [](std::uint64_t state, std::uint64_t word) {
    const std::uint64_t product = (state ^ word) * kFactor;
    return product ^ (product >> 29);
  };
  const auto* const from = static_cast<const std::byte*>(data);
  std::array<std::uint64_t, kLanes> words{};
  for (std::size_t at = 0; at < bytes; at += sizeof(words)) {
    words = {};
    std::memcpy(words.data(), from + at, std::min(sizeof(words), bytes - at));
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
  }
  std::uint64_t all = bytes;
  for (const std::uint64_t lane : lanes) all = mix(all, lane);
  return all;
}

}  // namespace fusebench::sim
