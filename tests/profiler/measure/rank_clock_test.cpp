// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/rank_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "profiler/machine/clock.h"
#include "tests/engine/support/thread_ranks.h"

namespace fusebench {
namespace {

/// Of a rank whose clock began otherwise and goes faster than rank 0's.
double skewedNow(int rank, double origin) {
  const double passed = static_cast<double>(nowNanoseconds()) - origin;
  return passed * (1 + 1e-3 * rank) + 5e9 * rank;
}

TEST(RankClocks, AreLaidOnRankZerosWithinTheErrorThatIsStated) {
  constexpr int kThreads = 3;
  const auto origin = static_cast<double>(nowNanoseconds());
  std::vector<RankClock> clocks(kThreads);
  asRanks(kThreads, [&](const std::shared_ptr<RankGroup>& ranks) {
    const auto now = [&] { return skewedNow(ranks->rank(), origin); };
    const ClockPing before = pingClocks(*ranks, now);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    clocks[static_cast<std::size_t>(ranks->rank())] = rankClockOf(before, pingClocks(*ranks, now));
  });
  EXPECT_EQ(clocks[0].offset, 0);
  EXPECT_EQ(clocks[0].error, 0);
  for (int rank = 1; rank < kThreads; ++rank) {
    const RankClock& clock = clocks[static_cast<std::size_t>(rank)];
    EXPECT_GT(clock.error, 0);
    for (const double passed : {0.0, 20e6}) {
      const double first = clock.at - 5e9 * rank + passed,
                   own = first * (1 + 1e-3 * rank) + 5e9 * rank;
      // Within what is stated, and what 40 µs in 40 ms leave of it.
      EXPECT_NEAR(clock.atFirst(own), first, 2 * clock.error + 50'000) << rank;
    }
    EXPECT_NEAR(clock.drift, 1e-3 * rank, 1e-3 + 2 * clock.error / 40e6) << rank;
  }
}

TEST(RankClocks, DriftIsWhatOffsetsDifferBy) {
  const RankClock clock = rankClockOf({1000, 50, 3}, {2000, 60, 4});
  EXPECT_DOUBLE_EQ(clock.drift, 0.01);
  EXPECT_DOUBLE_EQ(clock.error, 4);
  EXPECT_DOUBLE_EQ(clock.atFirst(1000), 950);
  EXPECT_DOUBLE_EQ(clock.atFirst(2000), 1940);
}

}  // namespace
}  // namespace fusebench
