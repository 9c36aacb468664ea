// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/cpu/codegen/finish_formula.h"
#include "engine/cpu/instant/op_list_code.h"
#include "engine/cpu/instant/op_list_walk.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// What a launch with certain extents does, computed once: consecutive launches tend to be alike.
struct OpListPlan {
  OpListWalk walk;
  std::int64_t outerCount = 1, middleCount = 1, rowLength = 1;
  bool direct = false;  ///< one row of full blocks, with every tensor dense
  bool single = false;  ///< direct, with one block along which something is reduced
  /// Whether the list processes the row in one pass: direct, without sums to flush in between.
  const std::byte* once = nullptr;  ///< its first instruction
  bool tiles = false;               ///< something is gathered, scattered or flushed between tiles
  /// Offsets in a thread's memory: slots come first, buffers last.
  std::size_t accumulators = 0, buffers = 0, bytes = 0;
};

/// An op list that runs without having been compiled: a threaded program of stencils, and the loops
/// around it.
class OpListExecutable final : public CpuExecutable {
 public:
  /// Keeps only the list's loops and its label. Throws std::runtime_error if a stencil cannot be
  /// created.
  OpListExecutable(OpList&& list, std::shared_ptr<Stencils> stencils, ObjectCache* cache,
                   CompileTimes& times);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  void runWhole(const LaunchArguments& arguments) const override;
  bool partials() const override;
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* integers) const override;
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& partials, int parts,
              const LaunchArguments& arguments) const override;
  std::size_t partialWords() const override;

 private:
  friend class OpListRunner;
  /// A result of a reduction, and the code that computes it.
  struct Reduction {
    void (*reset)(void*) = nullptr;
    void (*flush)(void*) = nullptr;
    void (*finish)(void*, std::uint64_t*) = nullptr;
    std::size_t output = 0;
    std::size_t accumulator = 0;  ///< offset of its state
    FinishFormula formula;
  };

  std::string findName() const override { return label_.text(); }
  KernelTraffic findTraffic() const override { return KernelTraffic(kernel_); }

  /// For a launch's integers; kept for later launches until kPlans others have been used. Not
  /// thread-safe.
  const OpListPlan& plan(const std::int64_t* integers) const {
    return latest_ && isFor(*latest_, integers) ? latest_->plan : findPlan(integers);
  }
  const OpListPlan& findPlan(const std::int64_t* integers) const;
  void runPart(const OpListPlan& plan, const LaunchArguments& arguments, std::int64_t begin,
               std::int64_t end, std::uint64_t* partials) const;
  void makePlan(const std::int64_t* integers, OpListPlan& plan) const;
  std::size_t bufferBytes(const TensorWalk& tensor) const;
  /// Whether a tensor is read or stored element by element.
  bool streams(std::size_t tensor) const {
    return tensor < inputs_ ? program_.inputs[tensor].streams
                            : !kernel_.outputs[tensor - inputs_].reduces;
  }
  /// Whether rows of one block, and last blocks, have instructions of their own.
  bool hasEndings() const { return !program_.reductions.empty() && !lanes_; }
  /// The instructions for an ending; needed() must have been called for it. Without endings they
  /// are those of `none`.
  const std::byte* instructions(OpListCode::Ending ending) const {
    return forms_[static_cast<std::size_t>(ending)].data();
  }
  void needed(OpListCode::Ending ending) const;
  static bool splitsRow(const OpListPlan& plan) { return plan.outerCount == 1; }
  static std::int64_t extentOf(const OpListPlan& plan) {
    return splitsRow(plan) ? plan.rowLength : plan.outerCount;
  }

  KernelLabel label_;
  std::shared_ptr<Stencils> stencils_;  ///< which holds the code that this runs
  std::int64_t block_;                  ///< elements
  std::size_t inputs_;
  bool lanes_;  ///< each lane of a block is a separate result
  void (*enter_)(const std::byte*, OpListState*, std::int64_t) = nullptr;
  mutable OpListCode program_;  ///< its instructions are created once a plan needs them
  LoopNest kernel_;
  /// The instructions for each ending that plans have needed: most op lists need only one kind of
  /// plan.
  mutable std::array<std::vector<std::byte>, OpListCode::kEndings> forms_;
  std::vector<Reduction> reductions_;
  double nanosecondsPerElement_ = 0;
  /// The latest launches, by their integers. Shapes often alternate between a few from call to
  /// call.
  struct Planned {
    Planned() {}  // NOLINT(modernize-use-equals-default): the lists' room would be set to 0
    ShortList<std::int64_t, 4> integers;
    OpListPlan plan;
  };
  bool isFor(const Planned& planned, const std::int64_t* integers) const {
    // Compared one by one: there are too few for a call of memcmp to be worth it.
    for (std::size_t i = 0; i < planned.integers.size(); ++i)
      if (integers[i] != planned.integers[i]) return false;
    return true;
  }
  static constexpr std::size_t kPlans = 16;
  mutable std::array<std::unique_ptr<const Planned>, kPlans>
      plans_;  ///< how many are set, from the first
  mutable const Planned* latest_ = nullptr;
  mutable std::size_t oldest_ = 0;
};

}  // namespace fusebench::cpu
