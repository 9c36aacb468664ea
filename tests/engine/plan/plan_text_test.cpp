// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_text.h"

#include <gmock/gmock.h>

#include "engine/language/parser.h"
#include "engine/plan/islands.h"

namespace fusebench {
namespace {

constexpr const char* kNorm =
    "y = torch.exp(x * 0.5)\nm = y.mean(dim=0, keepdim=True)\nreturn y - m";

std::string planText(const std::string& text, const PlanOptions& options) {
  const Program program = parseProgram(text);
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 16})};
  const Plan plan = makePlan(program, forms, options);
  return toText(plan, symbolsOf(plan, forms));
}

TEST(PlanText, OfWhatIsFusedForOneSize) {
  EXPECT_EQ(planText(kNorm, {}),
            "plan: ops fused, for these sizes, kernels\n"
            "input x: float32 (8, 16)\n"
            "step 1: kernel mul_exp_mean, of statements 1, 2\n"
            "  reads x; 512 bytes\n"
            "  writes v2: float32 (8, 16)\n"
            "  writes v3: float32 (1, 16)\n"
            "  576 bytes written, 384 floating-point operations\n"
            "step 2: kernel sub, of statement return\n"
            "  reads v2, v3; 576 bytes\n"
            "  writes v4: float32 (8, 16)\n"
            "  512 bytes written, 128 floating-point operations\n"
            "  frees v2, v3\n"
            "returns v4\n"
            "storage of v2: temporary, 512 bytes, from step 1 to 2\n"
            "storage of v3: temporary, 64 bytes, from step 1 to 2\n"
            "storage of v4: result, 512 bytes, from step 2 to the end\n");
}

TEST(PlanText, SaysSizesThatAreKnownOnlyAtLaunch) {
  const std::string text =
      planText(kNorm, {.specialise = Specialise::symbolic, .making = PlanOptions::Making::opList});
  EXPECT_THAT(text, testing::StartsWith("plan: ops fused, for any sizes of this kind, op lists\n"
                                        "  s0 = 8\n"
                                        "  s1 = 16\n"
                                        "input x: float32 (s0, s1)\n"
                                        "step 1: op list mul_exp_mean, of statements 1, 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("  writes v3: float32 (1, s1)\n"));
}

TEST(PlanText, OfEveryOpApartNamesWhatIsReadTwiceTwice) {
  EXPECT_EQ(planText("return (x * x).sum()", {.grouping = PlanOptions::Grouping::apart}),
            "plan: every op apart, for these sizes, kernels\n"
            "input x: float32 (8, 16)\n"
            "step 1: kernel mul, of statement return\n"
            "  reads x, x; 512 bytes\n"
            "  writes v1: float32 (8, 16)\n"
            "  512 bytes written, 128 floating-point operations\n"
            "step 2: kernel sum, of statement return\n"
            "  reads v1; 512 bytes\n"
            "  writes v2: float32 ()\n"
            "  4 bytes written, 128 floating-point operations\n"
            "  frees v1\n"
            "returns v2\n"
            "storage of v1: temporary, 512 bytes, from step 1 to 2\n"
            "storage of v2: result, 4 bytes, from step 2 to the end\n");
}

TEST(PlanText, OfSizes) {
  EXPECT_EQ(toText(SymbolicSize(8)), "8");
  EXPECT_EQ(toText(SymbolicSize::symbol(1)), "s1");
  EXPECT_EQ(toText(SymbolicSize::symbol(2) * SymbolicSize(4) * SymbolicSize::symbol(0)), "4*s0*s2");
}

}  // namespace
}  // namespace fusebench
