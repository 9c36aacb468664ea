// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/session_changes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

constexpr double kMissed = 0.05;

TEST(SessionChanges, LeaveOutTheLowestAndTheHighestEighth) {
  EXPECT_NEAR(sessionMean(std::vector<double>{1, 2, 3, 10}), 4, 1e-12);
  EXPECT_NEAR(sessionMean(std::vector<double>{100, 1, 2, 3, 4, 5, 6, -50}), 3.5, 1e-12);
  EXPECT_TRUE(std::isnan(sessionMean({})));
}

TEST(SessionChanges, AreWelchsIntervalWhereNothingIsLeftOut) {
  const auto changes = sessionChanges(std::vector<SessionTimes>{{{0, 1, 2}, {3, 4, 5}}}, kMissed);
  EXPECT_NEAR(changes[0].change, 3, 1e-12);
  // Student's quantile for 4 degrees is 2.776; the variance is 1 on both sides.
  EXPECT_NEAR(changes[0].halfWidth, 2.776 * std::sqrt(2.0 / 3), 1e-3);
}

TEST(SessionChanges, AreNotMuchWiderForOneDisturbedSession) {
  SessionTimes quiet{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}}, disturbed = quiet;
  disturbed.now.back() = 1000;
  const double before = sessionChanges(std::vector{quiet}, kMissed)[0].halfWidth;
  const SessionChange change = sessionChanges(std::vector{disturbed}, kMissed)[0];
  EXPECT_NEAR(change.change, 0, 1e-12);
  EXPECT_NEAR(change.halfWidth, before, 1e-12);
}

TEST(SessionChanges, ContainTheTrueChangeAsOftenAsTheyClaim) {
  constexpr int kStudies = 2000, kPoints = 6;
  for (const std::size_t sessions : {std::size_t{3}, std::size_t{8}, std::size_t{16}}) {
    int missed = 0;
    for (int study = 0; study < kStudies; ++study) {
      std::uint64_t drawn = 0;
      const auto draw = [&] { return normalAt(static_cast<std::uint64_t>(study) + 1, 2, drawn++); };
      std::vector<SessionTimes> points(kPoints);
      for (SessionTimes& point : points)
        for (std::vector<double>* side : {&point.before, &point.now})
          for (std::size_t i = 0; i < sessions; ++i) side->push_back(0.02 * draw());
      bool all = true;
      for (const SessionChange& change : sessionChanges(points, kMissed))
        all = all && change.low <= 0 && change.high >= 0;
      missed += !all;
    }
    EXPECT_LE(missed, kStudies * 0.06) << sessions << " sessions";
  }
}

}  // namespace
}  // namespace fusebench
