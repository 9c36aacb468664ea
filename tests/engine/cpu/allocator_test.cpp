// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/cpu/runtime/allocator.h"

namespace fusebench::cpu {
namespace {

TEST(PoolAllocator, SizeClassesHoldWhatWasAskedWithLittleWaste) {
  for (std::size_t bytes = 1; bytes < 100000; bytes += 7) {
    const std::size_t got = PoolAllocator::classBytes(PoolAllocator::sizeClass(bytes));
    ASSERT_GE(got, bytes);
    if (bytes > 64) {
      ASSERT_LE(got, bytes + bytes / 4 + 1) << bytes;
    }
  }
  for (int power = 6; power < 40; ++power) {
    const std::size_t bytes = std::size_t{1} << power;
    EXPECT_EQ(PoolAllocator::classBytes(PoolAllocator::sizeClass(bytes)), bytes);
  }
}

TEST(PoolAllocator, HandsFreedBlocksOutAgain) {
  PoolAllocator allocator;
  Block* first = allocator.allocate(500);
  void* data = first->data;
  allocator.release(first);
  Block* second = allocator.allocate(512);
  EXPECT_EQ(second->data, data);
  EXPECT_EQ(allocator.statistics().allocations, 2u);
  EXPECT_EQ(allocator.statistics().systemAllocations, 1u);
  allocator.release(second);
}

TEST(PoolAllocator, CountsCurrentAndPeakBytes) {
  PoolAllocator allocator;
  Block* a = allocator.allocate(1024);
  Block* b = allocator.allocate(2048);
  EXPECT_EQ(allocator.statistics().currentBytes, 3072u);
  allocator.release(a);
  EXPECT_EQ(allocator.statistics().currentBytes, 2048u);
  EXPECT_EQ(allocator.statistics().peakBytes, 3072u);
  allocator.resetPeak();
  EXPECT_EQ(allocator.statistics().peakBytes, 2048u);
  allocator.release(b);
  EXPECT_EQ(allocator.statistics().currentBytes, 0u);
  EXPECT_EQ(allocator.statistics().heldBytes, 3072u);
  allocator.trim();
  EXPECT_EQ(allocator.statistics().heldBytes, 0u);
}

TEST(PoolAllocator, BlocksInUseNeverOverlapAndAreAligned) {
  PoolAllocator allocator;
  std::mt19937 random(7);
  std::vector<std::pair<Block*, std::uint8_t>> live;
  for (int step = 0; step < 5000; ++step) {
    if (live.size() < 40 || random() % 2) {
      Block* block = allocator.allocate(random() % 5000);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block->data) % 64, 0u);
      const auto mark = static_cast<std::uint8_t>(random());
      std::fill_n(static_cast<std::uint8_t*>(block->data), block->bytes, mark);
      live.emplace_back(block, mark);
    } else {
      const std::size_t at = random() % live.size();
      const auto [block, mark] = live[at];
      const auto* bytes = static_cast<const std::uint8_t*>(block->data);
      for (std::size_t i = 0; i < block->bytes; ++i) ASSERT_EQ(bytes[i], mark);
      allocator.release(block);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  for (const auto& entry : live) allocator.release(entry.first);
}

TEST(Tensor, GivesItsBlockBackWithTheLastCopy) {
  PoolAllocator allocator;
  {
    Tensor a = makeTensor(allocator, DType::float32, {8, 16});
    EXPECT_EQ(allocator.statistics().currentBytes, 512u);
    Tensor b = a;
    a = Tensor();
    EXPECT_EQ(allocator.statistics().currentBytes, 512u);
    Tensor c = std::move(b);
    EXPECT_TRUE(c.defined());
    EXPECT_EQ(c.shape, (Shape{8, 16}));
  }
  EXPECT_EQ(allocator.statistics().currentBytes, 0u);
}

}  // namespace
}  // namespace fusebench::cpu
