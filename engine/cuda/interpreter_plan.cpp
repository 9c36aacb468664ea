// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks and threads run a chain: by its length and its sizes alone.
#include <bit>

#include "engine/cuda/interpreter_source.h"
#include "engine/cuda/interpreter_walk.h"
#include "engine/cuda/kernel_facts.h"
#include "engine/cuda/launch_sizes.h"

namespace fusebench::cuda {
namespace {

/// A second launch costs about as much as a thread's way through so many instructions.
constexpr std::int64_t kInstructionsAlone = 64;
/// What waits in memory is there for every thread: then no more blocks than may run at once.
constexpr std::int64_t kFrugalBlocksPerMultiprocessor = 4;

std::int64_t powerFor(std::int64_t wanted, std::int64_t least, std::int64_t most) {
  return static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::clamp(wanted, least, most))));
}

std::int64_t threadsOf(const LaunchStep& step) {
  return std::int64_t{1} * step.blocksX * step.blocksY * step.threadsX * step.threadsY;
}

/// Bytes of scratch memory, by what they are for; in this order.
struct ScratchBytes {
  ScratchBytes(const ChainLaunch& walk, const ChainDemand& demand, const LaunchPlan& plan) {
    const LaunchStep& step = plan.steps[0];
    const bool four = step.entry == static_cast<std::uint32_t>(InterpreterEntry::four);
    const auto threads = static_cast<std::size_t>(threadsOf(step));
    const auto reductions = static_cast<std::size_t>(demand.reductions);
    if (plan.parts > 1)
      partials = reductions * static_cast<std::size_t>(walk.results * plan.parts) * kGatheredBytes;
    if (reductions > 1) gathered = (reductions - 1) * threads * kGatheredBytes;
    if (demand.slots > kRegisterSlots)
      values = static_cast<std::size_t>(demand.slots - kRegisterSlots) * threads * sizeof(float) *
               (four ? kVector : 1);
  }
  std::size_t partials = 0, gathered = 0, values = 0;
};

}  // namespace

LaunchPlan planInterpreted(const ChainLaunch& walk, const ChainDemand& demand,
                           int multiprocessors) {
  LaunchPlan plan;
  const bool reduces = demand.reductions > 0;
  if (walk.results == 0 || (!reduces && walk.length == 0)) return plan;
  plan.count = 1;
  const std::int64_t processors = std::max(1, multiprocessors);
  const bool frugal = demand.slots > kRegisterSlots || demand.reductions > 1;
  const std::int64_t most =
      processors * (frugal ? kFrugalBlocksPerMultiprocessor : kBlocksPerMultiprocessor);
  const bool sparse = walk.length <= processors * kSparseElements / walk.results;
  const std::int64_t width = sparse ? 1 : kVector, groups = divideUp(walk.length, width);
  LaunchStep& step = plan.steps[0];
  step.entry = static_cast<std::uint32_t>(sparse ? InterpreterEntry::one : InterpreterEntry::four);
  if (!reduces) {
    const std::int64_t threads =
        std::min<std::int64_t>(kInterpreterThreads, divideUp(groups, kWarp) * kWarp);
    step.threadsX = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(groups, threads), most);
    plan.scratchBytes = ScratchBytes(walk, demand, plan).values;
    return plan;
  }
  const std::int64_t wanted = sparse ? groups : divideUp(groups, 2);
  std::int64_t threads = 0;  // that share a result
  if (walk.byRows) {
    // One result alone gets a block as large as may be; of many, warps are enough for short rows.
    threads = powerFor(wanted, kWarp, walk.results == 1 ? kRowThreads : kRowThreads / 2);
    step.threadsX = static_cast<std::uint32_t>(threads);
    step.threadsY =
        static_cast<std::uint32_t>(std::min(std::max<std::int64_t>(kRowThreads / 2 / threads, 1),
                                            powerFor(walk.results, 1, kRowThreads / 2)));
    step.blocksX = blockCount(divideUp(walk.results, step.threadsY), most);
  } else {
    threads = powerFor(wanted, 1, kColumnThreads / kWarp);
    step.threadsX = kWarp;
    step.threadsY = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(walk.results, kWarp), most);
  }
  const std::int64_t alone = std::clamp<std::int64_t>(
      kInstructionsAlone / std::max(1, demand.instructions), 1, kElementsAlone / width);
  if (groups > threads * alone && step.blocksX < 2 * processors) {
    const std::int64_t busy = divideUp(4 * processors, step.blocksX);
    const std::int64_t parts =
        std::min(busy, divideUp(groups, threads * std::max<std::int64_t>(alone / 2, 1)));
    plan.parts = static_cast<int>(std::clamp<std::int64_t>(parts, 1, kMaxParts));
  }
  if (plan.parts > 1) {
    step.blocksY = static_cast<std::uint32_t>(plan.parts);
    plan.count = 2;
    LaunchStep& last = plan.steps[1];
    last.entry = static_cast<std::uint32_t>(InterpreterEntry::merge);
    last.threadsX = walk.results == 1 ? kFinalThreads : kWarp;
    last.threadsY = walk.results == 1 ? 1 : kFinalThreads / kWarp;
    last.blocksX = blockCount(divideUp(walk.results, last.threadsY), most);
  }
  const ScratchBytes bytes(walk, demand, plan);
  plan.scratchBytes = bytes.partials + bytes.gathered + bytes.values;
  return plan;
}

void placeScratch(ChainLaunch& launch, const ChainDemand& demand, const LaunchPlan& plan,
                  void* scratch) {
  launch.instructions = demand.instructions;
  launch.reductionCount = demand.reductions;
  launch.parts = plan.parts;
  if (!scratch) return;
  const ScratchBytes bytes(launch, demand, plan);
  auto* const begin = static_cast<std::byte*>(scratch);
  launch.partials = begin;
  launch.gathered = begin + bytes.partials;
  launch.values = reinterpret_cast<float*>(begin + bytes.partials + bytes.gathered);
}

}  // namespace fusebench::cuda
