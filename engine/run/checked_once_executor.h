// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/run/executor.h"

namespace fusebench {

/// Checks constant inputs once, and runs an executor on the program without these checks: a call
/// neither launches them nor waits for them. They are made at the first call, and when a constant
/// input is another tensor; its elements are assumed unchanged as long as its memory is the same.
class CheckedOnceExecutor final : public Executor {
 public:
  /// `inner` runs programWithout().
  CheckedOnceExecutor(Backend& backend, SharedProgram program, std::unique_ptr<Executor> inner);
  /// The program without its checks that have the same outcome in each call; null if it has none.
  static SharedProgram programWithout(const Program& program);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return inner_->statistics(); }
  Plan plan(Forms inputs) const override { return inner_->plan(inputs); }
  std::vector<Plan> plans(Forms inputs) const override { return inner_->plans(inputs); }
  void releaseOutputs() override { inner_->releaseOutputs(); }
  std::vector<Form> formsOfPlan(Forms inputs) const override { return inner_->formsOfPlan(inputs); }
  std::size_t unreadBytes(std::span<const Tensor> inputs) const override {
    return inner_->unreadBytes(inputs);
  }
  const SharedProgram& program() const override { return inner_->program(); }

 private:
  bool isNew(std::span<const Tensor> inputs) const;
  void check(std::span<const Tensor> inputs);

  Backend& backend_;
  SharedProgram program_;
  std::unique_ptr<Executor> inner_;
  std::vector<const void*> checked_;  ///< memory of the constant inputs; empty: nothing yet
};

}  // namespace fusebench
