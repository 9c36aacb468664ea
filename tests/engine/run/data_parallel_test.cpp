// SPDX-License-Identifier: GPL-3.0-or-later
// A small training on 1 and 2 ranks against what PyTorch's DistributedDataParallel over gloo did
// with the same batches: tests/engine/values/data_parallel_by_torch.py.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "tests/engine/support/rank_programs.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

constexpr int kSharedSteps = 5, kBatchRows = 8;
constexpr const char* kTrainingStep =
    "def f(x, target, w, b):\n    w.requires_grad_()\n    b.requires_grad_()\n"
    "    loss = F.mse_loss(torch.relu(x @ w + b), target)\n    loss.backward()\n"
    "    return loss, w - 0.1 * w.grad, b - 0.1 * b.grad";

/// By ranks, step and rank.
using Losses = std::map<std::tuple<int, int, int>, double>;

Losses lossesOfTorch() {
  Losses losses;
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/data_parallel.txt"));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    int ranks = 0, step = 0, rank = 0;
    double loss = 0;
    words >> ranks >> step >> rank >> loss;
    losses[{ranks, step, rank}] = loss;
  }
  return losses;
}

/// As the script makes them.
Tensor numbersFrom(EngineFixture& fixture, int start, const Shape& shape) {
  std::vector<float> values;
  for (int i = start; i < start + static_cast<int>(elementCount(shape)); ++i)
    values.push_back(static_cast<float>((i * 37) % 19) / 8 - 1);
  return fixture.tensor(shape, values);
}

/// The losses that a rank computes during training.
std::vector<double> trained(EngineFixture& fixture, const std::string& executor,
                            const Program& program, int rank) {
  const auto made = makeExecutor(executor, fixture.backend(), program);
  const int rows = kBatchRows / program.parallel.ranks;
  Tensor w = numbersFrom(fixture, 7, {5, 3}), b = numbersFrom(fixture, 3, {3});
  std::vector<double> losses;
  for (int step = 0; step < kSharedSteps; ++step) {
    const int first = step * kBatchRows + rank * rows;
    const std::vector<Tensor> inputs{numbersFrom(fixture, first * 5, {rows, 5}),
                                     numbersFrom(fixture, 100 + first * 3, {rows, 3}), w, b};
    const auto got = made->call(inputs);
    losses.push_back(EngineFixture::values(got[0])[0]);
    // The executor's own until its next call.
    const std::vector<double> nextW = EngineFixture::values(got[1]),
                              nextB = EngineFixture::values(got[2]);
    w = fixture.typed(DType::float32, {5, 3}, nextW);
    b = fixture.typed(DType::float32, {3}, nextB);
  }
  return losses;
}

TEST(DataParallel, TrainingHasPyTorchsLossesOnOneRankAndOnTwo) {
  const Losses expected = lossesOfTorch();
  ASSERT_EQ(expected.size(), 15u);
  for (const int ranks : {1, 2}) {
    Program program = parseProgram(kTrainingStep);
    program.parallel = {ranks, {2, 3}, 0, true};
    RankFixtures fixtures(ranks);
    asRanks(ranks, [&](const std::shared_ptr<RankGroup>& group) {
      const int rank = group->rank();
      EngineFixture& fixture = fixtures[rank];
      const EngineFixture::ReadsAlone reads(fixture);
      fixture.backend().setRanks(group);
      for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
        if (recordsInHostMemory(fixture.backend(), executor)) continue;
        const auto losses = trained(fixture, std::string(executor.name), program, rank);
        for (int step = 0; step < kSharedSteps; ++step)
          EXPECT_NEAR(losses[static_cast<std::size_t>(step)], expected.at({ranks, step, rank}),
                      2e-6)
              << executor.name << ", rank " << rank << " of " << ranks << ", step " << step;
      }
    });
  }
}

}  // namespace
}  // namespace fusebench
