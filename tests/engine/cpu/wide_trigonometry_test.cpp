// SPDX-License-Identifier: GPL-3.0-or-later
// sin and cos of float64 against the C library's of long double.
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

constexpr double kHalfPiNearest = 1.57079632679489661923;

/// Values of every magnitude, multiples of pi/2 and their neighbors, and the vector code's limits.
std::vector<double> arguments() {
  std::vector<double> x = {0,
                           -0.0,
                           0x1p-1074,
                           0x1p-1022,
                           0x1p-30,
                           1e-8,
                           0.5,
                           1,
                           1e300,
                           0x1p20,
                           std::nextafter(0x1p20, 2e6),
                           -0x1p20,
                           1e22};
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> exponent(-40, 21), sign(-1, 1);
  for (int i = 0; i < 200'000; ++i)
    x.push_back(std::copysign(std::exp2(exponent(engine)), sign(engine)));
  for (int n = 1; n < 660'000; n += n < 2000 ? 1 : 331) {
    double at = n * kHalfPiNearest;
    for (int step = -2; step <= 2; ++step) {
      x.push_back(at + step * (std::nextafter(at, 1e9) - at));
      x.push_back(-x.back());
    }
  }
  return x;
}

double ulpsBetween(double got, long double exact) {
  const double nearest = static_cast<double>(exact);
  const double ulp =
      std::max(std::abs(nearest) - std::nextafter(std::abs(nearest), 0.0), 0x1p-1074);
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) /
                             static_cast<long double>(ulp));
}

double greatestError(const std::vector<double>& x, const std::vector<double>& y,
                     long double (*exact)(long double)) {
  double greatest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    greatest = std::max(greatest, ulpsBetween(y[i], exact(static_cast<long double>(x[i]))));
  return greatest;
}

TEST(WideTrigonometry, IsWithinAUlpOverAllArguments) {
  const std::vector<double> x = arguments();
  for (const int width : {4, 8, 16}) {
    EngineFixture fixture(EngineFixture::withoutDisk(width, 0, 1));
    const std::vector<Tensor> inputs{
        fixture.typed(DType::float64, {static_cast<std::int64_t>(x.size())}, x)};
    for (const char* executor : {"eager", "static", "instant"}) {
      const auto both = fixture.run(executor, "def f(x):\n  return x.sin(), x.cos()", inputs);
      const std::vector<double> sine = EngineFixture::values(both[0]),
                                cosine = EngineFixture::values(both[1]);
      EXPECT_LT(greatestError(x, sine, sinl), 0.9) << executor << ", width " << width;
      EXPECT_LT(greatestError(x, cosine, cosl), 0.9) << executor << ", width " << width;
      EXPECT_TRUE(std::signbit(sine[1])) << "of -0";
    }
  }
}

TEST(WideTrigonometry, IsNanOfNanAndOfInfinities) {
  EngineFixture fixture;
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<Tensor> inputs{fixture.typed(
      DType::float64, {4}, {std::numeric_limits<double>::quiet_NaN(), infinite, -infinite, 1})};
  const auto both = fixture.run("eager", "def f(x):\n  return x.sin(), x.cos()", inputs);
  for (const Tensor& result : both) {
    const std::vector<double> y = EngineFixture::values(result);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(y[i])) << i;
    EXPECT_FALSE(std::isnan(y[3])) << "next to the special values";
  }
}

}  // namespace
}  // namespace fusebench
