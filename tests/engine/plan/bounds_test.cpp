// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/bounds.h"

#include <stdexcept>
#include <vector>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

TEST(Bounds, WhatStepsReadAndWriteLiesInItsMemory) {
  const Program program = parseProgram("y = x.transpose(0, 1) + 1\nreturn x[1:, ::2] * 2, y[2]");
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 8})};
  const Plan plan = makePlan(program, forms, {});
  const std::vector<std::int64_t> enough{32};
  EXPECT_NO_THROW(checkBounds(plan, {}, enough));
  const std::vector<std::int64_t> tooFew{31};
  EXPECT_THROW(checkBounds(plan, {}, tooFew), std::logic_error);
}

TEST(Bounds, AViewThatReachesOutIsFound) {
  const Program program = parseProgram("return x[1] * 2");
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 8})};
  Plan plan = makePlan(program, forms, {});
  const std::vector<std::int64_t> rooms{32};
  for (PlanValues::Place& place : plan.values.places)
    if (place.root == 0 && !(place.offset == SymbolicSize(0))) place.offset = SymbolicSize(25);
  EXPECT_THROW(checkBounds(plan, {}, rooms), std::logic_error);
}

TEST(Bounds, OtherSizesOfADynamicPlanAreLookedAt) {
  const Program program = parseProgram("return x @ y");
  const auto formsOf = [](std::int64_t extent) {
    return std::vector<Form>(2, contiguousForm(DType::float32, {extent, extent}));
  };
  const Plan plan = makePlan(program, formsOf(4), {.specialize = Specialize::symbolic});
  EXPECT_NO_THROW(checkSizes(plan, symbolsOf(plan, formsOf(5)), formsOf(5)));
  // Each has room in memory, and so has the result.
  const std::vector<Form> large = formsOf(std::int64_t{1} << 18);
  EXPECT_THROW(checkSizes(plan, symbolsOf(plan, large), large), ProgramError);
  const Program sum = parseProgram("return (x[:, None] + y[None, :]).sum()");
  const std::vector<Form> two(2, contiguousForm(DType::float32, {4}));
  const Plan outer = makePlan(sum, two, {.specialize = Specialize::symbolic});
  const std::vector<Form> longer(2, contiguousForm(DType::float32, {std::int64_t{1} << 33}));
  EXPECT_THROW(checkSizes(outer, symbolsOf(outer, longer), longer), ProgramError);
}

TEST(Bounds, ATensorThatIsNotInItsBlockIsNotRun) {
  EngineFixture fixture;
  Tensor input = fixture.random({4, 8});
  Tensor longer = input;
  longer.shape[0] = 1 << 20;
  Tensor before = input;
  before.offset = -1;
  for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
    const auto executor = fixture.executor(std::string(info.name), "return x + 1");
    EXPECT_NO_THROW(executor->call(std::vector{input})) << info.name;
    if (info.captures) continue;  // it copies what it is given first
    EXPECT_THROW(executor->call(std::vector{longer}), std::logic_error) << info.name;
    const auto another = fixture.executor(std::string(info.name), "return x + 1");
    EXPECT_THROW(another->call(std::vector{before}), std::logic_error) << info.name;
  }
}

}  // namespace
}  // namespace fusebench
