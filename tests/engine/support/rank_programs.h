// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/thread_ranks.h"

namespace fusebench {

/// The backend of one of several ranks, as makeTestBackend's; each test program defines it.
std::unique_ptr<Backend> makeRankBackend(int rank);

/// Whether an executor records what it launches, and ranks meet where nothing can be recorded.
inline bool recordsInHostMemory(const Backend& backend, const ExecutorInfo& executor) {
  return executor.captures && backend.ranksBy().find("through host memory") != std::string::npos;
}

inline constexpr const char* kImportsDist = "import torch.distributed as dist\n";

/// A backend for each rank, made before their threads are.
class RankFixtures {
 public:
  explicit RankFixtures(int ranks) {
    for (int r = 0; r < ranks; ++r)
      made_.push_back(std::make_unique<EngineFixture>(makeRankBackend(r)));
  }
  EngineFixture& operator[](int rank) { return *made_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<std::unique_ptr<EngineFixture>> made_;
};

inline constexpr const char* kTrainingOfRanks =
    "def f(x, target, w, b):\n    w.requires_grad_()\n    b.requires_grad_()\n"
    "    y = torch.relu(x @ w + b)\n    loss = ((y - target) ** 2).mean()\n"
    "    loss.backward()\n    return loss, w.grad, b.grad, w - 0.1 * w.grad";

/// The inputs of a program of (x, target, w, b): rows of a batch, starting at `first`, and weights.
inline std::vector<Tensor> batchOfRank(EngineFixture& fixture, int first, int rows) {
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

inline std::vector<ReferenceTensor> referencesOfRank(const std::vector<Tensor>& tensors) {
  std::vector<ReferenceTensor> made;
  for (const Tensor& tensor : tensors) made.push_back(EngineFixture::reference(tensor));
  return made;
}

}  // namespace fusebench
