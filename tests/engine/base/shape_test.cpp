// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shape.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace fusebench {
namespace {

TEST(ShapeTest, DimsHoldUpToTheGreatestRank) {
  Dims dims = Dims::filled(kMaxRank, 3);
  EXPECT_EQ(dims.rank(), kMaxRank);
  EXPECT_EQ(dims[kMaxRank - 1], 3);
  EXPECT_THROW(dims.push(1), std::length_error);
  EXPECT_THROW(Dims({1, 2, 3, 4, 5, 6, 7, 8, 9}), std::length_error);
}

TEST(ShapeTest, DimsAreEqualByTheirValuesOnly) {
  Dims longer{2, 3, 9};
  const Dims shorter{2, 3};
  EXPECT_NE(longer, shorter);
  longer = Dims{2, 3};
  EXPECT_EQ(longer, shorter);
}

TEST(ShapeTest, ElementsAreCountedWithScalarsAndEmptyOnes) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({8, 16}), 128);
  EXPECT_EQ(elementCount({8, 0, 16}), 0);
}

TEST(ShapeTest, ContiguousStridesAreRowMajor) {
  EXPECT_EQ(contiguousStrides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(contiguousStrides({}), Strides{});
  EXPECT_EQ(contiguousStrides({5, 0, 4}), (Strides{4, 4, 1}));
  EXPECT_EQ(rowMajorStrides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(rowMajorStrides({5, 0, 4}), (Strides{0, 4, 1}));
}

TEST(ShapeTest, ContiguityIgnoresStridesThatAreNeverTaken) {
  EXPECT_TRUE(isContiguous({2, 3}, {3, 1}));
  EXPECT_FALSE(isContiguous({2, 3}, {1, 2}));
  EXPECT_FALSE(isContiguous({2, 3}, {4, 1}));
  EXPECT_FALSE(isContiguous({2, 3}, {0, 1}));
  EXPECT_TRUE(isContiguous({2, 1, 3}, {3, 77, 1}));
  EXPECT_TRUE(isContiguous({1, 3}, {-5, 1}));
  EXPECT_TRUE(isContiguous({0, 3}, {8, 8}));
  EXPECT_TRUE(isContiguous({}, {}));
}

TEST(ShapeTest, BroadcastingFollowsPyTorch) {
  EXPECT_EQ(broadcast({8, 16}, {16}), (Shape{8, 16}));
  EXPECT_EQ(broadcast({16}, {8, 16}), (Shape{8, 16}));
  EXPECT_EQ(broadcast({8, 1}, {1, 16}), (Shape{8, 16}));
  EXPECT_EQ(broadcast({}, {2, 3}), (Shape{2, 3}));
  EXPECT_EQ(broadcast({0}, {1}), (Shape{0}));
  EXPECT_EQ(broadcast({1}, {0}), (Shape{0}));
  EXPECT_EQ(broadcast({0}, {2}), std::nullopt);
  EXPECT_EQ(broadcast({8, 16}, {4}), std::nullopt);
  EXPECT_EQ(broadcast({3, 1, 5}, {4, 1}), (Shape{3, 4, 5}));
}

TEST(ShapeTest, ShapesPrintAsPythonDoes) {
  EXPECT_EQ(toString(Shape{8, 16}), "(8, 16)");
  EXPECT_EQ(toString(Shape{4}), "(4,)");
  EXPECT_EQ(toString(Shape{}), "()");
}

}  // namespace
}  // namespace fusebench
