// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// A bijective mix of 64 bits with full avalanche (the finalizer of SplitMix64: Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t mixBits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The SplitMix64 sequence: advances `state` and returns 64 random bits.
constexpr std::uint64_t nextBits(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  return mixBits(state);
}

/// A random number in [0, bound), bound > 0. The bias, bound / 2^64, is negligible for every use
/// here.
constexpr std::uint64_t nextBelow(std::uint64_t& state, std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(nextBits(state)) * bound) >> 64);
}

/// Counter-based numbers: the value depends only on (seed, stream, index), so elements can be
/// generated in any order. Only exactly rounded operations are used, so the value is the same on
/// every platform.
double uniformAt(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);  ///< [0, 1)
double normalAt(std::uint64_t seed, std::uint64_t stream,
                std::uint64_t index);  ///< mean 0, deviation 1

}  // namespace fusebench
