// SPDX-License-Identifier: GPL-3.0-or-later
// What is left out because a value's range does not reach it must not change a bit. Eager kernels
// know no ranges, for each holds one op and reads its input from memory.
#include "engine/cpu/ranges.h"

#include <cstring>
#include <limits>

#include "tests/engine/engine_fixture.h"

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
