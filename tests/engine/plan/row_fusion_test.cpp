// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/row_fusion.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/language/parser.h"
#include "engine/plan/islands.h"
#include "engine/plan/kernel_phases.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/step_lowering.h"
#include "engine/plan/storages.h"

namespace fusebench {
namespace {

Plan rowPlanOf(const Program& program, const Shape& shape, const PlanOptions& options = {}) {
  const std::vector<Form> forms{contiguousForm(DType::float32, shape)};
  return makePlan(program, forms, options);
}

std::size_t rowStepsOf(const char* text, const Shape& shape, const PlanOptions& options = {}) {
  const Program program = parseProgram(text);
  return rowPlanOf(program, shape, options).steps.size();
}

TEST(RowFusion, SoftmaxIsOneStepThatKeepsNothing) {
  const Program program = parseProgram("return torch.softmax(x, -1)");
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 16})};
  const Plan plan = makePlan(program, forms, {});
  EXPECT_EQ(toText(plan, symbolsOf(plan, forms)),
            "plan: ops fused, for these sizes, kernels\n"
            "input x: float32 (8, 16)\n"
            "step 1: kernel amax_sub_..._div (5 ops), of statement return\n"
            "  in 3 phases\n"
            "  reads x; 512 bytes\n"
            "  writes v5: float32 (8, 16)\n"
            "  512 bytes written, 640 floating-point operations\n"
            "returns v5\n"
            "storage of v5: result, 512 bytes, from step 1 to the end\n");
}

TEST(RowFusion, RowsThatAreWrittenInPlaceLastAreOneStep) {
  for (const char* text :
       {"m = x.mean(1, keepdim=True)\ns = x.std(1, keepdim=True)\nreturn x.sub_(m).div_(s)",
        "m = x.amax(1, keepdim=True)\nreturn x.sub_(m)",
        "m = x.mean(1)\nx.sub_(m[:, None])\nreturn x"})
    EXPECT_EQ(rowStepsOf(text, {8, 16}), 1u) << text;
}

/// Another phase would read what is written, or what is to be read as it was.
TEST(RowFusion, RowsThatAreReadAgainAreNotWrittenInTheSameStep) {
  for (const char* text :
       {"m = x.mean(1, keepdim=True)\nx.sub_(m)\nreturn x, x.std(1, keepdim=True)",
        "m = x.mean(1, keepdim=True)\ny = x * m\nx.sub_(m)\nreturn x, y",
        "s = x.sum(1, keepdim=True) + x.t().sum(1, keepdim=True)\nreturn x.sub_(s)",
        "m = x.mean(1, keepdim=True)\nd = ((x - m) ** 2).sum(1)\nx.sub_(m)\nreturn x, d"})
    EXPECT_GT(rowStepsOf(text, {16, 16}), 1u) << text;
}

TEST(RowFusion, ReadsAsRowsWithPhases) {
  const std::vector<ValueType> types{{{8, 16}, DType::float32}};
  const auto texts = readableKernels(parseProgram("return torch.softmax(x, -1)"), types, {});
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0],
            "kernel amax_sub_..._div (5 ops)\n"
            "for i0 in 0..8\n"
            "  phase 1:\n"
            "    for i1 in 0..16  (reduced)\n"
            "      in0 = input0[i0*16 + i1]\n"
            "      v0 = in0\n"
            "      row0 <- max(v0)\n"
            "  v1 = row0\n"
            "  phase 2:\n"
            "    for i1 in 0..16  (reduced)\n"
            "      v2 = sub(v0, v1)\n"
            "      v3 = exp(v2)\n"
            "      row1 <- sum(v3)\n"
            "  v4 = row1\n"
            "  phase 3:\n"
            "    for i1 in 0..16  (reduced)\n"
            "      v5 = div(v3, v4)\n"
            "      output0[i0*16 + i1] = v5\n");
}

TEST(RowFusion, ReadsAsRowsThatAreAddedUp) {
  const std::vector<ValueType> types{{{8, 16}, DType::float32}};
  const Program program =
      parseProgram("m = x - x.mean(1, keepdim=True)\nreturn m.amax(1).mean() * 2");
  const auto texts = readableKernels(program, types, {});
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0],
            "kernel mean_sub_..._mul (5 ops)\n"
            "for i0 in 0..8\n"
            "  phase 1:\n"
            "    for i1 in 0..16  (reduced)\n"
            "      in0 = input0[i0*16 + i1]\n"
            "      v0 = in0\n"
            "      row0 <- sum(v0), then div(acc, n)\n"
            "  v1 = row0\n"
            "  phase 2:\n"
            "    for i1 in 0..16  (reduced)\n"
            "      v2 = sub(v0, v1)\n"
            "      row1 <- max(v2)\n"
            "  v3 = row1\n"
            "  all0 <- sum(v3), then div(acc, n)\n"
            "v4 = all0\n"
            "v5 = 2 (0x1p+1)\n"
            "v6 = mul(v4, v5)\n"
            "output0[0] = v6\n");
  EXPECT_EQ(readableKernels(program, types, {.totals = false}).size(), 2u);
}

TEST(RowFusion, OnlyWhereThePlanMay) {
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, -1)", {8, 16}), 1u);
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, -1)", {8, 16}, {.phases = false}), 3u);
  // Columns are gone through as before.
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, 0)", {8, 16}), 3u);
}

TEST(RowFusion, TakesOpsAlongRowsOutOfOpListsUnlessRowsAreLongAndBeyondCaches) {
  constexpr PlanOptions kLists{.specialize = Specialize::symbolic,
                               .code = PlanOptions::StepCode::opList};
  const char* softmax = "return torch.softmax(x, -1)";
  EXPECT_EQ(rowStepsOf(softmax, {8, 16}, kLists), 5u);
  EXPECT_EQ(rowStepsOf(softmax, {1 << 16, 64}, kLists), 5u);
  EXPECT_LT(rowStepsOf(softmax, {1 << 13, 512}, kLists), 5u);
  // Short ones of a tensor whose own are long.
  EXPECT_EQ(rowStepsOf("return torch.softmax(x.unflatten(1, (8, 64)), -1)", {1 << 13, 512}, kLists),
            5u);
  // Ops on tensors that all have one layout are not along rows, whichever layout it is. With
  // columns this excludes the op that reads the input, whose strides are not known.
  const Program chain = parseProgram("y = x * 2\nz = torch.exp(y) + y\nreturn z * z");
  const std::vector<Form> rowMajor{contiguousForm(DType::float32, {8, 16})};
  const std::vector<Form> columns{{DType::float32, false, {8, 16}, {1, 8}}};
  EXPECT_EQ(makePlan(chain, rowMajor, kLists).steps.size(), 1u);
  EXPECT_EQ(makePlan(chain, columns, kLists).steps.size(), 2u);
  // Ops that visit all elements in one order stay together, before and after the reduction.
  EXPECT_EQ(rowStepsOf("y = torch.exp(x) * 2\nz = y - y.amax(1, keepdim=True)\nreturn z * z + 1",
                       {8, 16}, kLists),
            4u);
  EXPECT_EQ(rowStepsOf("y = torch.exp(x) * 2\nreturn y.sum(), y * y", {8, 16}, kLists), 1u);
}

TEST(RowFusion, LeavesFewLongRowsToThreads) {
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, -1)", {1, 1000}), 1u);
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, -1)", {2, 1 << 20}), 3u);
  EXPECT_EQ(rowStepsOf("return torch.softmax(x, -1)", {64, 1 << 20}), 1u);
}

TEST(RowFusion, TakesNothingInThatLiesBetween) {
  // The product needs the sum, and is needed after it.
  EXPECT_EQ(
      rowStepsOf("s = x.sum(1, keepdim=True)\ny = torch.mm(s.t(), x)\nreturn x * s + y", {8, 16}),
      3u);
}

TEST(RowFusion, StaysOnItsSideOfACopy) {
  const char* text = "s = x.sum(1, keepdim=True)\nc = (x + 1).cpu()\nreturn x * s, c";
  EXPECT_EQ(rowStepsOf(text, {8, 16}, {.ownMemory = true}), 3u);
  EXPECT_EQ(rowStepsOf("s = x.sum(1, keepdim=True)\nreturn x * s", {8, 16}, {.ownMemory = true}),
            1u);
}

TEST(RowFusion, LeavesWhatIsWrittenInPlaceWhereItIs) {
  // Other rows are written between the sum and its reader: that reads them as they are then.
  EXPECT_EQ(rowStepsOf("s = x.sum(1, keepdim=True)\nx += 1\nreturn x * s", {8, 16}), 2u);
  EXPECT_EQ(rowStepsOf("y = x * 1\ns = y.sum(1, keepdim=True)\ny[0] = 5\nreturn y * s", {8, 16}),
            3u);
  // The write in place does not affect these rows.
  EXPECT_EQ(rowStepsOf("y = torch.softmax(x, -1)\nx.mul_(2)\nreturn y", {8, 16}), 2u);
}

TEST(RowFusion, ReadsNoMoreTensorsThanAKernelMay) {
  const auto program = [](std::size_t weights) {
    std::string names, before = "x", after = "y / y.sum(1, keepdim=True)";
    for (std::size_t w = 0; w < weights; ++w) {
      names += ", w" + std::to_string(w);
      (w % 2 == 0 ? before : after) += " * w" + std::to_string(w);
    }
    return parseProgram("def f(x" + names + "):\n  y = " + before + "\n  return " + after + "\n");
  };
  const auto steps = [&](std::size_t weights) {
    const std::vector<Form> forms(weights + 1, contiguousForm(DType::float32, {8, 16}));
    return makePlan(program(weights), forms, {}).steps.size();
  };
  EXPECT_EQ(steps(kMostReads - 1), 1u);
  EXPECT_GT(steps(kMostReads + 4), 1u);
}

/// Totals have numbers of their own, which numbers of what is carried must not reach.
TEST(RowFusion, CarriesABoundedNumberOfReductions) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "x = torch.softmax(x, -1)\n";
  const Program program = parseProgram(text + "return x");
  const Plan plan = rowPlanOf(program, {8, 16});
  EXPECT_GT(plan.steps.size(), 2u);
  EXPECT_LT(plan.steps.size(), 10u);
  for (const Step& step : plan.steps)
    EXPECT_LE(lowerKernel(plan, step).kernel.carried.size(), 256u);
}

TEST(RowFusion, KeepsWhatIsDearToMakeAnew) {
  const Program program = parseProgram("return torch.softmax(x, -1)");
  const Plan plan = rowPlanOf(program, {8, 16});
  const Kernel kernel = lowerKernel(plan, plan.steps.front()).kernel;
  EXPECT_EQ(phaseCount(kernel), 3);
  EXPECT_TRUE(phasesOf(kernel, nullptr).buffers.empty());
  const auto dear = [](Primitive primitive) { return primitive == Primitive::exp ? 20.0 : 1.0; };
  const KernelPhases kept = phasesOf(kernel, dear);
  ASSERT_EQ(kept.buffers.size(), 1u);
  EXPECT_EQ(kept.loops[1].tensors.back(), KernelPhase::kNowhere);  // the sum
  EXPECT_EQ(kept.loops[2].tensors.front(), 0);
  const auto cheap = [](Primitive) { return 1.0; };
  EXPECT_TRUE(phasesOf(kernel, cheap).buffers.empty());
}

}  // namespace
}  // namespace fusebench
