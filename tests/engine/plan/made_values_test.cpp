// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/made_values.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

constexpr PlanOptions kAnySizes{.specialize = Specialize::symbolic};

/// The steps of "def f(x): ..." for an input of 4 by 6, by the names of their ops.
std::vector<std::string> madeSteps(const std::string& body, const PlanOptions& options = {}) {
  const Program program = parseProgram("def f(x):\n  " + body, {{"x", {{4, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 6})};
  const Plan plan = makePlan(program, forms, options);
  std::vector<std::string> names;
  for (const Step& step : plan.steps) names.push_back(kernelName(*plan.program, step.group.ops));
  return names;
}

TEST(MadeValues, AMaskOfPlacesIsMadeWhereItIsRead) {
  for (const char* mask : {
           "torch.arange(6) <= torch.arange(4).unsqueeze(1)",
           "torch.tril(torch.ones(4, 6)) > 0",
           "torch.ones(4, 6, dtype=torch.bool).triu(1)",
           "~((torch.arange(6) < 3) | (torch.arange(4).view(4, 1) == 2))",
           "(torch.arange(6) <= 2).unsqueeze(0).expand(4, 6)",
           "(torch.arange(4) <= torch.arange(6).unsqueeze(1)).t()",
           "(torch.arange(8) <= torch.arange(5).unsqueeze(1))[:4, :6]",
           "(torch.arange(6) <= torch.arange(4).view(4, 1, 1))[:, 0]",
       })
    EXPECT_THAT(madeSteps(std::string("return torch.where(") + mask + ", x, 0.0)"),
                ElementsAre("where"))
        << mask;
  EXPECT_THAT(madeSteps("return torch.where(torch.ones_like(x).tril() > 0, x, 0.0)", kAnySizes),
              ElementsAre("where"));
}

TEST(MadeValues, EachReaderMakesThemAgain) {
  EXPECT_THAT(madeSteps("m = torch.arange(6) < 3\n  a = torch.where(m, x, 0.0)\n"
                        "  return torch.where(m, a @ a.t() @ x, a)"),
              ElementsAre("where", "matmul", "matmul", "where"));
}

TEST(MadeValues, ALineOfNumbersAndItsMaskAreOfOneKernel) {
  EXPECT_THAT(madeSteps("n = torch.arange(6)\n  return x * n + torch.where(n > 2, x, 1.0)"),
              ElementsAre("mul_where_add"));
}

TEST(MadeValues, RowsWithPhasesMakeTheirMasks) {
  EXPECT_EQ(madeSteps("m = torch.tril(torch.ones(4, 6)) > 0\n"
                      "  return torch.softmax(torch.where(m, x * 2, float('-inf')), -1)")
                .size(),
            1u);
}

TEST(MadeValues, CausalAttentionStoresNoMask) {
  const Program program = parseProgram(
      "def f(q, k, v):\n  return F.scaled_dot_product_attention(q, k, v, is_causal=True)",
      {{"q", {{2, 8, 4}, DType::float32}},
       {"k", {{2, 8, 4}, DType::float32}},
       {"v", {{2, 8, 4}, DType::float32}}});
  const std::vector<Form> forms(3, contiguousForm(DType::float32, {2, 8, 4}));
  const Plan plan = makePlan(program, forms, {});
  ASSERT_EQ(plan.steps.size(), 3u);
  for (const ValueId value : plan.written) EXPECT_NE(plan.values.dtype(value), DType::boolean);
}

TEST(MadeValues, WhatIsReturnedOrReadByACallIsStored) {
  const char* mask = "m = torch.tril(torch.ones(4, 6)) > 0\n  ";
  EXPECT_THAT(madeSteps(std::string(mask) + "return torch.where(m, x, 0.0), m"),
              ElementsAre("gt_where"));
  EXPECT_EQ(madeSteps(std::string(mask) + "return m.float() @ x.t()").size(), 2u);
  EXPECT_EQ(madeSteps(std::string(mask) + "return m.cumsum(1) * x").size(), 3u);
  EXPECT_EQ(madeSteps(std::string(mask) + "m[0] = False\n  return torch.where(m, x, 0.0)").size(),
            3u);
}

TEST(MadeValues, AViewThatMixesDimensionsIsOfMemory) {
  for (const char* body : {
           "m = torch.arange(4) <= torch.arange(6).unsqueeze(1)\n"
           "  return torch.where(m.view(4, 6), x, 0.0)",
           "m = torch.arange(6) <= torch.arange(6).unsqueeze(1)\n"
           "  return torch.where(m.diagonal(), x, 0.0)",
           "m = torch.arange(6) <= torch.arange(4).unsqueeze(1)\n"
           "  return torch.where(m.view(24), x.view(24), 0.0)",
           "m = torch.arange(6) <= torch.arange(5).unsqueeze(1)\n"
           "  return torch.where(m[1:], x, 0.0)",
       })
    EXPECT_EQ(madeSteps(body).size(), 2u) << body;
}

TEST(MadeValues, WhatIsExpensiveIsMadeOnce) {
  EXPECT_EQ(madeSteps("return x * torch.sin(torch.arange(6.0))").size(), 2u);
  EXPECT_EQ(madeSteps("return x * (1 / torch.arange(1.0, 7.0))").size(), 2u);
  std::string chain = "m = torch.arange(6) < 3\n";
  for (int i = 0; i < 20; ++i) chain += "  m = m & (torch.arange(6) > " + std::to_string(i) + ")\n";
  EXPECT_EQ(madeSteps(chain + "  return torch.where(m, x, 0.0)").size(), 2u);
}

TEST(MadeValues, OfRandomNumbersAreNone) {
  EXPECT_EQ(madeSteps("m = torch.rand(6) < 0.5\n  a = torch.where(m, x, 0.0)\n  return a").size(),
            2u);
}

TEST(MadeValues, AViewIsOfThePlacesThatItShows) {
  const Program program = parseProgram(
      "def f(x):\n  m = torch.arange(4) <= torch.arange(6).unsqueeze(1)\n"
      "  return torch.where(m.t(), x, 0.0)",
      {{"x", {{4, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 6})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  const MadeOps made = madeOpsOf(*plan.program, plan.values, plan.steps.front().group);
  ASSERT_EQ(made.counts.size(), 2u);
  const auto steps = [&](std::size_t count) {
    std::vector<std::int64_t> strides;
    for (const SymbolicSize& stride : made.counts[count].strides)
      strides.push_back(stride.constant());
    return strides;
  };
  EXPECT_THAT(steps(0), ElementsAre(1, 0));
  EXPECT_THAT(steps(1), ElementsAre(0, 1));
}

}  // namespace
}  // namespace fusebench
