// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks and threads run an op list: by its length and its sizes alone.
#include <bit>

#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/codegen/launch_sizes.h"
#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/interpreter_walk.h"

namespace fusebench::cuda {
namespace {

/// Threads that share the one result of an op list: small blocks, so that many multiprocessors get
/// some. An instruction takes long, and merging the blocks' states is quick compared with that.
constexpr std::int64_t kResultThreads = 128;
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
  ScratchBytes(const OpListLaunch& walk, const OpListDemand& demand, const LaunchPlan& plan) {
    const LaunchStep& step = plan.step;
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

LaunchPlan planInterpreted(const OpListLaunch& walk, const OpListDemand& demand,
                           int multiprocessors) {
  LaunchPlan plan;
  const bool reduces = demand.reductions > 0;
  if (walk.results == 0 || (!reduces && walk.length == 0)) return plan;
  plan.launches = true;
  const std::int64_t processors = std::max(1, multiprocessors);
  const bool frugal = demand.slots > kRegisterSlots || demand.reductions > 1;
  const std::int64_t most =
      processors * (frugal ? kFrugalBlocksPerMultiprocessor : kBlocksPerMultiprocessor);
  const bool sparse = walk.length <= processors * kSparseElements / walk.results;
  const std::int64_t width = sparse ? 1 : kVector, groups = divideUp(walk.length, width);
  LaunchStep& step = plan.step;
  step.entry = static_cast<std::uint32_t>(sparse ? InterpreterEntry::one : InterpreterEntry::four);
  if (!reduces) {
    const std::int64_t threads =
        std::min<std::int64_t>(kInterpreterThreads, divideUp(groups, kWarp) * kWarp);
    step.threadsX = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(groups, threads), most);
    plan.scratchBytes = ScratchBytes(walk, demand, plan).values;
    return plan;
  }
  std::int64_t threads = 0;  // that share a result
  if (walk.byRows) {
    const bool alone = walk.results == 1;
    threads = powerFor(groups, alone ? kWarp : kShortRowThreads,
                       alone ? kResultThreads : kRowThreads / 2);
    step.threadsX = static_cast<std::uint32_t>(threads);
    step.threadsY = static_cast<std::uint32_t>(std::max(
        divideUp(kWarp, threads), std::min(std::max<std::int64_t>(kRowThreads / 2 / threads, 1),
                                           powerFor(walk.results, 1, kRowThreads / 2))));
    step.blocksX = blockCount(divideUp(walk.results, step.threadsY), most);
  } else {
    threads = powerFor(groups, 1, kColumnThreads / kWarp);
    step.threadsX = kWarp;
    step.threadsY = static_cast<std::uint32_t>(threads);
    step.blocksX = blockCount(divideUp(walk.results, kWarp), most);
  }
  if (groups > threads && step.blocksX < 2 * processors && step.blocksX <= kArrivalCounters) {
    const std::int64_t busy = divideUp(4 * processors, step.blocksX);
    const std::int64_t parts = std::min(busy, divideUp(groups, threads));
    plan.parts = static_cast<int>(
        std::clamp<std::int64_t>(parts, 1, std::min(kMaxParts, threads * kPartsEach)));
    step.blocksY = static_cast<std::uint32_t>(plan.parts);
  }
  const ScratchBytes bytes(walk, demand, plan);
  plan.scratchBytes = bytes.partials + bytes.gathered + bytes.values;
  return plan;
}

void placeScratch(OpListLaunch& launch, const OpListDemand& demand, const LaunchPlan& plan,
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
