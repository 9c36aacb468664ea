// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/parts.h"
#include "engine/run/executor.h"

namespace fusebench {

/// Runs a program with data-dependent control flow as a framework does: each part with a separate
/// executor. Between them the host waits for a condition's one element and continues with the part
/// that it selects. A part's executor is created when the part is first reached.
class BranchingExecutor final : public Executor {
 public:
  /// Throws ProgramError for a program that cannot be divided into parts; see partsOf().
  BranchingExecutor(const ExecutorInfo& how, Backend& backend, SharedProgram program,
                    const ExecutorOptions& options);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override;
  /// The plan of the path that the last call took: its steps are those of the parts, one after
  /// another.
  Plan plan(Forms inputs) const override;
  std::vector<Plan> plans(Forms inputs) const override;
  const SharedProgram& program() const override { return program_; }
  void releaseOutputs() override;

 private:
  /// A part with what runs it.
  struct Running {
    const ProgramPart* part;
    std::unique_ptr<Executor> executor;
    std::vector<bool> kept;  ///< by value: whether something reads it after this part
    int firstStep = -1;      ///< in the path's plan; -1: not known yet
  };

  void add(const ProgramPart& part);
  void run(Running& running, std::span<const Tensor> inputs);
  bool holds(const ProgramPart& part, std::size_t choice);
  void keepOnly(const Running& running);
  void numberSteps(Running& running, std::span<const Tensor> inputs);
  Plan planOf(const Program& way, Forms inputs) const;

  const ExecutorInfo& how_;
  Backend& backend_;
  SharedProgram program_;
  ExecutorOptions options_;
  std::unique_ptr<ProgramPart> first_;
  std::map<const ProgramPart*, Running> running_;
  const Program* way_;          ///< that the last call took
  std::vector<Tensor> values_;  ///< of the way, as far as they are needed later
  std::vector<Tensor> given_, outputs_;
  /// If nothing is computed: by the inputs' contents, the outcomes of their conditions when they
  /// were computed. Addresses do not identify contents: other values may be there later.
  std::map<std::vector<std::uint64_t>, std::vector<bool>> known_;
  const std::vector<bool>* choices_ = nullptr;  ///< those of this call; null: they are waited for
  std::vector<bool> made_;                      ///< as they turn out
  std::uint64_t calls_ = 0, eagerCalls_ = 0;
  int graphs_ = 1;  ///< parts that the last call ran
  mutable ExecutorStatistics statistics_;
};

}  // namespace fusebench
