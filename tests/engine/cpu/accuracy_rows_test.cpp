// SPDX-License-Identifier: GPL-3.0-or-later
// Every op row keeps its error bound in every float dtype. The results of eager and static at a few
// thousand points are compared with those of MPFR at 200 bits.
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/cpu/runtime/cpu_backend.h"
#include "tests/engine/accuracy/exact_row.h"
#include "tests/engine/accuracy/row_errors.h"

namespace fusebench::test {
namespace {

class RowsExactly : public ::testing::TestWithParam<DType> {
 protected:
  RowsExactly() {
    CpuOptions options;
    options.diskCache = false;
    options.threads = 1;
    backend_ = makeCpuBackend(options);
  }
  std::unique_ptr<Backend> backend_;
};
INSTANTIATE_TEST_SUITE_P(DTypes, RowsExactly, ::testing::ValuesIn(kFloatDTypes),
                         [](const auto& each) {
                           return std::string(fusebench::info(each.param).name);
                         });

TEST_P(RowsExactly, KeepTheirBoundsBesideManyBits) {
  const std::string executors[] = {"eager", "static"};
  for (const OpRow* row : functionRows()) {
    const RowErrors errors = errorsOf(*row, GetParam(), *backend_, executors);
    EXPECT_GE(errors.points, 2000u) << row->name;
    EXPECT_EQ(errors.broken, 0u) << row->name << " of " << errors.points << " points";
    for (const BrokenBound& each : errors.examples)
      ADD_FAILURE() << fmt::format("{} of {} by {}: {}, exactly {}: {} ULP at {}", row->name,
                                   info(GetParam()).name, each.executor, each.got, each.exact,
                                   each.ulp, each.operands);
  }
}

// The committed points are of a second statement of each op, made apart from the table: formulas
// in many bits are these functions, to a double's last place.
TEST(ManyBitsTest, FormulasInManyBitsAreTheFunctionsThatTheyStandFor) {
  for (const OpRow* row : functionRows())
    for (const OpValues& block : loadOpValues(*row)) {
      // x - tanh(x) of 1e-38 is in the 250th bit.
      ExactRow exactly(*row, block.parameters, 600);
      int shown = 0;
      for (std::size_t i = 0; i < block.size() && shown < 3; ++i) {
        const std::span<const float> point = block.point(i);
        const double got =
            mpfr_get_d(exactly(std::vector<double>(point.begin(), point.end())), MPFR_RNDN);
        const double expected = block.expected[i];
        if (got == expected || (std::isnan(got) && std::isnan(expected))) continue;
        if (std::nextafter(got, expected) == expected) continue;
        ++shown;
        ADD_FAILURE() << fmt::format("{} is {}, by its second statement {}, at {}", row->name, got,
                                     expected, point[0]);
      }
    }
}

// What cancels in a formula does not reach a double's digits: with five times as many bits it is
// the same.
TEST(ManyBitsTest, TwoHundredBitsAreEnough) {
  for (const OpRow* row : functionRows())
    for (const OpValues& block : loadOpValues(*row)) {
      ExactRow exactly(*row, block.parameters), again(*row, block.parameters, 1000);
      const auto columns = typedPoints(*row, block, DType::float64);
      std::vector<double> point(columns.size());
      for (std::size_t i = 0; i < columns[0].size(); i += 16) {
        for (std::size_t o = 0; o < point.size(); ++o) point[o] = columns[o][i];
        const double got = mpfr_get_d(exactly(point), MPFR_RNDN);
        const double more = mpfr_get_d(again(point), MPFR_RNDN);
        const double room = std::max(0x1p-50 * std::fabs(more), row->bound.absolute64);
        EXPECT_TRUE(got == more || std::fabs(got - more) <= room ||
                    (std::isnan(got) && std::isnan(more)))
            << row->name << " is " << got << ", with more bits " << more << ", at " << point[0];
      }
    }
}

TEST(ManyBitsTest, ElementsAreRoundedToNearestAndEndAtTheirRange) {
  ManyBits number;
  const auto nearest = [&](DType dtype, const char* text) {
    mpfr_set_str(number, text, 10, MPFR_RNDN);
    return nearestElement(dtype, number);
  };
  EXPECT_EQ(nearest(DType::float16, "0.1"), 0x1.998p-4);
  EXPECT_EQ(nearest(DType::float16, "65519.9"), 65504);
  EXPECT_EQ(nearest(DType::float16, "65520"), INFINITY);
  EXPECT_EQ(nearest(DType::float16, "1e-8"), 0);
  EXPECT_EQ(nearest(DType::float16, "4e-8"), 0x1p-24);
  EXPECT_EQ(nearest(DType::bfloat16, "-3.14159"), -3.140625);
  EXPECT_EQ(nearest(DType::float32, "0.1"), static_cast<double>(0.1f));
  EXPECT_EQ(nearest(DType::float64, "0.1"), 0.1);
}

TEST(ManyBitsTest, BoundsOfNarrowTypesAreOneRoundingOfFloat32s) {
  OpRow row;
  row.bound = {2, 0};
  ManyBits exact;
  // Half way between two bfloat16, and a float32's last place to either side: both are near.
  mpfr_set_d(exact, 1 + 0x1p-8, MPFR_RNDN);
  EXPECT_TRUE(keepsBound(row, DType::bfloat16, exact, 1));
  EXPECT_TRUE(keepsBound(row, DType::bfloat16, exact, 1 + 0x1p-7));
  EXPECT_FALSE(keepsBound(row, DType::bfloat16, exact, 1 - 0x1p-8));
  mpfr_set_d(exact, 1 + 0x1p-8 + 0x1p-20, MPFR_RNDN);
  EXPECT_FALSE(keepsBound(row, DType::bfloat16, exact, 1)) << "the wrong one of two neighbors";
  mpfr_set_d(exact, 70000, MPFR_RNDN);
  EXPECT_TRUE(keepsBound(row, DType::float16, exact, INFINITY));
  EXPECT_FALSE(keepsBound(row, DType::float16, exact, 65504));
  mpfr_set_d(exact, 1, MPFR_RNDN);
  EXPECT_TRUE(keepsBound(row, DType::float64, exact, 1 + 0x1p-51));
  EXPECT_FALSE(keepsBound(row, DType::float64, exact, 1 + 0x1.8p-50));
}

}  // namespace
}  // namespace fusebench::test
