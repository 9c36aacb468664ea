// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/caching_pool.h"

namespace fusebench::cpu {

/// Host memory, pooled; blocks are aligned to a cache line and the widest vector, that is, to 64
/// bytes, and fresh or huge pages to their page size.
class PoolAllocator final : public CachingPool {
 public:
  PoolAllocator() = default;
  ~PoolAllocator() override { trim(); }

 private:
  void* take(std::size_t bytes, Pages pages) override;
  void giveBack(void* data, std::size_t bytes, Pages pages) noexcept override;
};

}  // namespace fusebench::cpu
