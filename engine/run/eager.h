// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/dispatch.h"
#include "engine/run/executor.h"

namespace fusebench {

/// One launch per op, with all that a framework does for each: check the operands, find the kernel,
/// allocate the result, launch, and free what is not needed any more.
class EagerExecutor final : public Executor {
 public:
  /// `search`: see ExecutorOptions.
  EagerExecutor(Backend& backend, SharedProgram program, bool search = false);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return statistics_; }
  Plan plan(Forms inputs) const override;
  const SharedProgram& program() const override { return shared_; }

 private:
  void checkInputs(std::size_t inputs) const;
  void releaseAll();
  bool look(const CallSite& site, const Tensor& operand, Tensor& result) const;
  void settleSizes(std::span<const Tensor> inputs);

  SharedProgram shared_;
  const Program& program_;
  Backend& backend_;
  CompileTimes times_;
  std::vector<SizeCheck> checks_;  ///< of what tensors hold, in order
  Dispatcher dispatcher_;
  std::vector<CallSite> sites_;
  std::vector<StepUses> uses_;  ///< per op; a place is the value's number
  Program settled_;  ///< with its sizes worked out for inputs of these shapes, if it has any
  std::vector<Shape> settledFor_;
  std::vector<Tensor> values_;  ///< results of ops; inputs are not copied in
  std::vector<Tensor> outputs_;
  ExecutorStatistics statistics_;
};

}  // namespace fusebench
