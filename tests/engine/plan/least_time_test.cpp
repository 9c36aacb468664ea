// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/least_time.h"

#include <vector>

#include <gtest/gtest.h>

#include "engine/language/parser.h"

namespace fusebench {
namespace {

constexpr PeakRates kSlow{.points = 1000, .products = 100, .bytes = 1e6};

double leastOf(const std::string& text, const std::vector<Form>& forms, PlanOptions options = {}) {
  const Program program = parseProgram(text);
  const Plan plan = makePlan(program, forms, options);
  return leastSeconds(plan, symbolsOf(plan, forms), kSlow);
}

TEST(LeastTime, IsThatOfThePointsThatStepsGoThrough) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {50, 100})};
  EXPECT_DOUBLE_EQ(leastOf("return torch.exp(x) + 1", forms), 5);
  EXPECT_DOUBLE_EQ(
      leastOf("return torch.exp(x) + 1", forms, {.grouping = PlanOptions::Grouping::perOp}), 10);
  // Repeated elements are gone through, though they are read once.
  EXPECT_DOUBLE_EQ(leastOf("return x.unsqueeze(0).expand(10, 50, 100).sum()", forms), 50);
}

TEST(LeastTime, CountsTheArithmeticOfFusedStatements) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {50, 100})};
  constexpr PeakRates kRates{.points = 1e12, .operations = 1000, .products = 1, .bytes = 1e12};
  const auto least = [&](const std::string& text) {
    const Program program = parseProgram(text);
    return leastSeconds(makePlan(program, forms, {}), {}, kRates);
  };
  EXPECT_DOUBLE_EQ(least("return x + 1"), 5);
  EXPECT_DOUBLE_EQ(least("return x * x + 1"), 10);
  EXPECT_DOUBLE_EQ(least("return torch.sin(x)"), 40);
  // A chain in one kernel takes as long as its statements together.
  EXPECT_DOUBLE_EQ(least("y = torch.sin(x)\ny = torch.exp(y)\nreturn torch.tanh(y)"), 120);
  std::string chain;
  for (int i = 0; i < 1000; ++i) chain += "x = torch.sin(x)\n";
  const Program program = parseProgram(chain + "return x");
  const std::vector<Form> many{contiguousForm(DType::float32, {10000, 10000})};
  EXPECT_GT(leastSeconds(makePlan(program, many, {}), {}, PeakRates::ofProcessor(1)), 1);
}

TEST(LeastTime, OfLibraryCallsIsThatOfTheirProducts) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {10, 20})};
  EXPECT_DOUBLE_EQ(leastOf("return x @ x.t()", forms), 20);
}

TEST(LeastTime, OfMovingBytesIsThatOfMemory) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {1000, 1000})};
  const Program program = parseProgram("return x + 1");
  const Plan plan = makePlan(program, forms, {});
  EXPECT_DOUBLE_EQ(leastSeconds(plan, {}, {.points = 1e12, .products = 1e12, .bytes = 1e6}), 8);
}

TEST(LeastTime, OfAGridOfFourRangesIsSeconds) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {1000})};
  const Program program = parseProgram(
      "a, b, c, d = torch.meshgrid(x, x, x, x, indexing='ij')\n"
      "return (a * b * c * d).sum()");
  const Plan plan = makePlan(program, forms, {});
  EXPECT_GT(leastSeconds(plan, {}, PeakRates::ofProcessor(2)), 3);
  EXPECT_LT(leastSeconds(plan, {}, PeakRates::ofGpu()), 1);
  const Program increment = parseProgram("return x + 1");
  const Plan small = makePlan(increment, forms, {});
  EXPECT_LT(leastSeconds(small, {}, PeakRates::ofProcessor(1)), 1e-6);
}

}  // namespace
}  // namespace fusebench
