// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/unpaired_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace fusebench {
namespace {

std::vector<double> upTo(int count) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i) values.push_back(i);
  return values;
}

// By hand, n = 16: c = 8.5 - 4 = 4.5, rounded to 5; P(Binomial(16, 1/2) < 5) = 2517 / 65536 =
// 0.038406, whose normal quantile is 1.76949; so the error is ln(12 / 5) / 3.53897 = 0.247379.
TEST(LogMedianError, IsThatOfAWorkedExample) {
  EXPECT_NEAR(logMedianError(upTo(16)), 0.247379, 2e-6);
}

// n = 9: c = 5 - 3 = 2; P(Binomial(9, 1/2) < 2) = 10 / 512, quantile 2.06353;
// ln(8 / 2) / 4.12706.
TEST(UnpairedRatio, IsThatOfAWorkedExample) {
  std::vector<double> tripled = upTo(9);
  for (double& value : tripled) value *= 3;
  const Estimate ratio = unpairedRatio(upTo(9), tripled);
  const double error = std::log(4.0) / 4.12706;
  EXPECT_EQ(ratio.kind, Estimate::Kind::interval);
  EXPECT_NEAR(ratio.value, 3, 1e-12);
  EXPECT_NEAR(std::log(ratio.high / ratio.value), 1.96 * std::sqrt(2.0) * error, 1e-3);
  EXPECT_NEAR(ratio.value / ratio.low, ratio.high / ratio.value, 1e-9);
}

TEST(UnpairedRatio, TurnedAroundIsTheReciprocal) {
  const std::vector<double> a{5, 6, 7, 9, 12, 13, 20}, b{1, 2, 2.5, 3, 3.5, 4, 8, 9};
  const Estimate there = unpairedRatio(a, b), back = unpairedRatio(b, a);
  EXPECT_NEAR(there.value * back.value, 1, 1e-12);
  EXPECT_NEAR(there.low * back.high, 1, 1e-12);
  EXPECT_NEAR(there.high * back.low, 1, 1e-12);
}

TEST(UnpairedRatio, OfEqualSamplesIsExact) {
  const Estimate ratio = unpairedRatio(std::vector<double>(31, 4), std::vector<double>(31, 2));
  EXPECT_EQ(ratio.value, 0.5);
  EXPECT_EQ(ratio.low, 0.5);
  EXPECT_EQ(ratio.high, 0.5);
}

TEST(UnpairedRatio, BelowSixSamplesGivesTheRangeOnly) {
  const Estimate ratio = unpairedRatio(upTo(5), std::vector<double>{10, 20});
  EXPECT_EQ(ratio.kind, Estimate::Kind::range);
  EXPECT_EQ(ratio.value, 5);
  EXPECT_EQ(ratio.low, 2);
  EXPECT_EQ(ratio.high, 20);
  EXPECT_EQ(unpairedRatio(upTo(6), upTo(6)).kind, Estimate::Kind::interval);
}

TEST(UnpairedRatio, OfNothingOrOfImpossibleTimesIsNone) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(unpairedRatio({}, upTo(9)).kind, Estimate::Kind::none);
  EXPECT_EQ(unpairedRatio(upTo(9), {}).kind, Estimate::Kind::none);
  EXPECT_EQ(unpairedRatio(upTo(9), std::vector<double>(9, 0.0)).kind, Estimate::Kind::none);
  EXPECT_EQ(unpairedRatio(std::vector<double>{1, 2, kNaN}, upTo(9)).kind, Estimate::Kind::none);
}

// How often the interval holds the true ratio, by simulation, for the sizes
// that runs have (31 at convergence, 201 at the cap, few when time runs out),
// equal and unequal spreads, symmetric and skewed noise. With 1,500 repetitions
// the simulation itself is off by about 0.6%.
struct Case {
  int countA, countB;
  double spreadA, spreadB;
  bool skewed;
};

class UnpairedCoverage : public testing::TestWithParam<Case> {};

TEST_P(UnpairedCoverage, IsAbout95Percent) {
  const Case c = GetParam();
  std::mt19937_64 bits(20250102);
  std::normal_distribution<double> normal;
  // The median is 1 either way; skewed noise sits on a floor, as latencies do.
  const auto draw = [&](int count, double spread) {
    std::vector<double> samples;
    for (int i = 0; i < count; ++i) {
      const double z = normal(bits);
      samples.push_back(c.skewed ? 1 - spread + spread * std::exp(z) : std::exp(spread * z));
    }
    return samples;
  };
  constexpr int kRepetitions = 1500;
  int covered = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const Estimate ratio = unpairedRatio(draw(c.countA, c.spreadA), draw(c.countB, c.spreadB));
    covered += ratio.low <= 1 && 1 <= ratio.high;
  }
  const double share = static_cast<double>(covered) / kRepetitions;
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.985);
}

INSTANTIATE_TEST_SUITE_P(
    Noise, UnpairedCoverage,
    testing::Values(Case{31, 31, 0.02, 0.02, false}, Case{31, 31, 0.02, 0.2, true},
                    Case{201, 31, 0.1, 0.1, false}, Case{201, 201, 0.05, 0.05, true},
                    Case{12, 40, 0.1, 0.02, true}, Case{8, 8, 0.05, 0.05, false}));

}  // namespace
}  // namespace fusebench
