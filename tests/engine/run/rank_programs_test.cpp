// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that ask other ranks, on every backend that can be in a group.
#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/engine/support/rank_programs.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Whether an executor has nothing to record, which it has to say.
bool refusesToRecord(EngineFixture& fixture, const ExecutorInfo& executor, const Program& program,
                     const std::vector<Tensor>& inputs) {
  if (!recordsInHostMemory(fixture.backend(), executor)) return false;
  try {
    makeExecutor(executor.name, fixture.backend(), program)->call(inputs);
    ADD_FAILURE() << "it ran";
  } catch (const std::runtime_error& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("through host memory, which a graph replay cannot do: "));
  }
  return true;
}

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
    const EngineFixture::ReadsAlone alone(fixture);
    fixture.backend().setRanks(group);
    const auto& results = expected[static_cast<std::size_t>(group->rank())];
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      if (refusesToRecord(fixture, executor, program, {inputOf(fixture, group->rank())})) continue;
      const auto made = makeExecutor(executor.name, fixture.backend(), program);
      for (int call = 0; call < 2; ++call) {
        // A new input each time, because a collective on a view of an input writes to it.
        const auto got = made->call(std::vector{inputOf(fixture, group->rank())});
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

TEST(RankPrograms, EveryExecutorGivesOnEveryRankWhatTheReferenceSays) {
  for (const char* text : kCollectivePrograms)
    for (const int ranks : {1, 2, 3}) expectRanksAsReference(text, ranks, {2, 3}, DType::float32);
}

TEST(RankPrograms, AreOfEveryDTypeThatAddsUp) {
  for (const DType dtype : {DType::uint8, DType::int8, DType::int32, DType::int64, DType::float16,
                            DType::bfloat16, DType::float64})
    expectRanksAsReference("def f(x):\n    y = x + x\n    dist.all_reduce(y)\n    return y", 2, {5},
                           dtype);
}

TEST(RankPrograms, AnAverageIsTheSumDividedByTheRanks) {
  expectRanksAsReference(
      "def f(x):\n    y = x * 2\n    dist.all_reduce(y, op=dist.ReduceOp.AVG)\n    return y", 3,
      {7}, DType::float32);
  expectRanksAsReference(
      "def f(x):\n    y = x * 2\n    dist.all_reduce(y)\n"
      "    return y / dist.get_world_size()",
      3, {7}, DType::float32);
}

TEST(RankPrograms, WhatDoesNotLieInOrderIsPackedFirst) {
  expectRanksAsReference("def f(x):\n    y = x.t()\n    dist.all_reduce(y)\n    return y", 2,
                         {3, 4}, DType::float32);
  expectRanksAsReference(kCollectivePrograms[0], 2, {3, 4}, DType::float32, /*transposes=*/true);
}

TEST(RankPrograms, GradientsGoBackThroughASumOverRanks) {
  expectRanksAsReference(
      "import torch.distributed.nn.functional as dnn\n"
      "def f(x):\n    x.requires_grad_()\n    y = dnn.all_reduce(x * x)\n"
      "    loss = (y * y).sum()\n    loss.backward()\n    return loss, x.grad",
      2, {5}, DType::float32);
}

TEST(RankPrograms, RanksWithAPartOfTheBatchGetTheGradientsOfAllOfIt) {
  constexpr int kRanks = 2, kRows = 4;
  const Program alone = parseProgram(kTrainingOfRanks);
  EngineFixture whole;
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
        const EngineFixture::ReadsAlone reads(fixture);
        fixture.backend().setRanks(group);
        const std::vector<Tensor> own = batchOfRank(fixture, group->rank() * kRows, kRows);
        for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
          if (refusesToRecord(fixture, executor, program, own)) continue;
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

/// The gradient of what comes after a sum over ranks is there before that sum's own, which asks the
/// group while the bucket is open.
TEST(RankPrograms, ABucketStaysOpenWhileTheGroupIsAskedForSomethingElse) {
  constexpr int kRanks = 2, kRows = 4;
  Program program = parseProgram(
      "import torch.distributed.nn.functional as dnn\n"
      "def f(x, target, w, b):\n    w.requires_grad_()\n    b.requires_grad_()\n"
      "    y = dnn.all_reduce(x @ w)\n    loss = ((y * b - target) ** 2).mean()\n"
      "    loss.backward()\n    return loss, w.grad, b.grad");
  RankFixtures fixtures(kRanks);
  for (const bool overlaps : {false, true}) {
    program.parallel = {kRanks, {2, 3}, -1, overlaps};
    std::vector<std::vector<ReferenceTensor>> parts;
    for (int r = 0; r < kRanks; ++r)
      parts.push_back(referencesOfRank(batchOfRank(fixtures[r], r * kRows, kRows)));
    const auto expected = evaluateRanks(program, parts);
    asRanks(kRanks, [&](const std::shared_ptr<RankGroup>& group) {
      EngineFixture& fixture = fixtures[group->rank()];
      const EngineFixture::ReadsAlone reads(fixture);
      fixture.backend().setRanks(group);
      const std::vector<Tensor> own = batchOfRank(fixture, group->rank() * kRows, kRows);
      const auto& wanted = expected[static_cast<std::size_t>(group->rank())];
      for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
        if (refusesToRecord(fixture, executor, program, own)) continue;
        const auto made = makeExecutor(executor.name, fixture.backend(), program);
        for (int call = 0; call < 2; ++call) {
          const auto got = made->call(own);
          ASSERT_EQ(got.size(), wanted.size());
          for (std::size_t o = 0; o < got.size(); ++o)
            EXPECT_LT(relativeError(wanted[o], EngineFixture::values(got[o])), 1e-5)
                << executor.name << ", result " << o << (overlaps ? ", overlapped" : "");
        }
      }
    });
  }
}

}  // namespace
}  // namespace fusebench
