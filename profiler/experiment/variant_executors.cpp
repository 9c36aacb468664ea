// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/variant_executors.h"

#include <algorithm>
#include <array>

#include "engine/base/saying.h"

namespace fusebench {

std::span<const ExecutorInfo> torchExecutors() {
  static constexpr std::array<ExecutorInfo, 4> kNames = {{
      {.name = "torch",
       .doc = toBeSaid("PyTorch's eager mode, in a Python of your choice"),
       .plan = {.grouping = PlanOptions::Grouping::perOp}},
      {.name = "torch-static",
       .doc = toBeSaid("torch.compile with dynamic=False; recompiles when shapes change"),
       .specializes = true},
      {.name = "torch-dynamic",
       .doc = toBeSaid("torch.compile with dynamic=True: any shape of the same rank"),
       .plan = {.specialize = Specialize::symbolic},
       .specializes = true},
      {.name = "torch-replay",
       .doc = toBeSaid("torch.compile's reduce-overhead mode: CUDA graphs, on a GPU"),
       .plan = {.keepsMemory = true},
       .captures = true,
       .specializes = true},
  }};
  return kNames;
}

bool runsInTorch(std::string_view executor) {
  return std::ranges::find(torchExecutors(), executor, &ExecutorInfo::name) !=
         torchExecutors().end();
}

const ExecutorInfo* findVariantExecutor(std::string_view executor) {
  if (const ExecutorInfo* const own = findExecutor(executor)) return own;
  const auto found = std::ranges::find(torchExecutors(), executor, &ExecutorInfo::name);
  return found == torchExecutors().end() ? nullptr : &*found;
}

bool compilesPrograms(std::string_view executor) {
  const ExecutorInfo* const found = findVariantExecutor(executor);
  return found && found->compilesPrograms();
}

std::vector<ExecutorInfo> variantExecutors() {
  const auto own = executorTable(), torch = torchExecutors();
  std::vector<ExecutorInfo> all(own.begin(), own.end());
  all.insert(all.end(), torch.begin(), torch.end());
  return all;
}

}  // namespace fusebench
