// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cuda/library/cudnn_problem.h"

namespace fusebench::cuda {

/// A convolution as a graph of operations: the convolution, what adds its bias, relu, in one kernel
/// where an engine of the library's has that. A plan is made once; to run it takes the host 5 to 9
/// us (H200), where cudnnConvolutionBiasActivationForward takes 50, since it looks for one each
/// time. Ways are the configurations that the library's heuristic lists, without those that narrow
/// what they are given or their sums, that add in any order, or, of float32, that use tensor cores,
/// which would be TF32. Null: there is none.
std::unique_ptr<PreparedCall> prepareDnnGraph(std::shared_ptr<const Device> device,
                                              std::shared_ptr<const Cudnn> library,
                                              DnnHandle handle, const LibraryRequest& request,
                                              const DnnProblem& problem);

}  // namespace fusebench::cuda
