// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/chain_program.h"
#include "engine/cpu/chain_walk.h"
#include "engine/cpu/cpu_kernel.h"
#include "engine/cpu/finish_formula.h"

namespace fusebench::cpu {

/// What a launch of certain extents does, worked out once: launches tend to be like the one before.
struct ChainPlan {
  ChainWalk walk;
  std::int64_t outerCount = 1, middleCount = 1, rowLength = 1;
  bool direct = false;  ///< one row of whole blocks, every tensor dense
  bool single = false;  ///< direct, and one block, along which something is reduced
  bool tiles = false;   ///< something is gathered, scattered or flushed between tiles
  /// Places in a thread's memory: slots come first.
  std::size_t accumulators = 0, bytes = 0;
  std::vector<std::size_t> buffers;  ///< per tensor that streams
};

/// A chain that runs without having been compiled: a threaded program of stencils, and the loops
/// around it.
class ChainExecutable final : public CpuKernel {
 public:
  /// Throws std::runtime_error if a stencil cannot be made.
  ChainExecutable(Chain chain, std::shared_ptr<Stencils> stencils, ObjectCache* cache,
                  CompileTimes& times);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  void runWhole(const LaunchArguments& arguments) const override;
  bool splits() const override { return true; }
  bool partials() const override;
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* integers) const override;
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& partials, int parts,
              const LaunchArguments& arguments) const override;
  std::size_t partialWords() const override;

  /// With what its instructions stand for.
  ChainProgram explained(ObjectCache* cache, CompileTimes& times) const;

 private:
  friend class ChainRunner;
  /// A result that is reduced, and the code that does it.
  struct Reduction {
    void (*reset)(void*) = nullptr;
    void (*flush)(void*) = nullptr;
    void (*finish)(void*, std::uint64_t*) = nullptr;
    std::size_t output = 0;
    std::size_t accumulator = 0;  ///< offset of its state
    const FinishFormula* formula = nullptr;
  };

  /// For a launch's integers; kept for later launches until kPlans others have come. Not for
  /// several threads at once.
  const ChainPlan& plan(const std::int64_t* integers) const {
    return latest_ < plans_.size() && isFor(*plans_[latest_], integers) ? plans_[latest_]->plan
                                                                        : findPlan(integers);
  }
  const ChainPlan& findPlan(const std::int64_t* integers) const;
  void runPart(const ChainPlan& plan, const LaunchArguments& arguments, std::int64_t begin,
               std::int64_t end, std::uint64_t* partials) const;
  ChainPlan makePlan(const std::int64_t* integers) const;
  static bool splitsRow(const ChainPlan& plan) { return plan.outerCount == 1; }
  static std::int64_t extentOf(const ChainPlan& plan) {
    return splitsRow(plan) ? plan.rowLength : plan.outerCount;
  }

  Chain chain_;
  std::shared_ptr<Stencils> stencils_;  ///< whose code this runs
  std::int64_t block_;                  ///< elements
  std::size_t inputs_;
  void (*enter_)(const Instruction*, ChainState*, std::int64_t) = nullptr;
  std::vector<Lie> lies_;  ///< per input
  ChainProgram program_;
  /// Its forms for a last block that is not full and for a row of one block, made when a plan first
  /// needs them; empty: as the program.
  mutable std::vector<Instruction> partial_, single_;
  std::vector<std::optional<FinishFormula>> formulas_;  ///< per output; empty where not reduced
  std::vector<Reduction> reductions_;
  double nanosecondsPerElement_ = 0;
  std::vector<bool> streams_;  ///< per tensor: read or stored element by element
  /// Of the latest launches, by their integers. Shapes often change from call to call among a few.
  struct Planned {
    std::vector<std::int64_t> integers;
    ChainPlan plan;
  };
  bool isFor(const Planned& planned, const std::int64_t* integers) const {
    // One by one: they are fewer than a call of memcmp is worth.
    for (std::size_t i = 0; i < planned.integers.size(); ++i)
      if (integers[i] != planned.integers[i]) return false;
    return true;
  }
  static constexpr std::size_t kPlans = 16;
  mutable std::vector<std::unique_ptr<const Planned>> plans_;
  mutable std::size_t latest_ = 0, oldest_ = 0;
};

}  // namespace fusebench::cpu
