// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_text.h"

#include <gmock/gmock.h>

#include <vector>

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
  const std::string text = planText(
      kNorm,
      {.specialize = Specialize::symbolic, .code = PlanOptions::StepCode::opList, .phases = false});
  EXPECT_THAT(text, testing::StartsWith("plan: ops fused, for any sizes of this kind, op lists\n"
                                        "  s0 = 8\n"
                                        "  s1 = 16\n"
                                        "input x: float32 (s0, s1)\n"
                                        "step 1: op list mul_exp_mean, of statements 1, 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("  writes v3: float32 (1, s1)\n"));
}

TEST(PlanText, OfEveryOpApartNamesWhatIsReadTwiceTwice) {
  EXPECT_EQ(planText("return (x * x).sum()", {.grouping = PlanOptions::Grouping::perOp}),
            "plan: every op separately, for these sizes, kernels\ninput x: float32 (8, 16)\nstep "
            "1: kernel mul, of statement return\n  reads x, x; 512 bytes\n  writes v1: float32 (8, "
            "16)\n  512 bytes written, 128 floating-point operations\nstep 2: kernel sum, of "
            "statement return\n  reads v1; 512 bytes\n  writes v2: float32 ()\n  4 bytes written, "
            "128 floating-point operations\n  frees v1\nreturns v2\nstorage of v1: temporary, 512 "
            "bytes, from step 1 to 2\nstorage of v2: result, 4 bytes, from step 2 to the end\n");
}

TEST(PlanText, OfSizes) {
  EXPECT_EQ(toText(SymbolicSize(8)), "8");
  EXPECT_EQ(toText(SymbolicSize::symbol(1)), "s1");
  EXPECT_EQ(toText(SymbolicSize::symbol(2) * SymbolicSize(4) * SymbolicSize::symbol(0)), "4*s0*s2");
}

TEST(PlanText, CopiesAreStepsWhereTheDeviceHasMemoryOfItsOwn) {
  const std::string program =
      "y = (x.to('cuda') * 2).sum()\nn = y.item()\nreturn (x.cuda() + n).cpu()";
  const Program parsed = parseProgram(program);
  std::vector<Form> forms{contiguousForm(DType::float32, {8, 16})};
  forms[0].memory = Memory::pinned;
  const Plan plan = makePlan(parsed, forms, {});
  EXPECT_EQ(toText(plan, symbolsOf(plan, forms)),
            "plan: ops fused, for these sizes, kernels\n"
            "input x: float32 (8, 16) in pinned memory\n"
            "step 1: copy cuda, of statement 1\n"
            "  reads x; 512 bytes\n"
            "  cuda: a copy from pinned memory to the device; the host waits for it\n"
            "  writes v1: float32 (8, 16)\n"
            "  512 bytes written, 0 floating-point operations\n"
            "step 2: kernel mul_sum, of statement 1\n"
            "  reads v1; 512 bytes\n"
            "  writes v3: float32 ()\n"
            "  4 bytes written, 256 floating-point operations\n"
            "  frees v1\n"
            "step 3: copy item, of statement 2\n"
            "  reads v3; 4 bytes\n"
            "  item: one element from the device to the host; the host waits for it\n"
            "  4 bytes written, 0 floating-point operations\n"
            "step 4: copy cuda, of statement return\n"
            "  reads x; 512 bytes\n"
            "  cuda: a copy from pinned memory to the device; the host waits for it\n"
            "  writes v5: float32 (8, 16)\n"
            "  512 bytes written, 0 floating-point operations\n"
            "step 5: kernel add, of statement return\n"
            "  reads v3, v5; 516 bytes\n"
            "  writes v6: float32 (8, 16)\n"
            "  512 bytes written, 128 floating-point operations\n"
            "  frees v3, v5\n"
            "step 6: copy cpu, of statement return\n"
            "  reads v6; 512 bytes\n"
            "  cpu: a copy from the device to host memory; the host waits for it\n"
            "  writes v7: float32 (8, 16) in host memory\n"
            "  512 bytes written, 0 floating-point operations\n"
            "  frees v6\n"
            "returns v7\n"
            "storage of v1: temporary, 512 bytes, from step 1 to 2\n"
            "storage of v3: temporary, 4 bytes, from step 2 to 5\n"
            "storage of v5: temporary, 512 bytes, from step 4 to 5\n"
            "storage of v6: temporary, 512 bytes, from step 5 to 6\n");
  // Where it has none there is nothing to copy.
  const std::vector<Form> here{contiguousForm(DType::float32, {8, 16})};
  const Plan one = makePlan(parsed, here, {.ownMemory = false});
  for (const Step& step : one.steps) EXPECT_EQ(step.kind, StepKind::kernel);
}

TEST(PlanText, OpsOnWhatLiesInHostMemoryAreRefused) {
  std::vector<Form> forms{contiguousForm(DType::float32, {8, 16})};
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      makePlan(parseProgram(text), forms, {});
    } catch (const ProgramError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("return x.cpu() + 1"), testing::HasSubstr("what it reads is in host memory"));
  EXPECT_THAT(refusal("return x.pin_memory()"), testing::HasSubstr("this one is on the device"));
  EXPECT_THAT(refusal("return x.item()"), testing::HasSubstr("item needs one element"));
  EXPECT_THAT(refusal("return x + torch.zeros(8, 16, device='cpu')"),
              testing::HasSubstr("would make its tensor in host memory"));
  EXPECT_THAT(refusal("return x[:, ::2].cpu()"), testing::HasSubstr("write .contiguous()"));
  EXPECT_EQ(refusal("return x.t().cpu()"), "accepted");
  forms[0].memory = Memory::host;
  EXPECT_THAT(refusal("return x + 1"), testing::HasSubstr("and x is in host memory"));
  EXPECT_EQ(refusal("return x.pin_memory().cuda(non_blocking=True) + 1"), "accepted");
}

}  // namespace
}  // namespace fusebench
