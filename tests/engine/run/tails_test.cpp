// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that run in the launch of the product before them.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/cpu/library/onednn.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

/// On the CPU, with one thread and with several.
class ProductTails : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!cpu::OneDnn::find()) GTEST_SKIP() << cpu::OneDnn::missing();
  }

  /// Every fused executor gives eager's bits in so many launches.
  void expectBitsIn(std::size_t launches, const std::string& text,
                    const std::vector<Tensor>& inputs) {
    const Program program = parseProgram(text, hintsOf(text, inputs));
    const auto expected =
        EngineFixture::values(makeExecutor("eager", fixture_.backend(), program)->call(inputs)[0]);
    for (const char* name : {"static", "dynamic", "static+replay"}) {
      SCOPED_TRACE(std::string(name) + " of " + text);
      const auto executor = makeExecutor(name, fixture_.backend(), program);
      for (int call = 0; call < 2; ++call) {
        const std::uint64_t before = fixture_.backend().launches();
        const auto got = EngineFixture::values(executor->call(inputs)[0]);
        if (call == 1) {
          EXPECT_EQ(fixture_.backend().launches() - before, launches);
        }
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
              << got[i] << " for " << expected[i] << " at " << i;
      }
      EXPECT_EQ(executor->plan(inputs).steps.size(), launches);
    }
  }

  EngineFixture fixture_{EngineFixture::withoutDisk(0, 0, GetParam())};
};

INSTANTIATE_TEST_SUITE_P(Threads, ProductTails, testing::Values(1, 2),
                         [](const auto& threads) { return threads.param > 1 ? "Several" : "One"; });

/// The op's own kernel goes over the result: the error of each op is that of a launch of its own.
TEST_P(ProductTails, HaveTheBitsOfLaunchesOfTheirOwn) {
  const std::vector<Tensor> inputs{fixture_.random({33, 48}, 1), fixture_.random({56, 48}, 2),
                                   fixture_.random({56}, 3), fixture_.random({33, 56}, 4)};
  for (const char* tail :
       {"F.relu({})", "F.gelu({})", "F.gelu({}, approximate='tanh')", "F.silu({})", "{} * 0.125",
        "{} + r", "r + {}", "F.relu({} + r)", "F.relu(r + {}) * 0.5", "r * {}"})
    for (const char* product : {"F.linear(x, w)", "F.linear(x, w, b)"})
      expectBitsIn(
          1,
          fmt::format("def f(x, w, b, r):\n  return {}", fmt::format(fmt::runtime(tail), product)),
          inputs);
}

TEST_P(ProductTails, OfConvolutionsHaveTheBitsOfLaunchesOfTheirOwn) {
  const std::vector<Tensor> inputs{fixture_.random({3, 16, 12, 10}, 1),
                                   fixture_.random({24, 16, 3, 3}, 2),
                                   fixture_.random({3, 24, 12, 10}, 3)};
  for (const char* tail : {"F.relu({})", "F.gelu({})", "{} + r", "F.relu({} + r)"})
    expectBitsIn(1,
                 fmt::format("def f(x, w, r):\n  return {}",
                             fmt::format(fmt::runtime(tail), "F.conv2d(x, w, padding=1)")),
                 inputs);
}

TEST_P(ProductTails, OfReluKeepNaN) {
  std::vector<double> values(32 * 16, -1);
  values[5] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Tensor> inputs{fixture_.typed(DType::float32, {32, 16}, values),
                                   fixture_.random({8, 16}, 2)};
  const std::string text = "def f(x, w):\n  return F.relu(F.linear(x, w))";
  expectBitsIn(1, text, inputs);
  const auto got = EngineFixture::values(
      makeExecutor("static", fixture_.backend(), parseProgram(text))->call(inputs)[0]);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(std::isnan(got[i]), i < 8) << i;
}

TEST_P(ProductTails, OfOtherTypesRoundTheProductFirst) {
  for (const DType dtype : {DType::float64, DType::float16, DType::bfloat16}) {
    const auto drawn = [&](const Shape& shape, unsigned seed) {
      return fixture_.typed(dtype, shape, EngineFixture::values(fixture_.random(shape, seed)));
    };
    const std::vector<Tensor> inputs{drawn({9, 16}, 1), drawn({8, 16}, 2), drawn({9, 8}, 3)};
    expectBitsIn(1, "def f(x, w, r):\n  return F.relu(F.linear(x, w) + r)", inputs);
    expectBitsIn(1, "def f(x, w, r):\n  return F.gelu(F.linear(x, w))", inputs);
  }
}

TEST_P(ProductTails, AddWhatLiesOtherwiseOrIsBroadcast) {
  const Tensor x = fixture_.random({9, 16}, 1), w = fixture_.random({8, 16}, 2);
  const std::string text = "def f(x, w, r):\n  return F.relu(F.linear(x, w) + r)";
  expectBitsIn(1, text, {x, w, EngineFixture::transposed(fixture_.random({8, 9}, 3))});
  expectBitsIn(1, text, {x, w, EngineFixture::everySecond(fixture_.random({9, 16}, 3))});
  expectBitsIn(1, text, {x, w, fixture_.random({9, 1}, 3)});
  expectBitsIn(1, text, {x, w, fixture_.random({8}, 3)});
  expectBitsIn(1, "def f(x, w, r):\n  return F.linear(x, w) + r[2:11]",
               {x, w, fixture_.random({12, 8}, 3)});
}

TEST_P(ProductTails, OfFewOrNoRows) {
  for (const std::int64_t rows : {1, 0})
    expectBitsIn(1, "def f(x, w, r):\n  return F.relu(F.linear(x, w) + r)",
                 {fixture_.random({rows, 16}, 1), fixture_.random({8, 16}, 2),
                  fixture_.random({rows, 8}, 3)});
}

/// The second of two products that are added adds the first one, which is complete by then.
TEST_P(ProductTails, AddWhatIsThereBeforeThem) {
  const std::vector<Tensor> inputs{fixture_.random({9, 16}, 1), fixture_.random({8, 16}, 2),
                                   fixture_.random({8, 16}, 3)};
  expectBitsIn(2, "def f(x, w, v):\n  return F.relu(F.linear(x, w) + F.linear(x, v))", inputs);
  expectBitsIn(2, "def f(x, w, v):\n  return F.silu(F.linear(x, w)) * F.linear(x, v)", inputs);
}

TEST_P(ProductTails, AreNotOfProductsThatAreReadElsewhere) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16}, 1), fixture_.random({8, 16}, 2)};
  for (const char* body : {"p = F.linear(x, w)\n  return F.relu(p), p",
                           "p = F.linear(x, w)\n  return F.relu(p) + p.t()",
                           "p = F.linear(x, w)\n  q = p.view(-1)\n  return F.relu(p), q[:3]"})
    expectBitsIn(2, fmt::format("def f(x, w):\n  {}", body), inputs);
}

TEST_P(ProductTails, ReadWhatIsWrittenInPlaceAsItIsThen) {
  const std::vector<Tensor> inputs{fixture_.random({9, 16}, 1), fixture_.random({8, 16}, 2),
                                   fixture_.random({9, 8}, 3)};
  for (const char* body :
       {"a = r * 2\n  p = F.linear(x, w)\n  a.mul_(3)\n  return p + a",
        "a = r * 2\n  p = F.linear(x, w)\n  q = p + a\n  a.mul_(3)\n  return q, a",
        "p = F.linear(x, w)\n  p.relu_()\n  return p + r"}) {
    const std::string text = fmt::format("def f(x, w, r):\n  {}", body);
    expectAsReference(fixture_, text, inputs);
  }
}

TEST_P(ProductTails, MayBeWrittenInPlaceOfTheProduct) {
  const std::vector<Tensor> inputs{fixture_.random({9, 16}, 1), fixture_.random({8, 16}, 2),
                                   fixture_.random({9, 8}, 3)};
  const std::string product = "def f(x, w, r):\n  p = F.linear(x, w)\n  ";
  expectBitsIn(1, product + "p.relu_()\n  return p", inputs);
  expectBitsIn(1, product + "p += r\n  p.relu_()\n  return p", inputs);
  expectBitsIn(1, product + "p += r\n  return F.relu(p, inplace=True)", inputs);
  expectBitsIn(2, product + "p += r\n  p.relu_()\n  return p.sum(0), p, p.t()", inputs);
  // The second one adds what the first one's tail has written in place.
  expectBitsIn(
      3,
      product + "p.relu_()\n  q = F.linear(p @ w, w)\n  q += p\n  return F.relu(q, inplace=True)",
      inputs);
  expectBitsIn(2, product + "p[2:] += r[2:]\n  return p", inputs);
  expectBitsIn(2, product + "q = p.t()\n  p.relu_()\n  return q @ r", inputs);
}

TEST_P(ProductTails, ServeAnySizesInOneCode) {
  const auto executor =
      makeExecutor("dynamic", fixture_.backend(),
                   parseProgram("def f(x, w, r):\n  return F.relu(F.linear(x, w) + r)"));
  const Tensor w = fixture_.random({8, 16}, 2);
  for (const std::int64_t rows : {9, 300, 5}) {
    const std::vector<Tensor> inputs{fixture_.random({rows, 16}, 1), w,
                                     fixture_.random({rows, 8}, 3)};
    const auto expected = EngineFixture::values(
        fixture_.run("eager", "def f(x, w, r):\n  return F.relu(F.linear(x, w) + r)", inputs)[0]);
    EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]), expected);
  }
  EXPECT_EQ(executor->statistics().compiles.size(), 1u);
}

TEST_P(ProductTails, AreInThePlanItsCostsAndTheCode) {
  const std::vector<Tensor> inputs{fixture_.random({9, 16}, 1), fixture_.random({8, 16}, 2),
                                   fixture_.random({9, 8}, 3)};
  const std::string text = "def f(x, w, r):\n  return F.gelu(F.linear(x, w) + r)";
  const auto flopsOf = [&](const char* name) {
    const auto executor = makeExecutor(name, fixture_.backend(), parseProgram(text));
    const Plan plan = executor->plan(inputs);
    std::int64_t flops = 0;
    for (const StepCost& cost : costsOf(plan, symbolsOf(plan, inputs))) flops += cost.flops;
    return flops;
  };
  EXPECT_EQ(flopsOf("static"), flopsOf("eager"));
  const auto executor = makeExecutor("static", fixture_.backend(), parseProgram(text));
  const Plan plan = executor->plan(inputs);
  ASSERT_EQ(plan.steps.size(), 1u);
  const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
  EXPECT_THAT(toText(plan, symbols),
              testing::AllOf(
                  testing::HasSubstr("library call linear_add_gelu"),
                  testing::HasSubstr("then add_gelu over the result in place, in the same launch"),
                  testing::HasSubstr("reads x, w, r; 1376 bytes")));
  const LoweredCall lowered = lowerCall(plan, plan.steps.front());
  std::vector<std::int64_t> integers;
  for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate(symbols));
  EXPECT_THAT(readableText(lowered.call, integers.data()),
              testing::HasSubstr("then over the result, in place:"));
  bool shown = false;
  for (const GeneratedCode& code : fixture_.backend().code(lowered.call, integers.data()))
    shown |= code.language == "llvm" && code.text.find("define") != std::string::npos;
  EXPECT_TRUE(shown) << "the pass is code of ours";
}

}  // namespace
}  // namespace fusebench
