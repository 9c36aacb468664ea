// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "engine/plan/islands.h"
#include "engine/plan/plan_text.h"
#include "engine/sim/sim_backend.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/thread_ranks.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr const char* kImportsDist = "import torch.distributed as dist\n";

/// A backend for each rank, made before their threads are.
class RankFixtures {
 public:
  explicit RankFixtures(int ranks) {
    for (int r = 0; r < ranks; ++r)
      made_.push_back(std::make_unique<EngineFixture>(EngineFixture::withoutDisk(0, 0, 1)));
  }
  EngineFixture& operator[](int rank) { return *made_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<std::unique_ptr<EngineFixture>> made_;
};

/// Runs a program of one input on so many ranks, each with numbers of its own, and holds every
/// rank's results against the reference of all of them.
void expectRanksAsReference(const std::string& text, int ranks, const Shape& shape, DType dtype,
                            bool transposes = false) {
  SCOPED_TRACE(text + " on " + std::to_string(ranks));
  ProgramHints hints;
  hints.ranks = ranks;
  const Shape seen = transposes ? Shape{shape[1], shape[0]} : shape;
  hints.emplace("x", ValueType{seen, dtype});
  const Program program = parseProgram(kImportsDist + text, hints);
  std::vector<std::vector<ReferenceTensor>> inputs;
  const auto inputOf = [&](EngineFixture& fixture, int rank) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < elementCount(shape); ++i)
      values.push_back(static_cast<double>((i * 7 + rank * 5) % 11) - 4);
    const Tensor made = fixture.typed(dtype, shape, values);
    return transposes ? EngineFixture::transposed(made) : made;
  };
  RankFixtures fixtures(ranks);
  for (int r = 0; r < ranks; ++r)
    inputs.push_back({EngineFixture::reference(inputOf(fixtures[r], r))});
  const auto expected = evaluateRanks(program, inputs);
  asRanks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
    EngineFixture& fixture = fixtures[group->rank()];
    fixture.backend().setRanks(group);
    const std::vector<Tensor> own{inputOf(fixture, group->rank())};
    const auto& results = expected[static_cast<std::size_t>(group->rank())];
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      const auto made = makeExecutor(executor.name, fixture.backend(), program);
      for (int call = 0; call < 2; ++call) {
        const auto got = made->call(own);
        ASSERT_EQ(got.size(), results.size());
        for (std::size_t o = 0; o < got.size(); ++o)
          EXPECT_LT(relativeError(results[o], EngineFixture::values(got[o])), 1e-3)
              << executor.name << ", rank " << group->rank() << ", result " << o;
      }
    }
  });
}

const char* const kCollectivePrograms[] = {
    "def f(x):\n    y = x * 2\n    dist.all_reduce(y)\n    return y + 1, x",
    "def f(x):\n    dist.all_reduce(x, op=dist.ReduceOp.MAX)\n    return x",
    "def f(x):\n    dist.all_reduce(x, dist.ReduceOp.MIN, async_op=False)\n    return x * x",
    "def f(x):\n    dist.all_reduce(x, op=dist.ReduceOp.PRODUCT)\n    return x",
    "def f(x):\n    y = x + 1\n    dist.broadcast(y, src=dist.get_world_size() - 1)\n    return y",
    "def f(x):\n    y = torch.empty((dist.get_world_size(),) + x.shape, dtype=x.dtype)\n"
    "    dist.all_gather_into_tensor(y, x + 1)\n    return y * 2",
    "def f(x):\n    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]\n"
    "    dist.all_gather(parts, x)\n    return parts[0] + parts[-1]",
    "def f(x):\n    y = torch.stack([x * i for i in range(dist.get_world_size())])\n"
    "    z = torch.empty_like(x)\n    dist.reduce_scatter_tensor(z, y)\n    return z + 1",
    "def f(x):\n    y = x + 1\n    dist.barrier()\n    z = y * 2\n    dist.barrier()\n    return z",
    "def f(x):\n    y = x * 2\n    v = y.view(-1)\n    dist.all_reduce(y)\n    return v + 1, y",
    "def f(x):\n    y = x * 2\n    dist.all_reduce(y[1:])\n    return y, y[0] - y[1]",
};

TEST(Collectives, EveryExecutorGivesOnEveryRankWhatTheReferenceSays) {
  for (const char* text : kCollectivePrograms)
    for (const int ranks : {1, 2, 3}) expectRanksAsReference(text, ranks, {2, 3}, DType::float32);
}

TEST(Collectives, AreOfEveryDTypeThatAddsUp) {
  for (const DType dtype : {DType::uint8, DType::int8, DType::int32, DType::int64, DType::float16,
                            DType::bfloat16, DType::float64})
    expectRanksAsReference("def f(x):\n    y = x + x\n    dist.all_reduce(y)\n    return y", 2, {5},
                           dtype);
}

TEST(Collectives, AnAverageIsTheSumDividedByTheRanks) {
  expectRanksAsReference(
      "def f(x):\n    y = x * 2\n    dist.all_reduce(y, op=dist.ReduceOp.AVG)\n    return y", 3,
      {7}, DType::float32);
  expectRanksAsReference(
      "def f(x):\n    y = x * 2\n    dist.all_reduce(y)\n"
      "    return y / dist.get_world_size()",
      3, {7}, DType::float32);
}

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

TEST(Collectives, WhatDoesNotLieInOrderIsPackedFirst) {
  expectRanksAsReference("def f(x):\n    y = x.t()\n    dist.all_reduce(y)\n    return y", 2,
                         {3, 4}, DType::float32);
  expectRanksAsReference(kCollectivePrograms[0], 2, {3, 4}, DType::float32, /*transposes=*/true);
}

TEST(Collectives, GradientsGoBackThroughASumOverRanks) {
  expectRanksAsReference(
      "import torch.distributed.nn.functional as dnn\n"
      "def f(x):\n    x.requires_grad_()\n    y = dnn.all_reduce(x * x)\n"
      "    loss = (y * y).sum()\n    loss.backward()\n    return loss, x.grad",
      2, {5}, DType::float32);
}

constexpr const char* kTrainingOfRanks =
    "def f(x, target, w, b):\n    w.requires_grad_()\n    b.requires_grad_()\n"
    "    y = torch.relu(x @ w + b)\n    loss = ((y - target) ** 2).mean()\n"
    "    loss.backward()\n    return loss, w.grad, b.grad, w - 0.1 * w.grad";

/// What a program of (x, target, w, b) gets: rows of a batch from `first` on, and weights.
std::vector<Tensor> batchOfRank(EngineFixture& fixture, int first, int rows) {
  const auto numbers = [](int from, int count) {
    std::vector<float> values;
    for (int i = from; i < from + count; ++i)
      values.push_back(static_cast<float>((i * 37) % 19) / 8 - 1);
    return values;
  };
  return {fixture.tensor({rows, 5}, numbers(first * 5, rows * 5)),
          fixture.tensor({rows, 3}, numbers(100 + first * 3, rows * 3)),
          fixture.tensor({5, 3}, numbers(7, 15)), fixture.tensor({3}, numbers(3, 3))};
}

std::vector<ReferenceTensor> referencesOfRank(const std::vector<Tensor>& tensors) {
  std::vector<ReferenceTensor> made;
  for (const Tensor& tensor : tensors) made.push_back(EngineFixture::reference(tensor));
  return made;
}

TEST(DataParallel, RanksWithAPartOfTheBatchGetTheGradientsOfAllOfIt) {
  constexpr int kRanks = 2, kRows = 4;
  const Program alone = parseProgram(kTrainingOfRanks);
  EngineFixture whole(EngineFixture::withoutDisk(0, 0, 1));
  RankFixtures fixtures(kRanks);
  const auto expected =
      evaluateReference(alone, referencesOfRank(batchOfRank(whole, 0, kRanks * kRows)));
  for (const std::int64_t bucket : {-1, 0, 16, 1 << 20})
    for (const bool overlaps : {false, true}) {
      SCOPED_TRACE(std::to_string(bucket) + (overlaps ? ", overlapped" : ""));
      Program program = alone;
      program.parallel = {kRanks, {2, 3}, bucket, overlaps};
      asRanks(kRanks, [&](const std::shared_ptr<RankGroup>& group) {
        EngineFixture& fixture = fixtures[group->rank()];
        fixture.backend().setRanks(group);
        const std::vector<Tensor> own = batchOfRank(fixture, group->rank() * kRows, kRows);
        for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
          const auto made = makeExecutor(executor.name, fixture.backend(), program);
          for (int call = 0; call < 2; ++call) {
            const auto got = made->call(own);
            for (const std::size_t o : {1u, 2u, 3u})
              EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])), 1e-5)
                  << executor.name << ", result " << o;
          }
        }
      });
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
              HasSubstr("writes into a tensor that has a name"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    dist.all_reduce(x, async_op=True)\n    return x"),
              HasSubstr("async_op=True is not supported"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    dist.all_reduce(x, op=3)\n    return x"),
              HasSubstr("op of torch.distributed.nn.functional.all_reduce is one of "
                        "torch.distributed.ReduceOp.SUM"));
  EXPECT_THAT(messageOfRanks("def f(x):\n    return x * dist.get_rank()"),
              HasSubstr("another number on each rank"));
  EXPECT_THAT(messageOfRanks("def f(x, y):\n    dist.all_gather_into_tensor(y, x)\n    return y"),
              HasSubstr("(4,) is no multiple of (2, 3)"));
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
