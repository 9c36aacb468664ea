// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cuda/library/cudnn_problem.h"

namespace fusebench::cuda {

/// A convolution as a graph of operations: the convolution, the addition of its bias, relu, in one
/// kernel if the library has an engine for that. A plan is made once; running it takes the host 5
/// to 9 us (H200), where cudnnConvolutionBiasActivationForward takes 50, since it looks for a plan
/// each time. Ways are the configurations that the library's heuristic lists, except those that
/// narrow their inputs or sums, that add in any order, or that use tensor cores for float32, which
/// would be TF32. Null: there is none.
std::unique_ptr<PreparedCall> prepareDnnGraph(std::shared_ptr<const Device> device,
                                              std::shared_ptr<const Cudnn> library,
                                              DnnHandle handle, const LibraryRequest& request,
                                              const DnnProblem& problem);

}  // namespace fusebench::cuda
