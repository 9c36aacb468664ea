// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/run/executor.h"

namespace fusebench {

/// The executors that PyTorch runs, in a worker of its own: torch (its eager mode), torch-static
/// and torch-dynamic (torch.compile), torch-replay (torch.compile with CUDA graphs).
inline constexpr std::string_view kTorchEager = "torch";
std::span<const ExecutorInfo> torchExecutors();
bool runsInTorch(std::string_view executor);

/// Ours or PyTorch's; null if there is none of this name. PyTorch's are only described: nothing
/// here makes them.
const ExecutorInfo* findVariantExecutor(std::string_view executor);
/// Whether an executor of this name makes kernels for each program.
bool compilesPrograms(std::string_view executor);

/// All that a variant may name: our own executors, then PyTorch's.
std::vector<ExecutorInfo> variantExecutors();

}  // namespace fusebench
