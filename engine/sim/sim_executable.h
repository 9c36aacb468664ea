// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/backend.h"
#include "engine/sim/work.h"

namespace fusebench::sim {

/// A kernel or an op list of a simulated device: its work and, made on first use, the executable
/// that computes it.
class SimExecutable final : public Executable {
 public:
  explicit SimExecutable(std::string name) : Executable(std::move(name)) {}
  explicit SimExecutable(const Kernel& kernel)
      : Executable(kernel.name), model_(kernel), form_(launchForm(kernel)), kernel_(kernel) {}
  explicit SimExecutable(OpList&& list)
      : model_(list), form_(launchForm(list.kernel)), list_(std::move(list)) {}

  explicit SimExecutable(const LibraryCall& call)
      : Executable(call.name), model_(call), form_(call.launchForm()), call_(call) {}

  const LaunchForm& form() const { return form_; }
  /// Its call to the ranks of a group; null: it has none.
  const RankCall* ranks() const { return call_ && call_->ofRanks() ? &call_->ranks : nullptr; }
  Work work(const LaunchArguments& arguments) const {
    return model_.of(arguments.integers, arguments.pointers);
  }
  /// The executable on that backend; null: there is nothing to compute.
  const Executable* on(Backend& values) const {
    if (made_ || (!kernel_ && !list_ && !call_)) return made_.get();
    CompileTimes ignored;
    if (call_) {
      made_ = values.library(*call_, ignored);
    } else if (kernel_) {
      made_ = values.compile(*kernel_, ignored);
    } else {
      OpList copy = *list_;
      made_ = values.assemble(std::move(copy), ignored);
    }
    return made_.get();
  }

  /// The last launch's sizes and what follows from them.
  struct Last {
    std::vector<std::int64_t> integers;
    Work work;
    double nanoseconds = 0, share = 1;
    bool known = false;
  };
  Last& last() const { return last_; }

 private:
  std::string findName() const override { return list_ ? list_->label.text() : std::string(); }
  KernelTraffic findTraffic() const override { return model_.traffic(); }

  WorkModel model_;
  LaunchForm form_;
  std::optional<Kernel> kernel_;
  std::optional<OpList> list_;
  std::optional<LibraryCall> call_;
  mutable std::shared_ptr<const Executable> made_;
  mutable Last last_;
};

}  // namespace fusebench::sim
