// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/variant_executors.h"

#include <algorithm>
#include <array>

namespace fusebench {

std::span<const ExecutorInfo> torchExecutors() {
  static constexpr std::array<ExecutorInfo, 4> kNames = {{
      {"torch", "PyTorch's eager mode, in a Python of your choice"},
      {"torch-static", "torch.compile with dynamic=False; recompiles when shapes change"},
      {"torch-dynamic", "torch.compile with dynamic=True: any shape of the same rank"},
      {"torch-replay", "torch.compile's reduce-overhead mode: CUDA graphs, on a GPU", true},
  }};
  return kNames;
}

bool runsInTorch(std::string_view executor) {
  const auto all = torchExecutors();
  return std::any_of(all.begin(), all.end(),
                     [&](const ExecutorInfo& one) { return one.name == executor; });
}

std::vector<ExecutorInfo> variantExecutors() {
  const auto own = executorNames(), torch = torchExecutors();
  std::vector<ExecutorInfo> all(own.begin(), own.end());
  all.insert(all.end(), torch.begin(), torch.end());
  return all;
}

}  // namespace fusebench
