// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks and threads: by size alone, so that the same call gives the same bits.
#include <algorithm>
#include <bit>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/codegen/launch_sizes.h"

namespace fusebench::cuda {
namespace {

struct Sizes {
  std::int64_t kept = 1, reduced = 1;
};

Sizes sizes(const LoopShape& loops, const std::int64_t* integers) {
  Sizes s;
  for (int dim = 0; dim < loops.rank; ++dim) {
    const LoopShape::Extent& extent = loops.extents[static_cast<std::size_t>(dim)];
    (extent.reduced ? s.reduced : s.kept) *=
        extent.position < 0 ? extent.known : integers[extent.position];
  }
  return s;
}

LaunchStep pointwise(const LoopShape& loops, int vectorWidth, std::int64_t elements,
                     std::int64_t multiprocessors) {
  LaunchStep step;
  const std::int64_t each = vectorWidth > 1 ? vectorWidth : kVector;
  const std::int64_t threads =
      std::min<std::int64_t>(kPointwiseThreads, divideUp(elements, kWarp) * kWarp);
  step.threadsX = static_cast<std::uint32_t>(threads);
  const bool sparse = loops.oneElementAThread || elements <= multiprocessors * kSparseElements;
  const std::int64_t wanted = divideUp(elements, sparse ? threads : threads * each);
  step.blocksX = blockCount(wanted, sparse ? wanted : multiprocessors * kBlocksPerMultiprocessor);
  return step;
}

/// Elements that a thread had best take where there are threads enough: cheap ones several, so that
/// their reads overlap, dear ones one.
std::int64_t elementsEach(const LoopShape& loops) {
  return std::clamp<std::int64_t>(256 / std::max<std::int64_t>(loops.weight, 1), 1, 8);
}

/// Threads of a row or column that share a result: a power of two.
std::int64_t sharing(std::int64_t length, std::int64_t each, std::int64_t least,
                     std::int64_t most) {
  const auto wanted =
      static_cast<std::uint64_t>(std::clamp<std::int64_t>(divideUp(length, each), least, most));
  return static_cast<std::int64_t>(std::bit_ceil(wanted));
}

/// How many parts each result's elements are dealt out to, so that the device is busy.
std::int64_t partsFor(const LoopShape& loops, std::int64_t length, std::int64_t threads,
                      std::int64_t blocksX, std::int64_t multiprocessors) {
  const std::int64_t alone = std::clamp<std::int64_t>(
      kInstructionsAlone / std::max<std::int64_t>(loops.weight, 1), 2, kElementsAlone);
  if (length <= threads * alone || blocksX >= 2 * multiprocessors || blocksX > kArrivalCounters)
    return 1;
  const std::int64_t busy = divideUp(4 * multiprocessors, blocksX);
  const std::int64_t wanted = std::min(busy, divideUp(length, threads * elementsEach(loops)));
  // A thread that merges reads the parts one after another.
  return std::clamp<std::int64_t>(wanted, 1, std::min(kMaxParts, threads * kPartsEach));
}

/// For rows that are gone through several times. If a thread can keep its part of the row, it gets
/// as much as it can keep: rows of up to a warp wait for no other warp. Longer rows get all threads
/// of a block.
LaunchStep wholeRows(const LoopShape& loops, const Sizes& size, std::int64_t multiprocessors) {
  LaunchStep step;
  std::int64_t threads = 0;
  const std::int64_t most = loops.keptElements > 0 ? kRowThreads : kRowThreads / 2;
  if (loops.keptElements > 0 && size.reduced <= loops.keptElements * kRowThreads)
    threads = sharing(size.reduced, loops.keptElements, kShortRowThreads, most);
  else
    threads = sharing(size.reduced, elementsEach(loops), kShortRowThreads, most);
  const std::int64_t wholeWarp = divideUp(kWarp, threads);
  // Blocks of several warps, but blocks for all multiprocessors first.
  const auto perBlock = static_cast<std::int64_t>(std::bit_floor(
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, size.kept / (2 * multiprocessors)))));
  step.threadsX = static_cast<std::uint32_t>(threads);
  step.threadsY = static_cast<std::uint32_t>(
      std::max(wholeWarp, std::clamp<std::int64_t>(kRowThreads / 2 / threads, 1, perBlock)));
  step.blocksX = blockCount(divideUp(size.kept, step.threadsY), kMostRowBlocks);
  return step;
}

}  // namespace

LaunchPlan Source::plan(const std::int64_t* integers, int multiprocessors) const {
  LaunchPlan made;
  const Sizes size = sizes(loops, integers);
  const std::int64_t processors = std::max(1, multiprocessors);
  if (size.kept == 0 || (loops.role == Role::elements && size.reduced == 0)) return made;
  made.launches = true;
  LaunchStep& step = made.step;
  if (loops.role == Role::elements) {
    step = pointwise(loops, entries.front().vectorWidth, size.kept, processors);
    return made;
  }
  if (loops.wholeRows) {
    step = wholeRows(loops, size, processors);
    return made;
  }
  const std::int64_t most = processors * kBlocksPerMultiprocessor, each = elementsEach(loops);
  std::int64_t threads = 0;  // that share a result
  if (loops.role == Role::rows) {
    // A single result gets the largest possible block; with many results, some lanes are enough for
    // short rows.
    threads = sharing(size.reduced, each, size.kept == 1 ? kWarp : kShortRowThreads,
                      size.kept == 1 ? kRowThreads : kRowThreads / 2);
    step.threadsX = static_cast<std::uint32_t>(threads);
    const auto rows =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(size.kept)));
    const std::int64_t wholeWarp = divideUp(kWarp, threads);
    step.threadsY = static_cast<std::uint32_t>(
        std::max(wholeWarp, std::clamp<std::int64_t>(kRowThreads / 2 / threads, 1, rows)));
    step.blocksX = blockCount(divideUp(size.kept, step.threadsY), most);
  } else {
    threads = sharing(size.reduced, each, 1, kColumnThreads / kWarp);
    step.threadsX = kWarp;
    step.threadsY = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(size.kept, kWarp), most);
  }
  const std::int64_t parts = partsFor(loops, size.reduced, threads, step.blocksX, processors);
  if (parts == 1) return made;
  made.parts = static_cast<int>(parts);
  step.blocksY = static_cast<std::uint32_t>(parts);
  made.scratchBytes = static_cast<std::size_t>(size.kept * parts) * loops.partialBytes;
  return made;
}

}  // namespace fusebench::cuda
