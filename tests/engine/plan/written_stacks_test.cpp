// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/written_stacks.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// The steps of "def f(x): ..." for an input of 8 by 6, by the names of their ops.
std::vector<std::string> stackSteps(const std::string& body) {
  const Program program = parseProgram("def f(x):\n  " + body, {{"x", {{8, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 6})};
  const Plan plan = makePlan(program, forms, {});
  std::vector<std::string> names;
  for (const Step& step : plan.steps) names.push_back(kernelName(*plan.program, step.group.ops));
  return names;
}

/// A choice between a and b by the place along a new dimension.
std::string chosen(const std::string& a, const std::string& b) {
  return "torch.where(torch.arange(2).view(2, 1, 1) <= 0, (" + a + ").unsqueeze(0), (" + b +
         ").unsqueeze(0))";
}

TEST(WrittenStacks, PiecesAreWrittenWhereTheyBelong) {
  EXPECT_THAT(stackSteps("return " + chosen("x * 2", "x + 1")), ElementsAre("mul_add_where"));
  EXPECT_THAT(stackSteps("return torch.stack((x * 2, x + 1), -1).flatten(-2)"), SizeIs(1));
  EXPECT_THAT(stackSteps("return torch.cat((x * 2, x + 1), 1)"), SizeIs(1));
  EXPECT_THAT(stackSteps("return torch.stack((x * 2, x + 1, x.sin(), x.cos()))"), SizeIs(1));
}

TEST(WrittenStacks, NoPieceIsStoredApart) {
  const Program program = parseProgram(
      "def f(x):\n  a, b = x[:, :3], x[:, 3:]\n"
      "  return torch.stack((a * 2 - b, a + b * 2), -1).flatten(-2)",
      {{"x", {{8, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 6})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_THAT(plan.steps, SizeIs(1));
  EXPECT_THAT(plan.written, SizeIs(1));
  const FusionGroup& group = plan.steps.front().group;
  ASSERT_THAT(group.outputs, SizeIs(2));
  for (const ValueId part : group.outputs) {
    EXPECT_EQ(plan.values.root(part), plan.written[0]);
    EXPECT_EQ(plan.values.strides(part)[1], SymbolicSize(2));
  }
  EXPECT_EQ(plan.values.offset(group.outputs[1]), SymbolicSize(1));
}

TEST(WrittenStacks, APieceThatIsReturnedIsStoredToo) {
  const Program program =
      parseProgram("def f(x):\n  a = x * 2\n  return torch.stack((a, x + 1)), a",
                   {{"x", {{8, 6}, DType::float32}}});
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 6})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_THAT(plan.steps, SizeIs(1));
  EXPECT_THAT(plan.steps.front().group.outputs, SizeIs(3));
}

TEST(WrittenStacks, AChoiceThatIsPartOfAnotherKernelStays) {
  EXPECT_THAT(stackSteps("return " + chosen("x * 2", "x + 1") + " * 3"),
              ElementsAre("mul_add", "where_mul"));
}

TEST(WrittenStacks, PiecesOfSeveralStepsAreChosenAmong) {
  EXPECT_THAT(stackSteps("return " + chosen("x @ x.t() @ x", "x + 1")),
              ElementsAre("matmul", "matmul", "add", "where"));
}

TEST(WrittenStacks, APieceThatIsWrittenInPlaceIsReadAfterThat) {
  EXPECT_THAT(stackSteps("a = x * 2\n  b = x + 1\n  a[0] = 5\n  return " + chosen("a", "b")),
              ElementsAre("mul_add", "full", "where"));
}

TEST(WrittenStacks, AnotherMaskIsNoStack) {
  for (const char* mask :
       {"torch.arange(3).view(3, 1, 1) <= 0", "torch.arange(2).view(2, 1, 1) >= 0",
        "torch.arange(2).view(2, 1, 1) <= 1", "torch.arange(1, 3).view(2, 1, 1) <= 0",
        "torch.arange(6) <= 0"})
    EXPECT_THAT(
        stackSteps("a, b = (x * 2).unsqueeze(0), (x + 1).unsqueeze(0)\n  return torch.where(" +
                   std::string(mask) + ", a, b)"),
        SizeIs(2))
        << mask;
}

}  // namespace
}  // namespace fusebench
