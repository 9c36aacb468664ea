// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/cuda/runtime/cuda_executable.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A library's call as our own compiled kernel; see contraction_source.h.
class ContractionKernel final : public CudaExecutable {
 public:
  ContractionKernel(LibraryCall call, std::shared_ptr<const CompiledKernel> compiled);

  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const override;
  Function function(const LaunchStep& step) const override { return compiled_->function(step); }
  void setParameters(ParameterList& list, const LaunchArguments& arguments, const LaunchPlan& plan,
                     const LaunchMemory& memory) const override;

 private:
  LibraryCall call_;
  LaunchForm form_;
  int threadsEach_;
  std::shared_ptr<const CompiledKernel> compiled_;
};

}  // namespace fusebench::cuda
