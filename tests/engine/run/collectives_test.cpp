// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <stdexcept>

#include "engine/plan/islands.h"
#include "engine/plan/plan_text.h"
#include "engine/sim/sim_backend.h"
#include "tests/engine/support/rank_programs.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

TEST(Collectives, WhatIsWrittenShowsInEveryViewOfIt) {
  for (const char* text :
       {"def f(x):\n    y = x * 2\n    v = y.view(-1)\n    dist.all_reduce(y)\n    return v",
        "def f(x):\n    y = x * 2\n    v = y.view(-1)\n    dist.all_reduce(v)\n    return y",
        "def f(x):\n    y = x * 2\n    dist.all_reduce(y[:2])\n    return y"}) {
    ProgramHints hints;
    hints.ranks = 2;
    hints.emplace("x", ValueType{{2}, DType::float32});
    const Program program = parseProgram(std::string(kImportsDist) + text, hints);
    const std::vector<std::vector<ReferenceTensor>> inputs = {{{{{2}, DType::float32}, {1, 10}}},
                                                              {{{{2}, DType::float32}, {3, 30}}}};
    for (const auto& results : evaluateRanks(program, inputs))
      EXPECT_THAT(results.at(0).value.values, testing::ElementsAre(8, 80)) << text;
  }
}

TEST(DataParallel, TheReferenceAveragesGradientsAndLeavesEachRankItsLoss) {
  Program program = parseProgram(kTrainingOfRanks);
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const std::vector<std::vector<ReferenceTensor>> parts{
      referencesOfRank(batchOfRank(fixture, 0, 4)), referencesOfRank(batchOfRank(fixture, 4, 4))};
  const auto whole = evaluateReference(program, referencesOfRank(batchOfRank(fixture, 0, 8)));
  program.parallel = {2, {2, 3}, 0, true};
  const auto ranks = evaluateRanks(program, parts);
  for (const std::size_t o : {1u, 2u, 3u})
    for (const auto& rank : ranks)
      EXPECT_LT(relativeError(whole[o], rank[o].value.values), 1e-12) << o;
  const double mean = (ranks[0][0].value.values[0] + ranks[1][0].value.values[0]) / 2;
  EXPECT_NEAR(mean, whole[0].value.values[0], 1e-12);
  EXPECT_NE(ranks[0][0].value.values[0], ranks[1][0].value.values[0]);
}

TEST(DataParallel, ABucketClosesWhenItIsFullAndAllAreAwaitedAtTheEnd) {
  Program program = parseProgram(kTrainingOfRanks);
  const std::vector<Form> forms{
      contiguousForm(DType::float32, {4, 5}), contiguousForm(DType::float32, {4, 3}),
      contiguousForm(DType::float32, {5, 3}), contiguousForm(DType::float32, {3})};
  const auto closing = [&](std::int64_t bytes) {
    program.parallel = {2, {2, 3}, bytes, false};
    const Plan plan = makePlan(program, forms, {});
    std::string text;
    for (const Step& step : plan.steps) {
      const Op& op = plan.program->ops[static_cast<std::size_t>(step.group.ops.front())];
      if (op.row->collective == Collective::reduceStart) text += op.parameters[1] != 0 ? "|" : "+";
      if (op.row->collective == Collective::reduceWait) text += "w";
    }
    return text;
  };
  EXPECT_EQ(closing(-1), "+|w");
  EXPECT_EQ(closing(0), "||w");
  EXPECT_EQ(closing(12), "||w");
  EXPECT_EQ(closing(72), "+|w");
  program.parallel = {1, {2, 3}, 0, false};
  const Plan single = makePlan(program, forms, {});
  for (const Step& step : single.steps)
    EXPECT_NE(step.kind, StepKind::collective) << "one rank has nobody to ask";
}

TEST(Collectives, AreStepsOfTheirOwnInEveryPlan) {
  const Program program = parseProgram(std::string(kImportsDist) +
                                       "def f(x):\n    y = x * 2 + 1\n    dist.all_reduce(y)\n"
                                       "    return y * y");
  const std::vector<Form> forms{contiguousForm(DType::float32, {4})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[1].kind, StepKind::collective);
  const std::string text = toText(plan, symbolsOf(plan, forms));
  EXPECT_THAT(text, HasSubstr("step 2: collective all_reduce, of statement 2\n"
                              "  reads v2; 16 bytes\n"
                              "  writes v3: float32 (4,)\n"
                              "  16 bytes written, 0 floating-point operations\n"));
}

TEST(Collectives, ABarrierStandsBetweenWhatIsBeforeAndAfterIt) {
  const Program program = parseProgram(std::string(kImportsDist) +
                                       "def f(x):\n    y = x + 1\n    dist.barrier()\n"
                                       "    z = x * 2\n    return y, z");
  const std::vector<Form> forms{contiguousForm(DType::float32, {4})};
  const Plan plan = makePlan(program, forms, {});
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[1].kind, StepKind::collective);
  EXPECT_EQ(plan.steps[0].group.ops.front(), 0);
  EXPECT_EQ(plan.steps[2].group.ops.front(), 2);
}

TEST(Collectives, RowsAreGoneThroughOnceOnEachSideOfThem) {
  const auto stepsOf = [](const std::string& between) {
    const Program program =
        parseProgram(std::string(kImportsDist) + "def f(x):\n    m = x.sum(1, keepdim=True)\n" +
                     between + "    return x - m");
    return makePlan(program, std::vector<Form>{contiguousForm(DType::float32, {64, 64})}, {})
        .steps.size();
  };
  EXPECT_EQ(stepsOf(""), 1u);
  EXPECT_EQ(stepsOf("    dist.barrier()\n"), 3u);
}

TEST(Collectives, AreWrittenAsPyTorchReadsThem) {
  const Program program =
      parseProgram(std::string(kImportsDist) +
                   "def f(x):\n    dist.all_reduce(x, op=dist.ReduceOp.MAX)\n    dist.barrier()\n"
                   "    return x");
  EXPECT_THAT(toText(program), HasSubstr("x = torch.distributed.nn.functional.all_reduce(x, "
                                         "op=torch.distributed.ReduceOp.MAX)"));
  EXPECT_THAT(toText(program), HasSubstr("torch.distributed.barrier()"));
  EXPECT_EQ(toText(parseProgram(toText(program))), toText(program));
}

std::string messageOfRanks(const std::string& text) {
  try {
    const Program program = parseProgram(kImportsDist + text);
    const ValueType types[] = {{{2, 3}, DType::float32}, {{4}, DType::float32}};
    inferTypes(program, {types, program.inputs.size()});
  } catch (const ProgramError& error) {
    return error.what();
  }
  return {};
}

TEST(Collectives, WhatIsWrongIsSaidInOneLine) {
  EXPECT_THAT(messageOfRanks("def f(x):\n    y = dist.all_reduce(x)\n    return y"),
              HasSubstr("returns nothing: write dist.all_reduce(x) on a line of its own"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    dist.all_reduce(x + 1)\n    return x"),
              HasSubstr("must write into a named tensor"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    dist.all_reduce(x, async_op=True)\n    return x"),
              HasSubstr("async_op=True is not supported"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    dist.all_reduce(x, op=3)\n    return x"),
              HasSubstr("op of torch.distributed.nn.functional.all_reduce must be one of "
                        "torch.distributed.ReduceOp.SUM"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    return x * dist.get_rank()"),
              HasSubstr("another number on each rank"));
  EXPECT_THAT(messageOfRanks("def f(x, y):\n    dist.all_gather_into_tensor(y, x)\n    return y"),
              HasSubstr("(4,) is not a multiple of (2, 3)"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    y = x > 0\n    dist.all_reduce(y)\n    return y"),
              HasSubstr("truth"));
}

TEST(Collectives, SizesForOtherRanksAreRefusedWhereTheProgramRuns) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const Program program =
      parseProgram(std::string(kImportsDist) +
                   "def f(x):\n    y = torch.empty(6)\n    dist.all_gather_into_tensor(y, x)\n"
                   "    return y");
  const auto executor = makeExecutor("static", fixture.backend(), program);
  const std::vector<Tensor> inputs{fixture.random({3})};
  try {
    executor->call(inputs);
    FAIL() << "it ran";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "all_gather: these sizes are for 2 ranks, and there is 1");
  }
}

}  // namespace
}  // namespace fusebench
