// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/op_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/run/reference.h"
#include "tests/engine/support/float32_row.h"

namespace fusebench::test {
namespace {

std::string pointText(std::span<const float> operands, std::span<const double> parameters) {
  std::string text = "at";
  for (float x : operands)
    text += " " + std::to_string(x) + " (" +
            ::testing::PrintToString(std::bit_cast<std::uint32_t>(x)) + ")";
  for (double p : parameters) text += ", parameter " + std::to_string(p);
  return text;
}

class EveryPointwiseRow : public ::testing::TestWithParam<const OpRow*> {};
INSTANTIATE_TEST_SUITE_P(OpValues, EveryPointwiseRow,
                         ::testing::ValuesIn(rowsOf(OpKind::pointwise)),
                         [](const auto& each) { return std::string(each.param->name); });

TEST_P(EveryPointwiseRow, HasAThousandIndependentPointsWhereTheyAreMadeElseTwenty) {
  std::size_t points = 0;
  for (const OpValues& block : loadOpValues(*GetParam())) {
    points += block.size();
    EXPECT_EQ(block.parameters.size(), GetParam()->parameters.size());
  }
  EXPECT_GE(points, allOpValuesAreMade() ? 1000u : 20u);
  RecordProperty("points", std::to_string(points));
}

TEST_P(EveryPointwiseRow, KeepsInTheRepositoryTheFirstPointsOfThoseThatAreMade) {
  if (!allOpValuesAreMade()) GTEST_SKIP() << "no gmpy2: only the kept points are here";
  const std::vector<OpValues> kept = keptOpValues(*GetParam());
  const std::vector<OpValues> made = loadOpValues(*GetParam());
  ASSERT_EQ(kept.size(), made.size());
  for (std::size_t block = 0; block < kept.size(); ++block) {
    ASSERT_LE(kept[block].size(), made[block].size());
    EXPECT_EQ(kept[block].parameters, made[block].parameters);
    for (std::size_t i = 0; i < kept[block].size(); ++i) {
      const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); };  // -0 is 0
      EXPECT_TRUE(std::ranges::equal(kept[block].point(i), made[block].point(i)));
      EXPECT_EQ(bits(kept[block].expected[i]), bits(made[block].expected[i]));
    }
  }
}

/// In double the row must agree with the exact result to a few units of a double's last place;
/// where it cancels, to the row's absolute bound scaled from float32's precision to double's.
TEST_P(EveryPointwiseRow, AgreesInDoubleWithTheExactResults) {
  const OpRow& row = *GetParam();
  const double floor = row.bound.absolute * 0x1p-29;
  int failures = 0;
  for (const OpValues& block : loadOpValues(row)) {
    RowFunction function(row, block.parameters);
    for (std::size_t i = 0; i < block.size() && failures < 5; ++i) {
      const std::span<const float> point = block.point(i);
      const double got = function(std::vector<double>(point.begin(), point.end()));
      const double exact = block.expected[i];
      const bool same = std::isnan(exact) ? std::isnan(got)
                        : std::isinf(exact)
                            ? got == exact
                            : std::fabs(got - exact) <= std::max(1e-12 * std::fabs(exact), floor);
      // Past float32's range the size no longer matters, nor below the smallest denormal.
      const float both[] = {static_cast<float>(exact), static_cast<float>(got)};
      const bool beyond = both[0] == both[1] && (std::isinf(both[0]) || both[0] == 0);
      if (!same && !beyond) {
        ++failures;
        ADD_FAILURE() << row.name << " is " << got << ", exactly " << exact << " "
                      << pointText(point, block.parameters);
      }
    }
  }
}

TEST_P(EveryPointwiseRow, KeepsItsBoundInFloat32WithPrimitivesThatAreUpToOneUlpOff) {
  const OpRow& row = *GetParam();
  int failures = 0;
  for (const OpValues& block : loadOpValues(row)) {
    Float32Row function(row, block.parameters, true);
    for (std::size_t i = 0; i < block.size() && failures < 5; ++i)
      for (int repeat = 0; repeat < 4 && failures < 5; ++repeat) {
        const float got = function(block.point(i));
        if (keepsBound(row, block.expected[i], got)) continue;
        ++failures;
        ADD_FAILURE() << row.name << " is " << got << ", exactly " << block.expected[i] << ": "
                      << ulpError(block.expected[i], got) << " ULP "
                      << pointText(block.point(i), block.parameters);
      }
  }
}

TEST(OpValuesTest, UlpErrorCountsUnitsOfTheLastPlace) {
  EXPECT_EQ(ulpError(1.0, 1.0f), 0);
  EXPECT_EQ(ulpError(1.0, std::nextafter(1.0f, 2.0f)), 1);
  EXPECT_EQ(ulpError(0.0, 0x1p-149f), 1);
  EXPECT_EQ(ulpError(1e300, INFINITY), 0);
  EXPECT_EQ(ulpError(1e300, 1.0f), INFINITY);
  EXPECT_EQ(ulpError(std::nan(""), std::nanf("")), 0);
  EXPECT_EQ(ulpError(std::nan(""), 1.0f), INFINITY);
}

TEST(OpValuesTest, BoundsAreKeptByWhatIsNearAndNotByWhatIsNot) {
  OpRow row;
  row.bound = {2, 0};
  const float one = 1;
  EXPECT_TRUE(keepsBound(row, 1.0, one + 2 * 0x1p-23f));
  EXPECT_FALSE(keepsBound(row, 1.0, one + 3 * 0x1p-23f));
  EXPECT_FALSE(keepsBound(row, 1.0, INFINITY));
  EXPECT_FALSE(keepsBound(row, 1e-30, 0.0f));
  EXPECT_TRUE(keepsBound(row, 0x1.fffffep127, INFINITY)) << "one unit away";
  EXPECT_FALSE(keepsBound(row, 0x1.fffff0p127, INFINITY)) << "eight units away";
  EXPECT_TRUE(keepsBound(row, 0x1p128, 0x1.fffffep127f));
  EXPECT_FALSE(keepsBound(row, 1e39, 0x1.fffffep127f));
  row.bound = {0, 1e-3};
  EXPECT_TRUE(keepsBound(row, 1.0, 1.0009f));
  EXPECT_FALSE(keepsBound(row, 1.0, 1.0011f));
}

}  // namespace
}  // namespace fusebench::test
