// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/memory_use.h"

#include <vector>

#include "engine/device/backend.h"
#include "engine/device/caching_pool.h"
#include "engine/device/private_pool.h"
#include "engine/plan/library_call.h"
#include "engine/plan/step_lowering.h"
#include "engine/plan/storages.h"

namespace fusebench {
namespace {

/// Counts as all pools do and has no memory: nobody looks behind its addresses.
class EmptyPool final : public CachingPool {
 public:
  ~EmptyPool() override { trim(); }

 protected:
  void* take(std::size_t /*bytes*/, Pages /*pages*/) override { return this; }
  void giveBack(void* /*data*/, std::size_t /*bytes*/, Pages /*pages*/) noexcept override {}
};

/// What each step takes while it runs, beside what it reads and writes.
std::vector<std::size_t> scratchOf(const Plan& plan, std::span<const std::int64_t> symbols,
                                   Backend* backend) {
  std::vector<std::size_t> scratch(plan.steps.size(), 0);
  for (std::size_t s = 0; backend && s < plan.steps.size(); ++s) {
    if (plan.steps[s].kind != Step::Kind::library) continue;
    const LoweredCall lowered = lowerCall(plan, plan.steps[s]);
    std::vector<std::int64_t> integers;
    for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate(symbols));
    scratch[s] = backend->scratchBytes(lowered.call, integers.data());
  }
  return scratch;
}

/// Lets the steps allocate and release as executors do.
void goThrough(const Plan& plan, const std::vector<Storage>& storages,
               const std::vector<std::size_t>& scratch, Allocator& allocator) {
  std::vector<BlockRef> blocks(storages.size());
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    for (const Slot slot : step.writes)
      // What is written in place is there.
      if (slot >= plan.inputs() && !blocks[slot] && storages[slot].memory == Memory::device)
        blocks[slot] = BlockRef(allocator.allocate(storages[slot].bytes));
    if (scratch[s] > 0) BlockRef(allocator.allocate(scratch[s])).reset();
    for (const Slot slot : step.lastUses) blocks[slot].reset();
  }
}

}  // namespace

MemoryUse memoryUseOf(const Plan& plan, std::span<const std::int64_t> symbols, Backend* backend) {
  const std::vector<Storage> storages = storagesOf(plan, symbols);
  std::vector<std::size_t> scratch = scratchOf(plan, symbols, backend);
  EmptyPool pool;
  if (!plan.options.keepsMemory) {
    goThrough(plan, storages, scratch, pool);
    return {pool.statistics().peakBytes, pool.statistics().peakBlockBytes,
            pool.statistics().allocations};
  }
  std::vector<BlockRef> buffers;
  for (Slot input = 0; input < plan.inputs(); ++input)
    buffers.emplace_back(
        pool.allocate(spanBytes(formOf(plan.values, static_cast<ValueId>(input), symbols))));
  const PrivatePoolOwner kept(new PrivatePool(pool));
  // A device that runs launches by itself has what they work in recorded with them.
  const bool recorded = backend && !backend->traits().isSynchronous;
  goThrough(plan, storages, recorded ? scratch : std::vector<std::size_t>(scratch.size(), 0),
            *kept);
  // What was recorded lies there for good; what calls take while they run comes on top.
  std::uint64_t allocations = 0;
  pool.resetPeak();
  for (const std::size_t bytes : scratch)
    if (bytes > 0 && !recorded) {
      BlockRef(pool.allocate(bytes)).reset();
      ++allocations;
    }
  return {pool.statistics().peakBytes, pool.statistics().peakBlockBytes, allocations};
}

}  // namespace fusebench
