// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/plan/row_fusion.h"
#include "engine/plan/step_lowering.h"
#include "engine/run/copies.h"
#include "engine/run/eager.h"
#include "engine/run/executor.h"

namespace fusebench {

/// Runs a program by plans that fuse it, made for its actual inputs: static for their exact shapes,
/// dynamic and instant for their rank and layout. At each call, guards choose among the existing
/// specializations. A call that fits none creates another, up to the recompile limit, and later
/// ones run eagerly. Op lists need no compile, so there is no limit for them.
class CompiledExecutor final : public Executor {
 public:
  CompiledExecutor(Backend& backend, SharedProgram program, const PlanOptions& plan,
                   const ExecutorOptions& options);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return statistics_; }
  Plan plan(Forms inputs) const override;
  const SharedProgram& program() const override { return shared_; }
  void releaseOutputs() override {
    for (Tensor& output : outputs_) output.block.reset();
  }

 private:
  /// The additional data of a plan's step for running it.
  struct Launch {
    std::shared_ptr<const Executable> executable;
    LaunchSizes sizes;                    ///< sizes of the launch's integers
    ShortList<std::int64_t, 2> integers;  ///< these, for the symbols resolved for
    ShortList<void*, 6> pointers;         ///< the launch's pointers
    LaunchSizes countedFrom;              ///< for inputs that count: their pointers
    std::vector<Scalar> scalars;          ///< for a kernel that serves any numbers
    std::vector<SymbolicSize> offsets;  ///< of the tensors that it reads, in bytes; empty: no views
    std::vector<std::int64_t> byteOffsets;  ///< these, for the symbols resolved for
  };
  /// A tensor that a step creates, as far as it is known before the call.
  struct Made {
    Tensor tensor;  ///< its block is set while a call needs it
    std::size_t bytes = 0;
  };
  using Symbols = ShortList<std::int64_t, 4>;  ///< their values in a call
  /// A result that is a view.
  struct ViewedOutput {
    std::size_t output;  ///< index of the output
    Tensor tensor;       ///< its form and its offset from the first element of its base
  };
  /// A check that a call waits for.
  struct Awaited {
    PlanCheck check;
    Form form;
    std::int64_t offset = 0;  ///< offset of the element from the first of the slot's
  };
  /// A step that is a copy.
  struct Copied {
    std::size_t step = 0;
    const Op* op = nullptr;
    Form from;
    std::int64_t offset = 0;  ///< offset of its first element from the first of the slot's
  };
  /// A plan compiled for one set of guards.
  struct Specialization {
    Plan plan;
    std::vector<Launch> launches;      ///< one per step
    std::vector<Made> made;            ///< by the steps, in order of their slots
    std::vector<ViewedOutput> viewed;  ///< results that are views
    std::vector<Awaited> checks;
    std::vector<Copied> copies;
    Symbols symbols;
    /// The symbols for which integers, shapes and sizes in bytes were computed: consecutive calls
    /// tend to have the same ones. Nothing: not computed yet.
    std::optional<Symbols> resolvedFor;
    /// Whether it is what such sizes are run by, too.
    bool appliesTo(const std::optional<ListCosts>& costs) const {
      const bool byRows = plan.rows.limits.ofCall && !plan.rows.choices.empty();
      if ((!plan.alongRows && plan.chains.empty() && !byRows) || isResolved()) return true;
      if (byRows && !chooseAlike(plan.values, plan.rows, symbols)) return false;
      if (plan.alongRows && plan.options.phases == winsAlongRows(plan.values, symbols))
        return false;
      return plan.chains.empty() || routesStay(plan.chains, plan.values, symbols, *costs);
    }
    bool isResolved() const {
      if (!resolvedFor) return false;
      // Compared one by one: there are too few for memcmp to pay off.
      for (std::size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i] != (*resolvedFor)[i]) return false;
      return true;
    }
  };

  /// Timestamps of a first call, to time its phases. An executor that builds in microseconds uses
  /// the processor's ticks, because reading steady_clock would take 0.13 of two microseconds. On a
  /// device, where a launch alone takes microseconds and compiling takes milliseconds, steady_clock
  /// is used.
  using Moment = std::int64_t;
  Moment now() const;
  std::int64_t nanoseconds(Moment span) const;

  bool runsOpLists() const { return options_.code == PlanOptions::StepCode::opList; }
  bool atLimit() const {
    return !runsOpLists() && static_cast<int>(specializations_.size()) >= recompileLimit_;
  }
  /// If the device states the costs of lists: chooses the ops of lists that run separately in such
  /// calls.
  void chooseRoutes(Plan& plan, Forms inputs) const;
  /// Replaces op lists that would not win by eager's kernels.
  void preferSingleOpKernels(Plan& plan) const;
  Plan planned(Forms inputs) const;
  Moment compileKernels(Specialization& made, CompileTimes& times);
  void setLibrary(Specialization& made, std::size_t step, CompileTimes& times);
  void assembleOpLists(Specialization& made, Moment begin, CompileTimes& times);
  std::unique_ptr<Specialization> compile(std::span<const Tensor> inputs, Moment begin,
                                          CompileTimes& times);
  void run(Specialization& made, std::span<const Tensor> inputs);
  void runSteps(Specialization& made, std::span<const Tensor> inputs);
  void await(const Specialization& made, std::size_t check, std::span<const Tensor> inputs);
  void copy(Specialization& made, std::size_t step, std::span<const Tensor> inputs);
  static void resolve(Specialization& made, std::span<const Tensor> inputs);
  void prepare(const Specialization& made);

  SharedProgram shared_;
  const Program& program_;
  Backend& backend_;
  PlanOptions options_;
  std::optional<ListCosts> listCosts_;  ///< nothing: lists stay as they are
  int recompileLimit_;
  bool search_;   ///< see ExecutorOptions
  bool inTicks_;  ///< moments are
  Copies copies_;
  std::vector<std::unique_ptr<Specialization>> specializations_;
  std::unique_ptr<EagerExecutor> fallback_;
  const Specialization* prepared_ = nullptr;  ///< the one whose shapes the outputs have
  std::vector<Tensor> outputs_;
  ExecutorStatistics statistics_;
};

}  // namespace fusebench
