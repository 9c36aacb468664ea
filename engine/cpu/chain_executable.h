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

/// A chain that runs without having been compiled: a threaded program of stencils, and the loops
/// around it.
class ChainExecutable final : public CpuKernel {
 public:
  /// Throws std::runtime_error if a stencil cannot be made.
  ChainExecutable(Chain chain, std::shared_ptr<Stencils> stencils, ObjectCache* cache,
                  CompileTimes& times);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool splits() const override { return true; }
  bool partials() const override;
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* integers) const override;
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& partials, int parts,
              const LaunchArguments& arguments) const override;
  std::size_t partialWords() const override;

  const ChainProgram& program() const { return program_; }

 private:
  friend class ChainRunner;
  struct AccumulatorCode {
    void (*reset)(void*) = nullptr;
    void (*flush)(void*) = nullptr;
    void (*finish)(void*, std::uint64_t*) = nullptr;
  };

  /// How the loops go for a launch's integers; kept for the next launch.
  const ChainWalk& walk(const std::int64_t* integers) const;
  bool splitsRow(const ChainWalk& walk) const;

  Chain chain_;
  std::shared_ptr<Stencils> stencils_;  ///< whose code this runs
  std::int64_t block_;                  ///< elements
  void (*enter_)(const Instruction*, ChainState*, std::int64_t) = nullptr;
  std::vector<Lie> lies_;  ///< per input
  ChainProgram program_;
  std::vector<AccumulatorCode> accumulators_;           ///< per output; null where not reduced
  std::vector<std::optional<FinishFormula>> formulas_;  ///< likewise
  double nanosecondsPerElement_ = 0;
  mutable std::optional<ChainWalk> walk_;  ///< of the latest launch
  mutable std::vector<std::int64_t> walkedWith_;
};

}  // namespace fusebench::cpu
