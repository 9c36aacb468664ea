// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace fusebench {
namespace {

std::vector<double> oneTo(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Median, IsTheMiddleOneOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

struct Ranks {
  int samples, low, high;
};
class IntervalRanks : public testing::TestWithParam<Ranks> {};

// Ranks worked out by hand from floor((m - 1.96 sqrt m) / 2) and ceil(1 + (m + 1.96 sqrt m) / 2).
TEST_P(IntervalRanks, AreThoseOfTheFormula) {
  const Estimate estimate = medianInterval(oneTo(GetParam().samples));
  EXPECT_EQ(estimate.kind, Estimate::Kind::interval);
  EXPECT_EQ(estimate.low, GetParam().low);
  EXPECT_EQ(estimate.high, GetParam().high);
}
INSTANTIATE_TEST_SUITE_P(Known, IntervalRanks,
                         testing::Values(Ranks{6, 1, 6}, Ranks{7, 1, 7}, Ranks{8, 1, 8},
                                         Ranks{10, 1, 10}, Ranks{20, 5, 16}, Ranks{31, 10, 22},
                                         Ranks{100, 40, 61}, Ranks{201, 86, 116}));

TEST(MedianInterval, HasOnlyARangeForFewSamples) {
  const Estimate estimate = medianInterval(std::vector<double>{5, 1, 3, 2, 4});
  EXPECT_EQ(estimate.kind, Estimate::Kind::range);
  EXPECT_EQ(estimate.value, 3);
  EXPECT_EQ(estimate.low, 1);
  EXPECT_EQ(estimate.high, 5);
  EXPECT_EQ(medianInterval({}).kind, Estimate::Kind::none);
}

TEST(PairedRatio, SaysHowManyTimesTheSecondTheFirstIs) {
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    b.push_back(100 + 10 * i);  // a drift that pairing cancels
    a.push_back(3 * b.back());
  }
  const Estimate ratio = pairedRatio(a, b);
  EXPECT_NEAR(ratio.value, 3, 1e-12);
  EXPECT_NEAR(ratio.low, 3, 1e-12);
  EXPECT_NEAR(ratio.high, 3, 1e-12);
}

TEST(Drift, IsSeenWhenTheHalvesDifferAndNotOtherwise) {
  std::vector<double> level, rising;
  for (int i = 0; i < 60; ++i) {
    level.push_back(100 + i % 5);
    rising.push_back(100 + i % 5 + (i >= 30 ? 10 : 0));
  }
  EXPECT_FALSE(drifted(level));
  EXPECT_TRUE(drifted(rising));
  std::vector<double> grains;  // equal times that differ by a clock's resolution
  for (int i = 0; i < 60; ++i) grains.push_back(i < 30 ? 56'512.0 : 56'511.958);
  EXPECT_FALSE(drifted(grains));
  EXPECT_FALSE(
      drifted(std::vector<double>{1, 2, 3, 4, 50, 60, 70, 80}));  // halves too short to judge
}

TEST(LineFit, FindsAnExactLine) {
  const auto fit = fitLine(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 7, 9, 11});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope.value, 2, 1e-12);
  EXPECT_NEAR(fit->intercept.value, 3, 1e-12);
  EXPECT_NEAR(fit->slope.high - fit->slope.low, 0, 1e-9);
}

// Worked example: x = 1..5, y = 2 4 5 4 5: slope 0.6, intercept 2.2, residual deviation sqrt(2.4 /
// 3), t(3) = 3.1824, so the slope's half-width is 3.1824 x 0.894427 / sqrt(10) = 0.9001.
TEST(LineFit, GivesStudentIntervals) {
  const auto fit = fitLine(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 4, 5, 4, 5});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope.value, 0.6, 1e-12);
  EXPECT_NEAR(fit->intercept.value, 2.2, 1e-12);
  EXPECT_NEAR((fit->slope.high - fit->slope.low) / 2, 0.9001, 1e-3);
  EXPECT_NEAR((fit->intercept.high - fit->intercept.low) / 2, 0.9001 * std::sqrt(11.0), 3e-3);
}

// t(0.975; 20 degrees) = 2.0860 and t(0.975; 60) = 2.0003.
TEST(LineFit, UsesTheRightQuantileBeyondTheTable) {
  for (const auto& [points, quantile] : {std::pair{22, 2.0860}, std::pair{62, 2.0003}}) {
    std::vector<double> x, y;
    for (int i = 0; i < points; ++i) {
      x.push_back(i);
      y.push_back(i % 2 ? 1 : -1);
    }
    const auto fit = fitLine(x, y);
    double meanX = (points - 1) / 2.0, xx = 0, residual = 0;
    for (int i = 0; i < points; ++i) {
      xx += (i - meanX) * (i - meanX);
      const double off =
          y[static_cast<std::size_t>(i)] - fit->intercept.value - fit->slope.value * i;
      residual += off * off;
    }
    const double deviation = std::sqrt(residual / (points - 2));
    EXPECT_NEAR((fit->slope.high - fit->slope.value) / (deviation / std::sqrt(xx)), quantile, 2e-4);
  }
}

TEST(LineFit, NeedsTwoPlacesAndThreePointsForIntervals) {
  EXPECT_FALSE(fitLine(std::vector<double>{1, 1}, std::vector<double>{2, 3}));
  EXPECT_FALSE(fitLine(std::vector<double>(7, 1.0), std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(fitLine(std::vector<double>{1}, std::vector<double>{2}));
  const auto two = fitLine(std::vector<double>{1, 2}, std::vector<double>{2, 3});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->slope.kind, Estimate::Kind::none);
}

TEST(StoppingRule, WantsItsMinimumThenPrecisionThenGivesUpAtTheCap) {
  const StoppingRule rule;
  EXPECT_EQ(verdict(rule, std::vector<double>(30, 100.0)), Verdict::goOn);
  EXPECT_EQ(verdict(rule, std::vector<double>(31, 100.0)), Verdict::converged);
  std::vector<double> noisy;
  for (int i = 0; i < 201; ++i) noisy.push_back(i % 2 ? 50 : 150);
  EXPECT_EQ(verdict(rule, std::span(noisy).first(200)), Verdict::goOn);
  EXPECT_EQ(verdict(rule, noisy), Verdict::cap);
}

}  // namespace
}  // namespace fusebench
