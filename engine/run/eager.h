// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/run/copies.h"
#include "engine/run/dispatch.h"
#include "engine/run/executor.h"
#include "engine/run/tape.h"

namespace fusebench {

/// One launch per op, with all the work of a framework for each: check the operands, look up the
/// kernel, allocate the result, launch, and free tensors that are no longer needed.
class EagerExecutor final : public Executor {
 public:
  /// `search`, `overlap`: see ExecutorOptions.
  EagerExecutor(Backend& backend, SharedProgram program, bool search = false, bool overlap = false);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return statistics_; }
  Plan plan(Forms inputs) const override;
  const SharedProgram& program() const override { return shared_; }
  void releaseOutputs() override { outputs_.clear(); }

 private:
  void checkInputs(std::size_t inputs) const;
  void releaseAll();
  bool look(const CallSite& site, const Tensor& operand, Tensor& result) const;
  bool copy(const CallSite& site, const Tensor& from, Tensor& result);
  void take(const CallSite& site, const Tensor* const* operands, Tensor& result);
  void checkMemory(const Op& op, std::span<const Tensor* const> operands) const;
  void prepare(const Program& program);
  void prepareTape(const std::vector<Differentiated::Entry>& entries);
  const Tensor& tensorOf(ValueId value, std::span<const Tensor> inputs) const;
  void runOp(std::size_t site, std::int32_t& step, std::span<const Tensor> inputs);
  void runSite(std::size_t site, std::int32_t& step, const Tensor* const* operands,
               std::span<const Tensor> inputs);
  void runBack(std::size_t site, std::int32_t& step, std::span<const Tensor> inputs,
               const Tape::Node* node);
  void release(std::size_t site);
  void record(std::size_t site, std::span<const Tensor> inputs);
  std::size_t goBack(const Differentiated::WayBack& way, std::int32_t& step,
                     std::span<const Tensor> inputs);
  void releaseSaved(Tape::Node& node, const ShortList<Slot, 2>& values) const;
  void settleFor(std::span<const Tensor> inputs);

  SharedProgram shared_;
  const Program& program_;
  Backend& backend_;
  CompileTimes times_;
  std::vector<SizeCheck> checks_;  ///< checks of tensor contents, in order
  Dispatcher dispatcher_;
  Copies copies_;
  bool ownMemory_, overlap_;
  std::vector<CallSite> sites_;
  std::vector<StepUses> uses_;  ///< per op that runs; a place is the value's number
  /// The program that runs: the original, or its version for inputs of these forms.
  const Program* running_ = nullptr;
  SharedProgram settled_;
  std::vector<Form> settledFor_;
  std::vector<Tensor> values_;  ///< results of ops; inputs are not copied into it

  /// The tape's data for an op that gradients go through.
  struct Taped {
    bool records = false;
    std::vector<ValueId> saved;  ///< what its gradient reads
  };
  std::vector<Taped> taped_;  ///< per op that runs; empty: there are no gradients
  std::vector<Differentiated::WayBack> waysBack_;
  Tape tape_;
  std::vector<Tensor> outputs_;
  ExecutorStatistics statistics_;
};

}  // namespace fusebench
