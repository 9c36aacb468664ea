// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/relative_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace fusebench {
namespace {

TEST(RelativeFit, ALineIsFound) {
  const std::vector<double> x = {1, 10, 100, 1000, 10'000};
  std::vector<double> y;
  for (const double each : x) y.push_back(5 + 0.25 * each);
  const auto fit = fitRelativeLine(x, y);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->intercept.value, 5, 1e-9);
  EXPECT_NEAR(fit->slope.value, 0.25, 1e-12);
  EXPECT_LE(fit->slope.low, 0.25 + 1e-12);
  EXPECT_EQ(fit->slope.kind, Estimate::Kind::interval);
}

/// 10% of the greatest value would move the intercept of plain least squares by much more than all
/// of it.
TEST(RelativeFit, AnErrorOfTheGreatestValueLeavesTheLeastAlone) {
  const std::vector<double> x = {0, 1, 10, 100, 1000, 10'000, 100'000, 1'000'000};
  std::vector<double> y;
  for (const double each : x) y.push_back(5 + 0.25 * each);
  y.back() *= 1.1;
  EXPECT_NEAR(fitRelativeLine(x, y)->intercept.value, 5, 0.5);
  EXPECT_GT(std::abs(fitLine(x, y)->intercept.value - 5), 100);
}

TEST(RelativeFit, ThereIsNoneWithoutTwoPlacesOrOfWhatIsNotPositive) {
  EXPECT_FALSE(fitRelativeLine(std::vector<double>{1, 1}, std::vector<double>{2, 3}));
  EXPECT_FALSE(fitRelativeLine(std::vector<double>{1, 2}, std::vector<double>{2, 0}));
  EXPECT_FALSE(fitRelativeLine({}, {}));
  EXPECT_EQ(fitRelativeLine(std::vector<double>{1, 2}, std::vector<double>{2, 3})->slope.kind,
            Estimate::Kind::none);
}

}  // namespace
}  // namespace fusebench
