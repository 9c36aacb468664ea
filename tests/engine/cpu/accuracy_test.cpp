// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/engine/accuracy/exact.h"
#include "tests/engine/support/jit_primitive.h"

namespace fusebench::test {
namespace {

constexpr Primitive kUnary[] = {
    Primitive::neg,     Primitive::abs,        Primitive::sqrt,    Primitive::exp,
    Primitive::exp2,    Primitive::expm1,      Primitive::log,     Primitive::log2,
    Primitive::log10,   Primitive::log1p,      Primitive::sin,     Primitive::cos,
    Primitive::tan,     Primitive::asin,       Primitive::acos,    Primitive::atan,
    Primitive::sinh,    Primitive::cosh,       Primitive::tanh,    Primitive::asinh,
    Primitive::acosh,   Primitive::atanh,      Primitive::erf,     Primitive::erfc,
    Primitive::floor,   Primitive::ceil,       Primitive::trunc,   Primitive::round,
    Primitive::toTruth, Primitive::logicalNot, Primitive::toNumber};
constexpr Primitive kBinary[] = {
    Primitive::add, Primitive::sub,        Primitive::mul,      Primitive::div, Primitive::fmod,
    Primitive::pow, Primitive::atan2,      Primitive::min,      Primitive::max, Primitive::copysign,
    Primitive::lt,  Primitive::le,         Primitive::gt,       Primitive::ge,  Primitive::eq,
    Primitive::ne,  Primitive::logicalAnd, Primitive::logicalOr};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

/// Numbers around which functions change their formula or their kind of result.
std::vector<float> specials() {
  std::vector<float> values = {
      0,           1,          2,           3,          0.5f,          0.25f,      10,
      100,         0x1p-126f,  0x1p-149f,   0x1p-127f,  3.4028235e38f, 1.5707964f, 3.1415927f,
      0.70710677f, 1.4142135f, 0.34657359f, 0.5493061f, 88.722839f,    89.415985f, 103.97208f,
      150,         149,        128,         127,        126,           10.0542f,   3.92f,
      9.0109f,     17.32868f,  2.5f,        1.5f,       3.5f,          8388608,    8388607.5f,
      4194303.5f,  16777216,   262144,      1048576,    134217728,     1e10f,      1e20f,
      1e38f,       kInfinity};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i)
    for (float toward : {0.f, kInfinity}) values.push_back(std::nextafter(values[i], toward));
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  values.push_back(kNotANumber);
  // NaN whose payload would reach the exponent in careless bit arithmetic.
  values.push_back(std::bit_cast<float>(0x7fc00100u));
  values.push_back(std::bit_cast<float>(0xffc001ffu));
  return values;
}

/// Both signs of every exponent with 4,096 mantissas each (spread, their low bits mixed), and the
/// specials.
const std::vector<float>& everyExponent() {
  static const std::vector<float> values = [] {
    std::vector<float> made = specials();
    for (std::uint32_t sign = 0; sign < 2; ++sign)
      for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
        for (std::uint32_t i = 0; i < 4096; ++i) {
          const std::uint32_t low = (i * 2654435761u + exponent * 40503u) >> 21;
          made.push_back(std::bit_cast<float>(sign << 31 | exponent << 23 | i << 11 | low));
        }
    return made;
  }();
  return values;
}

/// A multiple of the block is what the compiled loop does.
std::vector<float> padded(std::vector<float> values, int block) {
  while (values.size() % static_cast<std::size_t>(block) != 0) values.push_back(values.back());
  return values;
}

/// Fails with the worst argument if the bound is broken anywhere. min and max may give either zero.
void expectUnary(Primitive primitive, const cpu::Target& target, int interleave, double limit) {
  const JitPrimitive run(primitive, target, interleave);
  const std::vector<float> x = padded(everyExponent(), run.block());
  std::vector<float> y(x.size());
  run(x, y);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulpError(y[i], exactUnary(primitive, x[i]));
    if (error > worst) worst = error, at = i;
  }
  EXPECT_LE(worst, limit) << fmt::format("{}({}) = {}, exactly {}", info(primitive).name, x[at],
                                         y[at], exactUnary(primitive, x[at]));
}

struct Pairs {
  std::vector<float> x, y;
  void add(float a, float b) {
    x.push_back(a);
    y.push_back(b);
  }
};

/// The specials against each other, any bit patterns, ordinary sizes, and where pow and atan2 are
/// hard.
const Pairs& pairs() {
  static const Pairs made = [] {
    Pairs p;
    const std::vector<float> some = specials();
    for (float a : some)
      for (float b : some) p.add(a, b);
    std::mt19937 random(20240917);
    std::uniform_real_distribution<float> unit(0, 1);
    for (int i = 0; i < 200'000; ++i)
      p.add(std::bit_cast<float>(static_cast<std::uint32_t>(random())),
            std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    for (int i = 0; i < 200'000; ++i) p.add(20 * unit(random), 20 * unit(random) - 10);
    for (int i = 0; i < 100'000; ++i) {  // pow: a base near 1 with a large exponent
      const float base =
          1 + (unit(random) - 0.5f) * std::ldexp(1.f, -static_cast<int>(random() % 22));
      p.add(base, 87 / std::log(base) * unit(random));
    }
    for (int i = 0; i < 50'000; ++i)
      p.add(-20 * unit(random), static_cast<float>(static_cast<int>(random() % 61) - 30));
    for (int i = 0; i < 100'000; ++i) {  // atan2: near the axes and the diagonals
      const float x = unit(random) - 0.5f;
      const float small = std::ldexp(unit(random), -static_cast<int>(random() % 40));
      p.add(x, x * small);
      p.add(x * small, x);
      p.add(x, -x * (1 + small));
    }
    return p;
  }();
  return made;
}

bool sameZero(Primitive primitive, float got, double exact) {
  return (primitive == Primitive::min || primitive == Primitive::max) && got == 0 && exact == 0;
}

void expectBinary(Primitive primitive, const cpu::Target& target, int interleave, double limit) {
  const JitPrimitive run(primitive, target, interleave);
  const std::vector<float> x = padded(pairs().x, run.block()), y = padded(pairs().y, run.block());
  std::vector<float> z(x.size());
  run(x, y, z);
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = exactBinary(primitive, x[i], y[i]);
    const double error = sameZero(primitive, z[i], exact) ? 0 : ulpError(z[i], exact);
    if (error > worst) worst = error, at = i;
  }
  EXPECT_LE(worst, limit) << fmt::format("{}({}, {}) = {}, exactly {}", info(primitive).name, x[at],
                                         y[at], z[at], exactBinary(primitive, x[at], y[at]));
}

struct Shape {
  int width;
  int interleave;
};
class Accuracy : public ::testing::TestWithParam<Shape> {};

TEST_P(Accuracy, UnaryPrimitivesKeepTheirBoundsAtEveryExponent) {
  const auto [width, interleave] = GetParam();
  for (Primitive primitive : kUnary)
    expectUnary(primitive, cpu::hostTarget(width), interleave, bound(primitive));
}

TEST_P(Accuracy, BinaryPrimitivesKeepTheirBoundsOnSpecialAndHardPairs) {
  const auto [width, interleave] = GetParam();
  for (Primitive primitive : kBinary)
    expectBinary(primitive, cpu::hostTarget(width), interleave, bound(primitive));
}

INSTANTIATE_TEST_SUITE_P(Widths, Accuracy,
                         ::testing::Values(Shape{4, 8}, Shape{8, 4}, Shape{16, 1}),
                         [](const auto& shape) {
                           return fmt::format("width{}x{}", shape.param.width,
                                              shape.param.interleave);
                         });

TEST(AccuracyWithoutFma, UnaryPrimitivesKeepTheirBounds) {
  const cpu::Target target = hostWithout("-fma,-avx2", 4);
  for (Primitive primitive : kUnary) expectUnary(primitive, target, 4, bound(primitive));
}

TEST(AccuracyWithoutFma, BinaryPrimitivesKeepTheirBounds) {
  const cpu::Target target = hostWithout("-fma,-avx2", 4);
  for (Primitive primitive : kBinary) expectBinary(primitive, target, 4, bound(primitive));
}

TEST(AccuracyWithoutRoundInstruction, RoundingIsExact) {
  const cpu::Target target = hostWithout("-fma,-avx,-avx2,-sse4.1,-sse4.2", 4);
  for (Primitive primitive :
       {Primitive::floor, Primitive::ceil, Primitive::trunc, Primitive::round})
    expectUnary(primitive, target, 4, 0);
  for (Primitive primitive : {Primitive::fmod, Primitive::pow})
    expectBinary(primitive, target, 4, bound(primitive));
}

std::vector<std::uint32_t> bitsOf(const std::vector<float>& values) {
  std::vector<std::uint32_t> made;
  for (float value : values) made.push_back(std::bit_cast<std::uint32_t>(value));
  return made;
}

// Executors that split work differently must agree bit for bit, whatever the values in the other
// lanes, including huge arguments, for which a host function is called.
TEST(VectorMathBits, DoNotDependOnWidthInterleaveOrNeighbours) {
  for (Primitive primitive :
       {Primitive::sin, Primitive::cos, Primitive::tan, Primitive::exp, Primitive::log,
        Primitive::tanh, Primitive::erf, Primitive::erfc, Primitive::atanh}) {
    const JitPrimitive narrow(primitive, cpu::hostTarget(4), 1),
        wide(primitive, cpu::hostTarget(16), 8);
    std::vector<float> x = padded(everyExponent(), 128);
    std::shuffle(x.begin(), x.end(), std::mt19937(7));
    std::vector<float> a(x.size()), b(x.size());
    narrow(x, a);
    wide(x, b);
    EXPECT_TRUE(bitsOf(a) == bitsOf(b)) << info(primitive).name;
  }
}

struct Point {
  Primitive primitive;
  float x, y;
};

// People notice when these are off by one unit in the last place.
TEST(FamiliarPoints, AreExact) {
  const std::vector<Point> points = {{Primitive::exp, 0, 1},
                                     {Primitive::exp2, 10, 1024},
                                     {Primitive::exp2, -149, 0x1p-149f},
                                     {Primitive::log, 1, 0},
                                     {Primitive::log2, 8, 3},
                                     {Primitive::log2, 0x1p-149f, -149},
                                     {Primitive::log10, 1000, 3},
                                     {Primitive::log10, 1e10f, 10},
                                     {Primitive::sin, 1.5707964f, 1},
                                     {Primitive::cos, 0, 1},
                                     {Primitive::cosh, 0, 1},
                                     {Primitive::tanh, 20, 1},
                                     {Primitive::asin, 1, 1.5707964f},
                                     {Primitive::acos, -1, 3.1415927f},
                                     {Primitive::acos, 0, 1.5707964f},
                                     {Primitive::erf, 4, 1},
                                     {Primitive::erfc, 0, 1},
                                     {Primitive::cos, 3.1415927f, -1}};
  for (const Point& point : points) {
    const JitPrimitive run(point.primitive, cpu::hostTarget(8), 1);
    std::vector<float> x(8, point.x), y(8);
    run(x, y);
    EXPECT_EQ(y[0], point.y) << info(point.primitive).name << '(' << point.x << ')';
  }
}

TEST(Fma, RoundsOnce) {
  const JitPrimitive run(Primitive::fma, cpu::hostTarget(8), 1);
  std::vector<float> a(8, 1 + 0x1p-12f), b(8, 1 + 0x1p-12f), c(8, -1 - 0x1p-11f), r(8);
  run(a, b, c, r);
  EXPECT_EQ(r[0], 0x1p-24f);
}

TEST(Fma, IsExactThroughDoubleWithoutHardware) {
  const JitPrimitive run(Primitive::fma, hostWithout("-fma,-avx2", 4), 1);
  std::vector<float> a(4, 1 + 0x1p-12f), b(4, 1 + 0x1p-12f), c(4, -1 - 0x1p-11f), r(4);
  run(a, b, c, r);
  EXPECT_EQ(r[0], 0x1p-24f);
}

TEST(MinAndMax, LetNanThroughBesideAConstant) {
  const std::vector<float> x = {kNotANumber, -1, 7, kInfinity, -kInfinity, 3, 0.5f, kNotANumber};
  std::vector<float> y(8);
  JitPrimitive(Primitive::max, cpu::hostTarget(8), 1, 3)(x, y);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(ulpError(y[i], exactBinary(Primitive::max, x[i], 3)), 0) << i;
  JitPrimitive(Primitive::min, cpu::hostTarget(8), 1, 3)(x, y);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(ulpError(y[i], exactBinary(Primitive::min, x[i], 3)), 0) << i;
  JitPrimitive(Primitive::min, cpu::hostTarget(8), 1, static_cast<double>(kNotANumber))(x, y);
  for (float value : y) EXPECT_TRUE(std::isnan(value));
}

TEST(Select, TakesTheSecondOperandWhereTrueAndTheThirdElsewhere) {
  const JitPrimitive run(Primitive::select, cpu::hostTarget(8), 1);
  std::vector<float> a = {0, 1, -0.f, kNotANumber, 2, 0, 0, 1}, b(8, 5), c(8, kNotANumber), r(8);
  run(a, b, c, r);
  const std::array<bool, 8> first = {false, true, false, true, true, false, false, true};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(r[i] == 5, first[i]) << i;
}

}  // namespace
}  // namespace fusebench::test
