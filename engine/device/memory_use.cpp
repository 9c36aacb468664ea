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

/// Counts like all pools but has no memory, because the addresses are never used.
class EmptyPool final : public CachingPool {
 public:
  ~EmptyPool() override { trim(); }

 protected:
  void* take(std::size_t /*bytes*/, Pages /*pages*/) override { return this; }
  void giveBack(void* /*data*/, std::size_t /*bytes*/, Pages /*pages*/) noexcept override {}
};

/// The workspace of each step while it runs, in addition to what it reads and writes.
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

/// Allocates and releases for each step in the same order as executors do.
void goThrough(const Plan& plan, const std::vector<Storage>& storages,
               const std::vector<std::size_t>& scratch, Allocator& allocator) {
  std::vector<BlockRef> blocks(storages.size());
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    for (const Slot slot : step.writes)
      // A value that is written in place is allocated already.
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
  // For a device that runs launches asynchronously, the recording includes their workspaces.
  const bool recorded = backend && !backend->traits().isSynchronous;
  goThrough(plan, storages, recorded ? scratch : std::vector<std::size_t>(scratch.size(), 0),
            *kept);
  // Recorded memory stays allocated; what calls take while they run is added.
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
