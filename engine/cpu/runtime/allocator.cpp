// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/allocator.h"

#include <cstdlib>

namespace fusebench::cpu {

void* PoolAllocator::take(std::size_t bytes) {
  return std::aligned_alloc(64, bytes);
}

void PoolAllocator::giveBack(void* data, std::size_t /*bytes*/) noexcept {
  std::free(data);
}

}  // namespace fusebench::cpu
