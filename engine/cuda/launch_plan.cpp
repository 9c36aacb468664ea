// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks and threads: by size alone, so that the same call gives the same bits.
#include <algorithm>
#include <bit>

#include "engine/cuda/codegen.h"
#include "engine/cuda/kernel_facts.h"
#include "engine/cuda/launch_sizes.h"

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

LaunchStep pointwise(const LoopShape& loops, std::int64_t elements, std::int64_t multiprocessors) {
  LaunchStep step;
  const std::int64_t threads =
      std::min<std::int64_t>(kPointwiseThreads, divideUp(elements, kWarp) * kWarp);
  step.threadsX = static_cast<std::uint32_t>(threads);
  const bool sparse = loops.oneElementAThread || elements <= multiprocessors * kSparseElements;
  const std::int64_t wanted = divideUp(elements, sparse ? threads : threads * kVector);
  step.blocksX = blockCount(wanted, sparse ? wanted : multiprocessors * kBlocksPerMultiprocessor);
  return step;
}

/// Threads of a row or column that share a result: a power of two.
std::int64_t sharing(std::int64_t length, std::int64_t least, std::int64_t most) {
  const auto wanted =
      static_cast<std::uint64_t>(std::clamp<std::int64_t>(divideUp(length, 8), least, most));
  return static_cast<std::int64_t>(std::bit_ceil(wanted));
}

/// How many parts each result's elements are dealt out to, so that the device is busy.
std::int64_t partsFor(std::int64_t length, std::int64_t threads, std::int64_t blocksX,
                      std::int64_t multiprocessors) {
  if (length <= threads * kElementsAlone || blocksX >= 2 * multiprocessors) return 1;
  const std::int64_t busy = divideUp(4 * multiprocessors, blocksX);
  return std::clamp<std::int64_t>(std::min(busy, divideUp(length, threads * kElementsAlone / 2)), 1,
                                  kMaxParts);
}

}  // namespace

LaunchPlan Source::plan(const std::int64_t* integers, int multiprocessors) const {
  LaunchPlan made;
  const Sizes size = sizes(loops, integers);
  const std::int64_t processors = std::max(1, multiprocessors);
  if (size.kept == 0 || (loops.role == Role::elements && size.reduced == 0)) return made;
  made.count = 1;
  LaunchStep& step = made.steps[0];
  if (loops.role == Role::elements) {
    step = pointwise(loops, size.kept, processors);
    return made;
  }
  const std::int64_t most = processors * kBlocksPerMultiprocessor;
  std::int64_t threads = 0;  // that share a result
  if (loops.role == Role::rows) {
    // One result alone gets a block as large as may be; of many, warps are enough for short rows.
    threads = sharing(size.reduced, kWarp, size.kept == 1 ? kRowThreads : kRowThreads / 2);
    step.threadsX = static_cast<std::uint32_t>(threads);
    step.threadsY = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        kRowThreads / 2 / threads, 1,
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(size.kept)))));
    step.blocksX = blockCount(divideUp(size.kept, step.threadsY), most);
  } else {
    threads = sharing(size.reduced, 1, kColumnThreads / kWarp);
    step.threadsX = kWarp;
    step.threadsY = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(size.kept, kWarp), most);
  }
  const std::int64_t parts = partsFor(size.reduced, threads, step.blocksX, processors);
  if (parts == 1) return made;
  made.parts = static_cast<int>(parts);
  step.blocksY = static_cast<std::uint32_t>(parts);
  made.scratchBytes = static_cast<std::size_t>(size.kept * parts) * loops.partialBytes;
  LaunchStep& last = made.steps[1];
  made.count = 2;
  last.entry = 1;
  last.threadsX = size.kept == 1 ? kFinalThreads : kWarp;
  last.threadsY = size.kept == 1 ? 1 : kFinalThreads / kWarp;
  last.blocksX = blockCount(divideUp(size.kept, last.threadsY), most);
  return made;
}

}  // namespace fusebench::cuda
