// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/moderation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "profiler/statistics/sessions.h"

namespace fusebench {
namespace {

/// Variances as so many degrees of freedom estimate them, of cells whose true ones scatter by chi
/// squared over `prior` degrees about `variance`; all alike for 0.
std::vector<Spread> drawn(std::size_t cells, double degrees, double prior, double variance) {
  std::mt19937_64 engine(7);
  std::vector<Spread> spreads;
  for (std::size_t i = 0; i < cells; ++i) {
    double truth = variance;
    if (prior > 0) truth *= prior / std::chi_squared_distribution<double>(prior)(engine);
    const double estimated =
        truth / degrees * std::chi_squared_distribution<double>(degrees)(engine);
    spreads.push_back({estimated, degrees, 8});
  }
  return spreads;
}

TEST(TypicalSpread, IsKnownWellWhereCellsAreAlike) {
  const Spread typical = typicalSpread(drawn(400, 7, 0, 4e-4));
  EXPECT_GT(typical.degrees, 60);
  EXPECT_NEAR(typical.variance, 4e-4, 0.3e-4);
}

TEST(TypicalSpread, IsWorthTheDegreesThatCellsScatterBy) {
  for (const double prior : {2.0, 5.0, 12.0}) {
    const Spread typical = typicalSpread(drawn(4000, 7, prior, 4e-4));
    EXPECT_NEAR(typical.degrees, prior, prior / 4);
    EXPECT_NEAR(typical.variance, 4e-4, 0.4e-4);
  }
}

TEST(TypicalSpread, IsNothingOfAFewCells) {
  EXPECT_EQ(typicalSpread(drawn(kFewestSpreads - 1, 7, 0, 1)).degrees, 0);
}

TEST(ModeratedPrecision, IsTheCellsOwnWhereNothingIsTypical) {
  const Spread own{4e-4, 7, 8};
  EXPECT_DOUBLE_EQ(own.moderatedPrecision({}), intervalQuantile(7) * std::sqrt(4e-4 / 8));
}

TEST(ModeratedPrecision, LiesBetweenTheCellsOwnAndWhatIsTypical) {
  const Spread own{1e-4, 7, 8}, typical{9e-4, 7, 1};
  EXPECT_DOUBLE_EQ(own.moderatedPrecision(typical), intervalQuantile(7) * std::sqrt(5e-4 / 8));
}

/// The interval is what the spread was read from, so that it leads back there.
TEST(SpreadOf, GivesTheIntervalItIsOf) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> noise(100, 2);
  std::vector<double> samples;
  std::vector<int> sessions;
  for (int i = 0; i < 80; ++i) {
    samples.push_back(noise(engine));
    sessions.push_back(i / 10);
  }
  for (const std::vector<int>& of : {std::vector<int>(), sessions}) {
    const Estimate estimate = medianOverSessions(samples, of);
    const std::optional<Spread> spread = spreadOf(samples, of);
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->degrees, 7);  // 8 blocks or sessions, less one
    EXPECT_EQ(spread->weight, of.empty() ? 80 : 8);
    EXPECT_NEAR(spread->moderatedPrecision({}), (estimate.high - estimate.low) / 2 / estimate.value,
                1e-12);
  }
  EXPECT_FALSE(spreadOf(std::vector<double>(50, 1.0), {})) << "nothing moves";
  EXPECT_FALSE(spreadOf(std::vector<double>(3, 1.0), {})) << "too few for an interval";
}

}  // namespace
}  // namespace fusebench
