// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/elements.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/integer_power.h"
#include "engine/base/scalar.h"

namespace fusebench {
namespace {

bool sameBits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

TEST(Elements, EveryHalfGoesThereAndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = fromHalfBits(half);
    if (!std::isnan(value)) {
      EXPECT_EQ(halfBits(value), half);
    }
#ifdef __FLT16_MAX__
    EXPECT_TRUE(sameBits(value, static_cast<float>(std::bit_cast<_Float16>(half)))) << bits;
#endif
  }
}

TEST(Elements, EveryBfloatGoesThereAndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = fromBfloatBits(half);
    EXPECT_TRUE(sameBits(value, std::bit_cast<float>(bits << 16)));
    if (!std::isnan(value)) {
      EXPECT_EQ(bfloatBits(value), half);
    }
  }
}

/// The nearer of a value's two neighbors, or the even one if they are equally near, in double.
double nearest(double value, double below, double above, bool belowIsEven) {
  const double toBelow = value - below, toAbove = above - value;
  if (toBelow != toAbove) return toBelow < toAbove ? below : above;
  return belowIsEven ? below : above;
}

TEST(Elements, FloatsRoundToTheNearestAndOfTwoToTheEven) {
  for (std::uint64_t bits = 0; bits < 0x7f800000; bits += 4099) {
    for (const std::uint32_t near : {0u, 1u, 2u}) {
      // Includes ties and the values next to them.
      const auto value =
          std::bit_cast<float>(static_cast<std::uint32_t>(bits & ~0xfffu) + 0xfff + near);
      const std::uint16_t bfloat = bfloatBits(value);
      const auto cut = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
      if (cut < 0x7f7f) {
        EXPECT_EQ(static_cast<double>(fromBfloatBits(bfloat)),
                  nearest(value, fromBfloatBits(cut),
                          fromBfloatBits(static_cast<std::uint16_t>(cut + 1)), cut % 2 == 0))
            << value;
      }
#ifdef __FLT16_MAX__
      EXPECT_EQ(halfBits(value), std::bit_cast<std::uint16_t>(static_cast<_Float16>(value)))
          << value;
#endif
      EXPECT_EQ(halfBits(-value), halfBits(value) | 0x8000u);
    }
  }
}

TEST(Elements, HalvesBecomeInfiniteHalfwayBeyondTheGreatest) {
  EXPECT_EQ(fromHalfBits(halfBits(65519.99f)), 65504.0f);
  EXPECT_TRUE(std::isinf(fromHalfBits(halfBits(65520.0f))));
  EXPECT_EQ(fromHalfBits(halfBits(0x1p-25f)), 0.0f);
  EXPECT_EQ(fromHalfBits(halfBits(0x1.8p-25f)), 0x1p-24f);
  EXPECT_TRUE(std::isnan(fromHalfBits(halfBits(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(fromBfloatBits(bfloatBits(std::bit_cast<float>(0x7f800001u)))));
}

TEST(Elements, IntegersAreCastAsPyTorchDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(truncated(-1.9, TypeClass::int32), -1);
  EXPECT_EQ(truncated(3e9, TypeClass::int32), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(truncated(nan, TypeClass::int64), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(truncated(nan, TypeClass::int8), 0);
  EXPECT_EQ(truncated(300.7, TypeClass::int8), 44);
  EXPECT_EQ(truncated(-1.5, TypeClass::uint8), 255);
  EXPECT_EQ(saturated(300, TypeClass::uint8), 255);
  EXPECT_EQ(saturated(-std::numeric_limits<double>::infinity(), TypeClass::int64),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Elements, IntegersHavePowers) {
  EXPECT_EQ(integerPower(-3, 3), -27);
  EXPECT_EQ(integerPower(2, -1), 0);
  EXPECT_EQ(integerPower(-1, -3), -1);
  EXPECT_EQ(integerPower(0, 0), 1);
  EXPECT_EQ(integerPower(2, 64), 0);
}

}  // namespace
}  // namespace fusebench
