// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/checked_size.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/dim_order.h"
#include "engine/base/form.h"
#include "engine/base/size_math.h"

namespace fusebench {
namespace {

constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

TEST(CheckedSize, ThrowsInsteadOfWrapping) {
  EXPECT_EQ(checkedAdd(kGreatest - 1, 1), kGreatest);
  EXPECT_EQ(checkedSubtract(kLowest + 1, 1), kLowest);
  EXPECT_EQ(checkedMultiply(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_THROW(checkedAdd(kGreatest, 1), SizeOverflow);
  EXPECT_THROW(checkedSubtract(kLowest, 1), SizeOverflow);
  EXPECT_THROW(checkedMultiply(std::int64_t{1} << 32, std::int64_t{1} << 31), SizeOverflow);
  EXPECT_EQ(cappedAdd(kGreatest, 5), kGreatest);
  EXPECT_EQ(cappedMultiply(kGreatest / 2, 3), kGreatest);
  EXPECT_EQ(cappedMultiply(6, 7), 42);
}

TEST(CheckedSize, CountsAndStridesOfShapesDoNotWrap) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_THROW(elementCount({32, large, large}), SizeOverflow);
  EXPECT_THROW(contiguousStrides({0, large, large, large}), SizeOverflow);
  EXPECT_THROW(rowMajorStrides({4, large, large}), SizeOverflow);
  EXPECT_EQ(reachedCount({0, 3, 4}), 12);
  EXPECT_EQ(reachedCount({0, large, large}), std::nullopt);
  // The product of these is 2^57 + 1, of which the low 32 bits are those of 1.
  const std::int64_t a = (std::int64_t{1} << 19) + 1;
  const std::int64_t b = (std::int64_t{1} << 38) - (std::int64_t{1} << 19) + 1;
  EXPECT_EQ(elementCount({a, b}), (std::int64_t{1} << 57) + 1);
  EXPECT_THROW(elementCount({a, b, 64, 2}), SizeOverflow);
  EXPECT_THROW(elementBytes(contiguousForm(DType::float64, {a, b, 8})), SizeOverflow);
}

TEST(CheckedSize, SymbolicSizesDoNotWrap) {
  const SymbolicSize product =
      SymbolicSize(1 << 20) * SymbolicSize::symbol(0) * SymbolicSize::symbol(1);
  const std::array<std::int64_t, 2> small{3, 5};
  const std::array<std::int64_t, 2> large{std::int64_t{1} << 30, std::int64_t{1} << 30};
  EXPECT_EQ(product.evaluate(small), 15 << 20);
  EXPECT_THROW(product.evaluate(large), SizeOverflow);
  EXPECT_THROW(SymbolicSize(std::int64_t{1} << 40) * SymbolicSize(std::int64_t{1} << 40),
               SizeOverflow);
  EXPECT_THROW(applied(SizeOperation::add, kGreatest, 1), SizeOverflow);
  EXPECT_THROW(SizeMath<std::int64_t>::multiply(kGreatest, 2), SizeOverflow);
  EXPECT_THROW(floorDivide(kLowest, -1), SizeOverflow);
}

TEST(CheckedSize, SaysWhereElementsLie) {
  const Reach reach = reachOf({3, 4}, {-10, 2});
  EXPECT_EQ(reach.least, -20);
  EXPECT_EQ(reach.greatest, 6);
  const Reach repeated = reachOf({std::int64_t{1} << 40, std::int64_t{1} << 40}, {0, 0});
  EXPECT_EQ(repeated.greatest, 0);
  EXPECT_THROW(reachOf({std::int64_t{1} << 40}, {std::int64_t{1} << 40}), SizeOverflow);
}

}  // namespace
}  // namespace fusebench
