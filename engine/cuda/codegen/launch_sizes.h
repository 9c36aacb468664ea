// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace fusebench::cuda {

/// More blocks than a device runs at once, so that blocks that finish early are followed by others.
inline constexpr std::int64_t kBlocksPerMultiprocessor = 32;
/// Up to this many elements per multiprocessor, each thread takes one: half of the threads it can
/// hold.
inline constexpr std::int64_t kSparseElements = 1024;
/// Several blocks share a result if a single thread would process more than this many elements, or
/// more than this many instructions: merging the partial results of blocks takes a microsecond.
inline constexpr std::int64_t kElementsAlone = 32, kInstructionsAlone = 1024;
inline constexpr std::int64_t kMaxParts = 1024, kPartsEach = 16;
/// Number of threads that share a short row if there are many rows: several rows per warp.
inline constexpr std::int64_t kShortRowThreads = 4;
/// Blocks of rows that are traversed several times: many, because one that finishes early is
/// followed by another while others wait for memory.
inline constexpr std::int64_t kMostRowBlocks = 1 << 16;

constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

constexpr std::uint32_t blockCount(std::int64_t wanted, std::int64_t most) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 1, most));
}

}  // namespace fusebench::cuda
