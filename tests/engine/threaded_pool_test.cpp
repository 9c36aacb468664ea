// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "engine/cpu/thread_pool.h"

namespace fusebench::cpu {
namespace {

TEST(ThreadedPool, RunsEveryPartOnce) {
  ThreadPool pool(4);
  for (int parts : {0, 1, 3, 4, 1000}) {
    std::vector<std::atomic<int>> counts(static_cast<std::size_t>(parts));
    pool.run(parts, [&](int part) { ++counts[static_cast<std::size_t>(part)]; });
    for (const auto& count : counts) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ThreadedPool, WritesOfPartsAreVisibleAfterRun) {
  ThreadPool pool(2);
  std::vector<int> values(64);
  for (int round = 1; round <= 2000; ++round) {
    pool.run(64, [&](int part) { values[static_cast<std::size_t>(part)] += part; });
    ASSERT_EQ(std::accumulate(values.begin(), values.end(), 0), round * 63 * 64 / 2);
  }
}

TEST(ThreadedPool, ThrowsWhatAPartThrowsAndGoesOn) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run(9,
                        [](int part) {
                          if (part == 5) throw std::runtime_error("part 5");
                        }),
               std::runtime_error);
  std::atomic<int> ran{0};
  pool.run(9, [&](int) { ++ran; });
  EXPECT_EQ(ran.load(), 9);
}

TEST(ThreadedPool, MeasuresWhatHandingOverCosts) {
  EXPECT_EQ(ThreadPool(1).handOverNanoseconds(), 0);
  EXPECT_GT(ThreadPool(2).handOverNanoseconds(), 0);
}

}  // namespace
}  // namespace fusebench::cpu
