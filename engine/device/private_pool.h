// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "engine/device/tensor.h"

namespace fusebench {

/// Memory that belongs to a capture: blocks come from another allocator and stay here when they are
/// released, so that a replay finds its own again and no other code writes into them. The parent
/// counts them as allocated while the pool has them. For one thread.
class PrivatePool final : public Allocator {
 public:
  explicit PrivatePool(Allocator& parent) : parent_(parent) {}
  PrivatePool(const PrivatePool&) = delete;
  PrivatePool& operator=(const PrivatePool&) = delete;

  Block* allocate(std::size_t bytes) override;
  void release(Block* block) noexcept override;
  AllocatorStatistics statistics() const override { return statistics_; }
  void resetPeak() override { statistics_.resetPeak(); }

  /// Called by the owner when it ends: frees unused blocks now, and the others when they are
  /// released. The pool is then destroyed automatically, because tensors may outlive the capture
  /// that created them.
  void retire() noexcept;

 private:
  ~PrivatePool() override = default;
  /// A parent's block under a header of this pool; Block::sizeClass is its place.
  struct Held {
    Block block;
    BlockRef memory;
  };

  Allocator& parent_;
  std::deque<Held> held_;                    // stable addresses
  std::multimap<std::size_t, Block*> free_;  // by size
  std::size_t handedOut_ = 0;
  bool retired_ = false;
  AllocatorStatistics statistics_;
};

struct RetirePool {
  void operator()(PrivatePool* pool) const noexcept { pool->retire(); }
};
using PrivatePoolOwner = std::unique_ptr<PrivatePool, RetirePool>;

}  // namespace fusebench
