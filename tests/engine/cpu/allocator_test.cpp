// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

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

TEST(PoolAllocator, CountsRequestedBytesApartFromItsBlocks) {
  PoolAllocator allocator;
  Block* const a = allocator.allocate(262'145 * sizeof(float));
  EXPECT_EQ(allocator.statistics().currentBytes, 262'145 * sizeof(float));
  EXPECT_EQ(allocator.statistics().blockBytes, a->bytes);
  EXPECT_GT(a->bytes, 262'145 * sizeof(float));
  allocator.release(a);
  Block* const b = allocator.allocate(262'200 * sizeof(float));  // the same block
  EXPECT_EQ(allocator.statistics().currentBytes, 262'200 * sizeof(float));
  EXPECT_EQ(allocator.statistics().peakBlockBytes, b->bytes);
  allocator.release(b);
  EXPECT_EQ(allocator.statistics().blockBytes, 0u);
  EXPECT_EQ(allocator.statistics().peakBytes, 262'200 * sizeof(float));
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

/// How often the system had to find a page while every page of a new block was written to.
long faultsOf(PoolAllocator& allocator, std::size_t bytes) {
  const auto faults = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt;
  };
  const long before = faults();
  Block* const block = allocator.allocate(bytes);
  for (std::size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(block->data)[at] = 1;
  const long found = faults() - before;
  allocator.release(block);
  return found;
}

TEST(PoolAllocator, FreshPagesAreTouchedForTheFirstTimeAtEachAllocation) {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  constexpr long kPages = kBytes / 4096;
  PoolAllocator allocator;
  faultsOf(allocator, kBytes);
  EXPECT_LT(faultsOf(allocator, kBytes), kPages / 8);
  allocator.use(Pages::fresh);
  const std::size_t held = allocator.statistics().heldBytes;
  for (int time = 0; time < 3; ++time) {
    EXPECT_GE(faultsOf(allocator, kBytes), kPages);
    EXPECT_EQ(allocator.statistics().heldBytes, held) << "what is fresh goes back";
  }
  // Less than a page is of the pool all the same.
  Block* const small = allocator.allocate(100);
  EXPECT_EQ(allocator.statistics().heldBytes, held + small->bytes);
  allocator.release(small);
  EXPECT_EQ(allocator.statistics().heldBytes, held + small->bytes);
  // And what was kept is there again.
  allocator.use(Pages::kept);
  EXPECT_LT(faultsOf(allocator, kBytes), kPages / 8);
}

TEST(PoolAllocator, HugePagesBeginAtOneAndHaveListsOfTheirOwn) {
  constexpr std::size_t kHuge = std::size_t{2} << 20;
  PoolAllocator allocator;
  Block* const kept = allocator.allocate(2 * kHuge);
  allocator.use(Pages::huge);
  for (const std::size_t bytes : {kHuge, 2 * kHuge, 3 * kHuge + 4096}) {
    Block* const block = allocator.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->data) % kHuge, 0u) << bytes;
    std::fill_n(static_cast<char*>(block->data), block->bytes, 'x');
    void* const data = block->data;
    allocator.release(block);
    Block* const again = allocator.allocate(bytes);
    EXPECT_EQ(again->data, data) << "these are kept";
    allocator.release(again);
  }
  allocator.release(kept);
  Block* const other = allocator.allocate(2 * kHuge);
  EXPECT_NE(other->data, kept->data);
  allocator.release(other);
  allocator.trim();
  EXPECT_EQ(allocator.statistics().heldBytes, 0u);
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
