// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/memory_use.h"

#include <vector>

#include "engine/device/caching_pool.h"
#include "engine/device/private_pool.h"
#include "engine/plan/step_lowering.h"
#include "engine/plan/storages.h"

namespace fusebench {
namespace {

/// Counts as all pools do and has no memory: nobody looks behind its addresses.
class EmptyPool final : public CachingPool {
 public:
  ~EmptyPool() override { trim(); }

 protected:
  void* take(std::size_t /*bytes*/) override { return this; }
  void giveBack(void* /*data*/, std::size_t /*bytes*/) noexcept override {}
};

/// Lets the steps allocate and release as executors do.
void goThrough(const Plan& plan, const std::vector<Storage>& storages, Allocator& allocator) {
  std::vector<BlockRef> blocks(storages.size());
  for (const Step& step : plan.steps) {
    for (const Slot slot : step.writes)
      if (storages[slot].memory == Memory::device)
        blocks[slot] = BlockRef(allocator.allocate(storages[slot].bytes));
    for (const Slot slot : step.lastUses) blocks[slot].reset();
  }
}

}  // namespace

MemoryUse memoryUseOf(const Plan& plan, std::span<const std::int64_t> symbols) {
  const std::vector<Storage> storages = storagesOf(plan, symbols);
  EmptyPool pool;
  if (!plan.options.keepsMemory) {
    goThrough(plan, storages, pool);
    return {pool.statistics().peakBytes, pool.statistics().allocations};
  }
  std::vector<BlockRef> buffers;
  for (Slot input = 0; input < plan.inputs(); ++input)
    buffers.emplace_back(
        pool.allocate(spanBytes(formOf(plan.values, static_cast<ValueId>(input), symbols))));
  const PrivatePoolOwner kept(new PrivatePool(pool));
  goThrough(plan, storages, *kept);
  return {pool.statistics().currentBytes, 0};
}

}  // namespace fusebench
