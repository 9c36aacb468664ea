// SPDX-License-Identifier: GPL-3.0-or-later
// Code that is omitted because a value's range does not need it must not change a bit. Eager
// kernels know no ranges, since each contains one op and reads its input from memory.
#include "engine/cpu/math/ranges.h"

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "engine/plan/lowering.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

std::vector<float> specialValues() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {
      0.0f,    -0.0f,    kInfinity, -kInfinity, std::nanf(""), 1e-45f,     -1e-40f, 1e-38f,
      3.4e38f, -3.4e38f, 88.8f,     -104.0f,    1.5707964f,    3.1415927f, 7.1e-8f, 1e10f};
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-40, 38), sign(-1, 1);
  while (values.size() < 1024)
    values.push_back(std::copysign(std::pow(10.0f, exponent(random)), sign(random)));
  return values;
}

class Ranges : public EngineFixture, public testing::TestWithParam<const char*> {};

TEST_P(Ranges, LeaveEveryBitAsItIs) {
  const Tensor x = tensor({1024}, specialValues());
  const std::string text = std::string(GetParam()) + "\nreturn x";
  const Tensor eager = run("eager", text, {x}).at(0);
  for (const char* name : {"static", "dynamic", "instant"}) {
    const Tensor fused = run(name, text, {x}).at(0);
    const auto *a = static_cast<const float*>(eager.data()),
               *b = static_cast<const float*>(fused.data());
    for (int i = 0; i < 1024; ++i) {
      if (std::isnan(a[i]) && std::isnan(b[i])) continue;
      std::uint32_t first = 0, second = 0;
      std::memcpy(&first, a + i, sizeof first);
      std::memcpy(&second, b + i, sizeof second);
      EXPECT_EQ(first, second) << name << " of " << static_cast<const float*>(x.data())[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Chains, Ranges,
    testing::Values("x = torch.sin(x)\nx = torch.exp(x)", "x = torch.cos(x)\nx = torch.sin(x)",
                    "x = torch.sin(x) * 1.1\nx = torch.cos(x)",
                    "x = torch.tanh(x) * 0.3\nx = torch.exp(x)",
                    "x = torch.sigmoid(x) * 40\nx = torch.exp(x)",
                    "x = torch.sigmoid(x) * 200 - 100\nx = torch.exp(x)",
                    "x = torch.sigmoid(x) * 8 - 4\nx = torch.sin(x)",
                    "x = torch.sigmoid(x) + 2.7\nx = torch.sin(x)",
                    "x = torch.sigmoid(x) + 2.7\nx = torch.cos(x)",
                    "x = torch.relu(x)\nx = torch.sin(x)", "x = torch.abs(x)\nx = torch.exp(-x)",
                    "x = torch.exp(x)\nx = torch.cos(x)",
                    "x = torch.where(x > 0, torch.sin(x), torch.cos(x))\nx = torch.exp(x)",
                    "x = torch.maximum(torch.sin(x), torch.cos(x))\nx = torch.sin(x)",
                    "x = torch.add(torch.sin(x), torch.cos(x), alpha=0.5)\nx = torch.sin(x)",
                    "x = torch.lerp(torch.sin(x), torch.cos(x), 0.3)\nx = torch.exp(x)"));

TEST(ValueRanges, AreNotWiderThanIsUseful) {
  EngineFixture fixture;
  const auto made = fixture.executor("static", "x = torch.sin(x)\nx = x * 2 + 1\nreturn x");
  const Kernel kernel = made->kernels(std::vector{fixture.random({64})}).at(0);
  const std::vector<cpu::Range> ranges = cpu::valueRanges(kernel);
  EXPECT_TRUE(ranges.back().within(-1.01, 3.01));
  EXPECT_FALSE(ranges.back().within(-0.99, 3.01));
}

/// A range that is known for a value, and values in it for which claims are checked.
struct Known {
  cpu::Range range;
  std::vector<double> values;
};

std::vector<Known> knownValues() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Known> known = {{{}, {-kInfinity, -3e38, -1, -1e-45, 0, 1e-45, 1, 3e38, kInfinity}},
                              {{0, 0}, {0}},
                              {{2, kInfinity}, {2, 1e30, kInfinity}},
                              {{-kInfinity, -2}, {-kInfinity, -1e30, -2}},
                              {{-1e-44, 1e-44}, {-1e-44, 0, 1e-44}}};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-6, 6), sign(-1, 1), part(0, 1);
  const auto number = [&] { return std::copysign(std::pow(10.0, exponent(random)), sign(random)); };
  for (int i = 0; i < 12; ++i) {
    const double a = static_cast<float>(number()), b = static_cast<float>(number());
    Known each{{std::min(a, b), std::max(a, b)}, {a, b}};
    for (int v = 0; v < 3; ++v)
      each.values.push_back(static_cast<float>(a + (b - a) * part(random)));
    known.push_back(std::move(each));
  }
  return known;
}

/// Computed as a kernel does, in float; the functions with an error of a few units.
double computed(Primitive primitive, float a, float b, float c) {
  const auto inFloat = [](double exact) { return static_cast<double>(static_cast<float>(exact)); };
  switch (primitive) {
    case Primitive::add:
      return inFloat(double{a} + b);
    case Primitive::sub:
      return inFloat(double{a} - b);
    case Primitive::mul:
      return inFloat(double{a} * b);
    case Primitive::div:
      return inFloat(double{a} / b);
    case Primitive::fma:
      return inFloat(std::fma(double{a}, double{b}, double{c}));
    case Primitive::neg:
      return -a;
    case Primitive::abs:
      return std::abs(a);
    case Primitive::sqrt:
      return inFloat(std::sqrt(double{a}));
    case Primitive::exp:
      return inFloat(std::exp(double{a}) * (1 + 0x1p-22));
    case Primitive::expm1:
      return inFloat(std::expm1(double{a}) * (1 - 0x1p-22));
    case Primitive::tanh:
      return inFloat(std::tanh(double{a}) * (1 + 0x1p-23));
    case Primitive::atan:
      return inFloat(std::atan(double{a}));
    case Primitive::sin:
      return inFloat(std::sin(double{a}));
    case Primitive::cos:
      return inFloat(std::cos(double{a}));
    case Primitive::min:
      return std::min(a, b);
    case Primitive::max:
      return std::max(a, b);
    default:
      throw std::logic_error("a primitive that is not tried");
  }
}

TEST(ValueRanges, HoldWhateverIsComputedFromValuesInThem) {
  const std::vector<Known> known = knownValues();
  for (const Primitive primitive :
       {Primitive::add, Primitive::sub, Primitive::mul, Primitive::div, Primitive::fma,
        Primitive::neg, Primitive::abs, Primitive::sqrt, Primitive::exp, Primitive::expm1,
        Primitive::tanh, Primitive::atan, Primitive::sin, Primitive::cos, Primitive::min,
        Primitive::max}) {
    const int arity = info(primitive).arity;
    int narrowed = 0;
    for (std::size_t number = 0; number < 400; ++number) {
      const Known *a = &known[number % known.size()], *b = &known[number / 7 % known.size()],
                  *c = &known[number / 31 % known.size()];
      std::array<cpu::Range, 4> ranges{a->range, b->range, c->range};
      const cpu::RangeNode node(ExprNode{primitive, TypeClass::float32}, {0, 1, 2});
      cpu::findRanges({&node, 1}, ranges.data(), 3);
      narrowed += ranges[3] == cpu::Range() ? 0 : 1;
      EXPECT_LE(ranges[3].low, ranges[3].high);
      for (const double x : a->values)
        for (const double y : b->values)
          for (const double z : c->values) {
            const double value = computed(primitive, static_cast<float>(x), static_cast<float>(y),
                                          static_cast<float>(z));
            if (std::isnan(value)) continue;
            EXPECT_TRUE(value >= ranges[3].low && value <= ranges[3].high)
                << info(primitive).name << " of " << x << ", " << y << ", " << z << ": " << value
                << " is not in " << ranges[3].low << " to " << ranges[3].high;
          }
    }
    EXPECT_GT(narrowed, arity == 3 ? 40 : 100) << info(primitive).name;
  }
}

TEST(ValueRanges, ThatAreFixedHangOnNoOperand) {
  int fixed = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !hasPieces(row) || row.truthOperands != 0) continue;
    ExprGraph graph;
    std::vector<Expr> operands, parameters;
    for (int o = 0; o < row.arity; ++o) operands.push_back({&graph, graph.input(o)});
    for (const Parameter& parameter : row.parameters)
      parameters.push_back(
          {&graph, graph.constant(std::isnan(parameter.fallback) ? 1 : parameter.fallback)});
    const auto root =
        static_cast<std::size_t>(applyRow(row, resultDType(row), operands, parameters).id);
    if (!cpu::hasFixedRange(graph.nodes()[root])) continue;
    ++fixed;
    const cpu::Range any = cpu::valueRanges(graph.nodes(), {})[root];
    for (const cpu::Range& known : {cpu::Range{0, 0}, cpu::Range{-2, 3}, cpu::Range{5, 1e30}})
      EXPECT_EQ(cpu::valueRanges(graph.nodes(), std::array{known, known, known})[root], any)
          << row.name;
  }
  EXPECT_GT(fixed, 10);
}

TEST(ValueRanges, OfWrittenNumbersHoldThem) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(cpu::rangeOfNumber(0.5f), (cpu::Range{0.5, 0.5}));
  EXPECT_EQ(cpu::rangeOfNumber(-0.0f), (cpu::Range{0, 0}));
  EXPECT_EQ(cpu::rangeOfNumber(std::numeric_limits<float>::infinity()),
            (cpu::Range{kLargest, kInfinity}));
  EXPECT_EQ(cpu::rangeOfNumber(-std::numeric_limits<float>::infinity()),
            (cpu::Range{-kInfinity, -kLargest}));
  EXPECT_EQ(cpu::rangeOfNumber(std::numeric_limits<float>::quiet_NaN()), cpu::Range());
}

}  // namespace
}  // namespace fusebench
