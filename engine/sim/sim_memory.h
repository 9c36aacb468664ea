// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/caching_pool.h"

namespace fusebench::sim {

/// Memory of which only the addresses are used.
class Addresses final : public CachingPool {
 public:
  ~Addresses() override { trim(); }

 private:
  void* take(std::size_t bytes, Pages /*pages*/) override;
  void giveBack(void* /*data*/, std::size_t /*bytes*/, Pages /*pages*/) noexcept override {}
  std::uintptr_t next_ = std::uintptr_t{1} << 40;
};

/// A hash of `bytes` bytes.
std::uint64_t contentsHash(const void* data, std::size_t bytes);

}  // namespace fusebench::sim
