// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/rank_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "profiler/machine/clock.h"
#include "tests/engine/support/thread_ranks.h"

namespace fusebench {
namespace {

/// The clock of a rank, which starts at another time and runs faster than that of rank 0.
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
  const RankClock clock = rankClockOf({1000, 50, 1}, {2000, 60, 2});
  EXPECT_DOUBLE_EQ(clock.drift, 0.01);
  EXPECT_DOUBLE_EQ(clock.error, 2);
  EXPECT_DOUBLE_EQ(clock.atFirst(1000), 950);
  EXPECT_DOUBLE_EQ(clock.atFirst(2000), 1940);
}

TEST(RankClocks, DoNotDriftByWhatThePingsAreWrongBy) {
  const RankClock clock = rankClockOf({1000, 50, 500}, {2000, 900, 3});
  EXPECT_EQ(clock.drift, 0);
  EXPECT_EQ(clock.offset, 900);
  EXPECT_EQ(clock.error, 1350);
  EXPECT_EQ(rankClockOf({1000, 50, 3}, {2000, 55, 400}).offset, 50);
  EXPECT_EQ(rankClockOf({1000, 50, 3}, {1000, 90, 3}).drift, 0);  // at one moment
}

/// Clocks on a machine that can delay each message for any time.
TEST(RankClocks, KeepTheirWordOnABusyMachine) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  int drifting = 0;
  for (int round = 0; round < 20'000; ++round) {
    const double drift = 1e-3 * (2 * share(random) - 1), offset = 1e6 * share(random),
                 until = std::pow(10, 3 + 5 * share(random));  // ns
    const auto own = [&](double first) { return first * (1 + drift) + offset; };
    const auto ping = [&](double sent) {
      // One way may take all of the time, as where a process is put aside.
      const double away = std::pow(10, 7 * share(random)), back = std::pow(10, 7 * share(random)),
                   heard = sent + away + back, answer = own(sent + away);
      return ClockPing{answer, answer - (sent + heard) / 2, (heard - sent) / 2};
    };
    const ClockPing before = ping(0), after = ping(2 * before.error + until);
    const RankClock clock = rankClockOf(before, after);
    ASSERT_LE(std::abs(clock.drift), 2.01 * std::abs(drift)) << round;
    drifting += clock.drift != 0;
    for (const double at : {before.at, after.at}) {
      const double first = (at - offset) / (1 + drift);
      ASSERT_NEAR(clock.atFirst(at), first, clock.error * 1.01 + 1e-3) << round;
    }
  }
  EXPECT_GT(drifting, 200);
}

}  // namespace
}  // namespace fusebench
