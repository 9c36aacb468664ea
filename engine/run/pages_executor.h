// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/run/executor.h"

namespace fusebench {

/// Runs an executor whose calls take memory in pages of this kind.
class PagesExecutor final : public Executor {
 public:
  /// Throws std::invalid_argument if the backend does not choose pages.
  PagesExecutor(Backend& backend, std::unique_ptr<Executor> inner, Pages pages);

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
  Backend& backend_;
  std::unique_ptr<Executor> inner_;
  Pages pages_;
};

}  // namespace fusebench
