// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <vector>

#include "engine/tensor.h"

namespace fusebench::cpu {

/// Keeps freed blocks in lists by size class and hands them out again, so that eager's allocation
/// per op costs a few nanoseconds, as in the caching allocators of frameworks. Size classes: powers
/// of two and the three quarter steps between them, from 64 bytes. For one thread.
class PoolAllocator final : public Allocator {
 public:
  PoolAllocator() = default;
  ~PoolAllocator() override;
  PoolAllocator(const PoolAllocator&) = delete;
  PoolAllocator& operator=(const PoolAllocator&) = delete;

  Block* allocate(std::size_t bytes) override;
  void release(Block* block) noexcept override;
  AllocatorStatistics statistics() const override { return statistics_; }
  void resetPeak() override { statistics_.peakBytes = statistics_.currentBytes; }

  /// Gives pooled memory back to the system.
  void trim();

  static std::uint32_t sizeClass(std::size_t bytes);
  static std::size_t classBytes(std::uint32_t sizeClass);

 private:
  Block* fromSystem(std::uint32_t sizeClass);

  static constexpr std::uint32_t kClasses = 4 * 48;
  std::vector<Block*> free_[kClasses];
  std::deque<Block> blocks_;  // stable addresses
  std::vector<Block*> unusedHeaders_;
  AllocatorStatistics statistics_;
};

}  // namespace fusebench::cpu
