// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/cuda/instant/interpreter_program.h"
#include "engine/cuda/instant/interpreter_walk.h"
#include "engine/cuda/runtime/cuda_executable.h"

namespace fusebench::cuda {

/// An op list that the interpreter runs: its first instructions are passed with each launch, and
/// all of them are in device memory.
class InterpretedOpList final : public CudaExecutable {
 public:
  /// `code`: the instructions, one more that does nothing, and the reductions (see image()).
  InterpretedOpList(Kernel kernel, InterpreterProgram program,
                    std::shared_ptr<const CompiledKernel> interpreter, BlockRef code);

  LaunchPlan plan(const std::int64_t* integers, int multiprocessors) const override;
  Function function(const LaunchStep& step) const override { return interpreter_->function(step); }
  void setParameters(ParameterList& list, const LaunchArguments& arguments, const LaunchPlan& plan,
                     const LaunchMemory& memory) const override;

  /// The contents of the device memory.
  static std::vector<std::byte> image(const InterpreterProgram& program);

 private:
  /// For a launch's integers; kept for the next launch, which tends to have the same. Not
  /// thread-safe.
  const OpListLaunch& walk(const std::int64_t* integers) const;

  Kernel kernel_;
  bool places_;
  OpListDemand demand_;
  std::vector<OpListInstruction> own_;  ///< that come with the launch
  OpListReduction reduction_;
  std::shared_ptr<const CompiledKernel> interpreter_;
  BlockRef code_;
  std::size_t integerCount_;
  mutable std::vector<std::int64_t> integers_;
  mutable bool walked_ = false;
  mutable OpListLaunch walk_;
};

}  // namespace fusebench::cuda
