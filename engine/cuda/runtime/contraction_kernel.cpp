// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/contraction_kernel.h"

#include "engine/cuda/codegen/call_text.h"
#include "engine/cuda/codegen/contraction_source.h"
#include "engine/cuda/codegen/launch_sizes.h"

namespace fusebench::cuda {

ContractionKernel::ContractionKernel(LibraryCall call,
                                     std::shared_ptr<const CompiledKernel> compiled)
    : CudaExecutable(call.name, trafficOf(call)),
      call_(std::move(call)),
      form_{static_cast<int>(call_.tensors()), static_cast<int>(call_.integers()), 0},
      threadsEach_(threadsAnElement(call_)),
      compiled_(std::move(compiled)) {}

LaunchPlan ContractionKernel::plan(const std::int64_t* integers, int multiprocessors) const {
  // The result's extents come before its strides, which are the last.
  const std::size_t rank = call_.rank(call_.operands.size());
  const std::int64_t* const extents = integers + call_.integers() - 2 * rank;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < rank; ++d) elements *= extents[d];
  // All elements are ordered, even where only some of the places are needed.
  if (call_.order.is && elements > 0) elements = elementsOf(call_, 0, integers);
  LaunchPlan made;
  made.launches = elements > 0;
  made.step.threadsX = kContractionThreads;
  made.step.blocksX = blockCount(divideUp(elements * threadsEach_, kContractionThreads),
                                 multiprocessors * kBlocksPerMultiprocessor);
  return made;
}

void ContractionKernel::setParameters(ParameterList& list, const LaunchArguments& arguments,
                                      const LaunchPlan& plan, const LaunchMemory& memory) const {
  list.set(form_, arguments, memory, plan.parts);
}

}  // namespace fusebench::cuda
