// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/islands.h"

#include <stdexcept>

#include "engine/language/program.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

std::vector<Island> islandsIn(const Program& program, std::span<const ValueType> inputs,
                              std::string_view executor) {
  return islands(program, inputs, executorNamed(executor).plan);
}

const std::vector<ValueType> kSmall{{{8, 16}, DType::float32}};

TEST(IslandsTest, TheStudyIsThirtyFourBoxesOrOne) {
  const Program program = firstStatements(parseProgram(studyProgram()), 30);
  const auto eager = islandsIn(program, kSmall, "eager");
  ASSERT_EQ(eager.size(), 34u);
  for (std::size_t i = 0; i < eager.size(); ++i)
    EXPECT_EQ(eager[i].ops, std::vector<int>{static_cast<int>(i)});
  EXPECT_EQ(eager[1].kernel, "sin");
  EXPECT_FALSE(eager[1].reduces);
  EXPECT_TRUE(eager.back().reduces);
  for (const char* executor : {"static", "dynamic", "instant", "static+replay"}) {
    const auto fused = islandsIn(program, kSmall, executor);
    ASSERT_EQ(fused.size(), 1u) << executor;
    EXPECT_EQ(fused[0].ops.size(), 34u);
    EXPECT_EQ(fused[0].kernel, "add_sin_..._sum (34 ops)");
    EXPECT_TRUE(fused[0].reduces);
  }
}

TEST(IslandsTest, NothingIsAllocatedForInputsThatNoMachineCouldHold) {
  const std::vector<ValueType> huge{{{1 << 22, 1 << 22}, DType::float32}};
  EXPECT_EQ(islandsIn(parseProgram("x = x * 2\nreturn x.sum()"), huge, "static").size(), 1u);
}

TEST(IslandsTest, AreTheKernelsThatTheExecutorsMake) {
  EngineFixture fixture;
  for (const char* text :
       {"y = torch.exp(x * 0.5)\nm = y.mean(dim=1, keepdim=True)\nreturn (y - m) ** 2, m.sum()",
        "a = x * x\nreturn a.sum(dim=0), torch.where(a > 0.5, x, 0.25)"}) {
    const Program program = parseProgram(text);
    const std::vector<Tensor> inputs{fixture.random({8, 16})};
    for (const ExecutorInfo& executor : executorTable()) {
      const std::string_view name = executor.name;
      const auto kernels = makeExecutor(name, fixture.backend(), program)->kernels(inputs);
      const auto found = islandsIn(program, kSmall, name);
      const auto readable = readableKernels(program, kSmall, executorNamed(name).plan);
      ASSERT_EQ(found.size(), kernels.size()) << name;
      ASSERT_EQ(readable.size(), kernels.size()) << name;
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        EXPECT_EQ(found[k].kernel, kernels[k].name) << name;
        EXPECT_EQ(readable[k], readableText(kernels[k])) << name;
      }
    }
  }
}

TEST(IslandsTest, CopiesOfWhatAProgramBringsToTheDeviceAreBoxesOfTheirOwn) {
  const auto kindsOf = [](const char* text) {
    std::vector<StepKind> kinds;
    for (const Island& island : islandsIn(parseProgram(text), kSmall, "static"))
      kinds.push_back(island.kind);
    return kinds;
  };
  using enum StepKind;
  EXPECT_EQ(kindsOf("return x.pin_memory().cuda() + 1"), (std::vector{copy, copy, kernel}));
  EXPECT_EQ(kindsOf("return (x + x.cuda()).cpu()"), (std::vector{kernel, copy}))
      << "it is there, where the program computes on it";
}

TEST(IslandsTest, WhatDoesNotFitIsRefused) {
  const Program program = parseProgram("def f(x, y):\n  return x + y");
  const std::vector<ValueType> wrong{{{8}, DType::float32}, {{3}, DType::float32}};
  EXPECT_THROW(islandsIn(program, wrong, "static"), ProgramError);
  EXPECT_THROW(islandsIn(program, kSmall, "lazy"), std::exception);
}

}  // namespace
}  // namespace fusebench
