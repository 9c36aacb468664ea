// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/sinking.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Steps = std::vector<std::string>;

Plan planOf(const Program& program, std::span<const Shape> shapes,
            const PlanOptions& options = {}) {
  std::vector<Form> forms;
  for (const Shape& shape : shapes) forms.push_back(contiguousForm(DType::float32, shape));
  return makePlan(program, forms, options);
}

/// The steps of "def f(x, y): ..." for inputs of 8 by 8, by the names of their ops.
Steps sunkSteps(const std::string& body, const PlanOptions& options = {}) {
  const Program program = parseProgram("def f(x, y):\n  " + body);
  const std::vector<Shape> shapes(2, Shape{8, 8});
  const Plan plan = planOf(program, shapes, options);
  Steps names;
  for (const Step& step : plan.steps) names.push_back(kernelName(program, step.group.ops));
  return names;
}

TEST(Sinking, AProducerJoinsItsReaderBehindALibraryCall) {
  EXPECT_THAT(sunkSteps("return torch.sin(x @ y) * (y @ x)"),
              ElementsAre("matmul", "matmul", "sin_mul"));
}

TEST(Sinking, AProducerJoinsItsReaderBehindAKernelOverOtherElements) {
  EXPECT_THAT(sunkSteps("a = x - 1\n  s = torch.rsqrt(y[:, 0] + 1)\n  return a * s"),
              ElementsAre("add_rsqrt", "sub_mul"));
}

TEST(Sinking, AChainOfProducersSinksTogether) {
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = a * (x @ y)\n  return b + (y @ x)"),
              ElementsAre("matmul", "matmul", "sin_mul_add"));
}

TEST(Sinking, SizesThatAreKnownOnlyAtLaunchMakeNoDifference) {
  EXPECT_THAT(sunkSteps("return torch.sin(x @ y) * (y @ x)", {.specialize = Specialize::symbolic}),
              ElementsAre("matmul", "matmul", "sin_mul"));
}

TEST(Sinking, AResultThatOthersWantStaysAnOutput) {
  const Program program =
      parseProgram("def f(x, y):\n  a = torch.sin(x)\n  b = a * (x @ y)\n  return a, b @ a");
  const Plan plan = planOf(program, std::vector<Shape>(2, Shape{8, 8}));
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(kernelName(program, plan.steps[1].group.ops), "sin_mul");
  EXPECT_THAT(plan.steps[1].group.outputs, ElementsAre(program.result(0), program.result(2)));
}

TEST(Sinking, AResultThatOnlyItsReaderWantsIsNeverStored) {
  const Program program = parseProgram("def f(x, y):\n  return torch.sin(x @ y) * (y @ x)");
  const Plan plan = planOf(program, std::vector<Shape>(2, Shape{8, 8}));
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_THAT(plan.steps[2].group.outputs, ElementsAre(program.result(3)));
  EXPECT_EQ(plan.written.size(), 3u);
}

TEST(Sinking, AReaderThatReducesTakesItsProducer) {
  // Columns, which no kernel with phases goes along.
  EXPECT_THAT(sunkSteps("return (torch.sin(x) * (x @ y)).sum(0)", {.phases = false}),
              ElementsAre("matmul", "sin_mul_sum"));
}

TEST(Sinking, AKernelWithPhasesTakesAProducerOfItsRows) {
  EXPECT_THAT(sunkSteps("a = x - 1\n  return torch.softmax(a * (x @ y), 1)"),
              ElementsAre("matmul", "sub_mul_..._div (7 ops)"));
}

TEST(Sinking, AReaderMayWriteInPlaceToWhatItJoinsWith) {
  const Program program =
      parseProgram("def f(x, y):\n  a = torch.sin(x @ y)\n  a *= y @ x\n  return a");
  const Plan plan = planOf(program, std::vector<Shape>(2, Shape{8, 8}));
  ASSERT_EQ(plan.steps.size(), 3u);
  // The sine is not stored.
  EXPECT_THAT(plan.steps[2].group.outputs, ElementsAre(program.result(3)));
}

TEST(Sinking, EachPartOfACatIsMadeWhereItIsWritten) {
  const Program program =
      parseProgram("def f(a, b, c):\n  return torch.cat([a, b * 2, c.sin()], 1)",
                   {{"a", {{8, 8}, DType::float32}},
                    {"b", {{8, 4}, DType::float32}},
                    {"c", {{8, 3}, DType::float32}}});
  const Plan plan = planOf(program, std::vector<Shape>{{8, 8}, {8, 4}, {8, 3}});
  Steps names;
  for (const Step& step : plan.steps) names.push_back(kernelName(*plan.program, step.group.ops));
  EXPECT_THAT(names, ElementsAre("clone", "mul_clone", "sin_clone"));
}

TEST(Sinking, NothingIsReadAfterItWasWrittenOver) {
  for (const char* body : {
           "a = torch.sin(x)\n  b = y @ y\n  x[0] = 5\n  return a * b",
           "v = x.t()[1:]\n  a = torch.sin(x)\n  b = y @ y\n  v.fill_(1)\n  return a * b",
           "a = torch.sin(x)\n  b = y @ y\n  x.index_fill_(0, torch.tensor([1]), 2.0)\n"
           "  return a * b",
       })
    EXPECT_THAT(sunkSteps(body), testing::AllOf(Contains("sin"), Contains("mul"))) << body;
}

TEST(Sinking, WhatIsWrittenInPartIsThereBefore) {
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = y @ y\n  a[0] = 1\n  return a * b"),
              ElementsAre("sin", "matmul", "full", "mul"));
  // The reader itself writes to the other rows of it.
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = (y @ y)[:4]\n  a[:4] *= b\n  return a"),
              ElementsAre("sin", "matmul", "mul"));
}

TEST(Sinking, AKernelThatWritesInPlaceStays) {
  EXPECT_THAT(sunkSteps("x.sin_()\n  return x * (y @ y)"), ElementsAre("sin", "matmul", "mul"));
}

TEST(Sinking, AReaderThatWritesOverWhatIsReadDoesNotTakeIt) {
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = y @ y\n  x.copy_(a * b)\n  return x"),
              ElementsAre("sin", "matmul", "mul_clone"));
}

TEST(Sinking, WhatIsReadThroughAViewIsInMemoryBefore) {
  EXPECT_EQ(sunkSteps("a = torch.sin(x)\n  return a.t() * (y @ y)").size(), 3u);
  EXPECT_EQ(sunkSteps("a = torch.sin(x)\n  return a * a.t() * (y @ y)").size(), 3u);
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = y @ y\n"
                        "  return a[torch.tensor([7, 5, 3, 1, 0, 2, 4, 6])] * b"),
              Contains("sin"));
}

TEST(Sinking, WhatACallNeedsFirstIsThereBefore) {
  EXPECT_THAT(sunkSteps("a = torch.sin(x)\n  b = a @ y\n  return a * b"),
              ElementsAre("sin", "matmul", "mul"));
}

TEST(Sinking, WhatIsAssertedIsFoundOutWhereTheTextSaysSo) {
  const std::string begin = "a = x.sum()\n  c = a < 100\n  ",
                    end = "b = (y @ y).sum()\n  return torch.where(c, b, a)";
  EXPECT_THAT(sunkSteps(begin + end, {.phases = false}), Not(Contains("lt")));
  EXPECT_THAT(sunkSteps(begin + "assert c\n  " + end, {.phases = false}), Contains("lt"));
}

TEST(Sinking, StaysOnItsSideOfACopy) {
  const char* body = "a = torch.sin(x)\n  c = y.cpu()\n  return a * (y @ y), c";
  EXPECT_THAT(sunkSteps(body, {.ownMemory = true}), ElementsAre("sin", "cpu", "matmul", "mul"));
  EXPECT_THAT(sunkSteps(body, {.ownMemory = false}), ElementsAre("matmul", "sin_mul"));
}

TEST(Sinking, KeepsNoMoreInMemoryThanItTakesOutOfIt) {
  // Two products would wait in memory instead of their sum.
  EXPECT_THAT(sunkSteps("a = (x @ y) + (y @ x)\n  return a * (y @ y)"),
              ElementsAre("matmul", "matmul", "add", "matmul", "mul"));
  EXPECT_THAT(sunkSteps("a = (x @ y) + x\n  return a * (y @ y)"),
              ElementsAre("matmul", "matmul", "add_mul"));
  // A few columns keep all the memory that they are a part of.
  EXPECT_EQ(sunkSteps("a = torch.sin((x @ y)[:, :2])\n  return a * (y @ y)[:, :2]").size(), 4u);
}

TEST(Sinking, ReadsNoMoreTensorsThanAKernelMay) {
  const auto steps = [](std::size_t before, std::size_t after) {
    std::string names = "x", first = "x", second = "a * (x @ x)";
    for (std::size_t i = 0; i < before + after; ++i) {
      names += fmt::format(", w{}", i);
      (i < before ? first : second) += fmt::format(" + w{}", i);
    }
    const Program program =
        parseProgram(fmt::format("def f({}):\n  a = {}\n  return {}\n", names, first, second));
    return planOf(program, std::vector<Shape>(before + after + 1, Shape{8, 8})).steps.size();
  };
  EXPECT_EQ(steps(11, 11), 2u);
  EXPECT_EQ(steps(12, 11), 3u);
}

}  // namespace
}  // namespace fusebench
