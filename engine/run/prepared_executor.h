// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/plan/prepared.h"
#include "engine/run/executor.h"

namespace fusebench {

/// Runs an executor on values that are computed once from constant inputs: packed weights, their
/// scales. They are computed at the first call, and when a constant input is replaced by another
/// tensor; its elements are assumed unchanged as long as its memory is the same. The time for this
/// is part of the first compile.
class PreparedExecutor final : public Executor {
 public:
  /// Throws as makeExecutor().
  PreparedExecutor(std::string_view name, Backend& backend, const Program& program,
                   const ExecutorOptions& options);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override;
  Plan plan(Forms inputs) const override { return inner_->plan(formsOfPlan(inputs)); }
  std::vector<Form> formsOfPlan(Forms inputs) const override;
  std::size_t unreadBytes(std::span<const Tensor> inputs) const override;
  void releaseOutputs() override { inner_->releaseOutputs(); }
  const SharedProgram& program() const override { return inner_->program(); }

 private:
  bool isNew(std::span<const Tensor> inputs) const;
  void prepare(std::span<const Tensor> inputs);

  Backend& backend_;
  std::size_t inputs_;  ///< number of the program's inputs
  Prepared divided_;
  std::unique_ptr<Executor> inner_;
  std::vector<std::size_t> held_;  ///< inputs from which values are prepared
  std::vector<Tensor> prepared_;   ///< keeps these, so that nothing else uses their memory
  std::vector<Tensor> made_;
  std::vector<Tensor> given_;         ///< to the inner executor
  std::vector<std::size_t> brought_;  ///< positions in `given_` that each call replaces
  bool ready_ = false;
  std::int64_t nanoseconds_ = 0;  ///< the first preparation
  mutable ExecutorStatistics statistics_;
};

}  // namespace fusebench
