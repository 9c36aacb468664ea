// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/caching_pool.h"

#include <algorithm>
#include <bit>
#include <new>

namespace fusebench {
namespace {

constexpr std::size_t kAlignment = 64;  // sizes are multiples of a cache line
constexpr std::size_t kSmallest = 64;
constexpr std::size_t kPageBytes = 4096;  // what is smaller shares pages with others

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

void CachingPool::toSystem(Block* block) noexcept {
  statistics_.heldBytes -= block->bytes;
  giveBack(block->data, block->bytes, pagesOf(*block));
  block->data = nullptr;
  try {
    unusedHeaders_.push_back(block);
  } catch (...) {  // one header that is not used again
  }
}

void CachingPool::trim() {
  for (auto& list : free_) {
    for (Block* block : list) toSystem(block);
    list.clear();
  }
}

Block* CachingPool::fromSystem(std::uint32_t sizeClass, Pages pages) {
  const std::size_t bytes = (classBytes(sizeClass) + kAlignment - 1) / kAlignment * kAlignment;
  void* data = take(bytes, pages);
  if (!data && mayTrim()) {
    trim();
    data = take(bytes, pages);
  }
  if (!data) exhausted(bytes);
  Block* block;
  if (unusedHeaders_.empty()) {
    block = &blocks_.emplace_back();
  } else {
    block = unusedHeaders_.back();
    unusedHeaders_.pop_back();
  }
  *block = Block{data, bytes, 0, this, 0, static_cast<std::uint32_t>(pages) * kClasses + sizeClass};
  ++statistics_.systemAllocations;
  statistics_.heldBytes += bytes;
  return block;
}

Block* CachingPool::allocate(std::size_t bytes) {
  const std::uint32_t index = sizeClass(bytes);
  if (index >= kClasses) exhausted(bytes);
  const Pages pages = bytes < kPageBytes ? Pages::kept : pages_;
  Block* block = nullptr;
  if (!isFresh(pages)) {
    auto& list = free_[static_cast<std::uint32_t>(pages) * kClasses + index];
    if (!list.empty()) {
      block = list.back();
      list.pop_back();
    }
  }
  if (!block) block = fromSystem(index, pages);
  ++statistics_.allocations;
  statistics_.handout(*block, bytes);
  return block;
}

void CachingPool::release(Block* block) noexcept {
  statistics_.takeBack(*block);
  if (isFresh(pagesOf(*block))) return toSystem(block);
  try {
    free_[block->sizeClass].push_back(block);
  } catch (...) {  // no room for the list: give the memory back instead
    toSystem(block);
  }
}

}  // namespace fusebench
