// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/caching_pool.h"

#include <algorithm>
#include <bit>
#include <new>

namespace fusebench {
namespace {

constexpr std::size_t kAlignment = 64;  // sizes are multiples of a cache line
constexpr std::size_t kSmallest = 64;

}  // namespace

std::uint32_t CachingPool::sizeClass(std::size_t bytes) {
  if (bytes <= kSmallest) return 0;
  // Class 4 k + q holds 64 * 2^k * (1 + q / 4) bytes.
  const std::size_t units = (bytes - 1) / kSmallest;  // >= 1
  const auto power = static_cast<std::uint32_t>(std::bit_width(units) - 1);
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): units >= 1, so power >= 0
  const std::size_t base = kSmallest << power;                            // base < bytes <= 2 base
  const std::uint32_t quarter = power + std::countr_zero(kSmallest / 4);  // its logarithm
  const auto step =
      static_cast<std::uint32_t>((bytes - base + (std::size_t{1} << quarter) - 1) >> quarter);
  return 4 * power + step;
}

std::size_t CachingPool::classBytes(std::uint32_t sizeClass) {
  const std::size_t base = kSmallest << (sizeClass / 4);
  return base + base / 4 * (sizeClass % 4);
}

void CachingPool::exhausted(std::size_t /*bytes*/) {
  throw std::bad_alloc();
}

void CachingPool::trim() {
  for (auto& list : free_) {
    for (Block* block : list) {
      statistics_.heldBytes -= block->bytes;
      giveBack(block->data, block->bytes);
      block->data = nullptr;
      unusedHeaders_.push_back(block);
    }
    list.clear();
  }
}

Block* CachingPool::fromSystem(std::uint32_t sizeClass) {
  const std::size_t bytes = (classBytes(sizeClass) + kAlignment - 1) / kAlignment * kAlignment;
  void* data = take(bytes);
  if (!data && mayTrim()) {
    trim();
    data = take(bytes);
  }
  if (!data) exhausted(bytes);
  Block* block;
  if (unusedHeaders_.empty()) {
    block = &blocks_.emplace_back();
  } else {
    block = unusedHeaders_.back();
    unusedHeaders_.pop_back();
  }
  *block = Block{data, bytes, this, 0, sizeClass};
  ++statistics_.systemAllocations;
  statistics_.heldBytes += bytes;
  return block;
}

Block* CachingPool::allocate(std::size_t bytes) {
  const std::uint32_t index = sizeClass(bytes);
  if (index >= kClasses) exhausted(bytes);
  auto& list = free_[index];
  Block* block;
  if (list.empty()) {
    block = fromSystem(index);
  } else {
    block = list.back();
    list.pop_back();
  }
  ++statistics_.allocations;
  statistics_.currentBytes += block->bytes;
  statistics_.peakBytes = std::max(statistics_.peakBytes, statistics_.currentBytes);
  return block;
}

void CachingPool::release(Block* block) noexcept {
  statistics_.currentBytes -= block->bytes;
  try {
    free_[block->sizeClass].push_back(block);
  } catch (...) {  // no room for the list: give the memory back instead
    statistics_.heldBytes -= block->bytes;
    giveBack(block->data, block->bytes);
    block->data = nullptr;
  }
}

}  // namespace fusebench
