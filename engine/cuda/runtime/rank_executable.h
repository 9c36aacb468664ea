// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/runtime/cuda_executable.h"
#include "engine/plan/library_call.h"

namespace fusebench::cuda {

/// A call between the group's ranks, which the CUDA backend enqueues through its RankLauncher.
class RankExecutable final : public CudaExecutable {
 public:
  explicit RankExecutable(LibraryCall call);

  const LibraryCall& call() const { return call_; }

  // It is not one of our kernels: these throw std::logic_error.
  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const override;
  Function function(const LaunchStep& step) const override;
  void setParameters(ParameterList& list, const LaunchArguments& arguments, const LaunchPlan& plan,
                     const LaunchMemory& memory) const override;

 private:
  LibraryCall call_;
};

}  // namespace fusebench::cuda
