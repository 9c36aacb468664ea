// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/cpu/codegen/finish_formula.h"
#include "engine/cpu/codegen/jit.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// A compiled kernel with what is needed to launch it.
class CompiledKernel final : public CpuExecutable {
 public:
  CompiledKernel(const Kernel& kernel, const Schedule& schedule, const Target& target,
                 std::unique_ptr<LoadedCode> code);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override {
    if (!totals_.empty()) return runAddingUp(arguments, begin, end, partials);
    if (buffers_ > 0) partials = rowBuffers(arguments.integers);
    function_(arguments.pointers, arguments.integers, arguments.scalars, begin, end, partials);
  }
  /// Once more, in one call from the launch to the machine code.
  void runWhole(const LaunchArguments& arguments) const override {
    if (!totals_.empty()) [[unlikely]]
      return CpuExecutable::runWhole(arguments);
    function_(arguments.pointers, arguments.integers, arguments.scalars, 0,
              splits() ? CompiledKernel::firstExtent(arguments.integers) : 0,
              buffers_ > 0 ? rowBuffers(arguments.integers) : nullptr);
  }
  bool partials() const override { return schedule_.partials || !totals_.empty(); }

  std::int64_t firstExtent(const std::int64_t* integers) const override {
    return first_.known != kAtLaunch ? first_.known : integers[first_.position];
  }
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return grain_; }
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& partials, int parts,
              const LaunchArguments& arguments) const override;
  std::size_t partialWords() const override { return reductions().size() * kPartialWords; }

 private:
  /// The outputs that accumulate, in the order of the partial states.
  const std::vector<KernelOutput>& reductions() const {
    return !totals_.empty() ? totals_ : carried_.empty() ? outputs_ : carried_;
  }
  void runAddingUp(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                   std::uint64_t* partials) const;

  struct Extent {
    std::int64_t known;    ///< or kAtLaunch
    std::size_t position;  ///< then: index among the launch's integers
    bool reduced;
  };
  /// The thread's own memory for the row buffers of a kernel with phases.
  std::uint64_t* rowBuffers(const std::int64_t* integers) const;
  /// Product of the extents that are reduced.
  std::int64_t reducedElements(const std::int64_t* integers) const;

  std::unique_ptr<LoadedCode> code_;
  KernelFunction function_;
  Schedule schedule_;
  std::vector<Extent> extents_;
  Extent first_{};
  std::int64_t grain_ = 1;
  double nanosecondsPerElement_ = 0;
  std::size_t inputs_ = 0;
  std::size_t buffers_ = 0;  ///< buffers per row
  std::vector<KernelOutput> outputs_, carried_, totals_;
  std::vector<std::optional<FinishFormula>>
      formulas_;  ///< for each output; empty if it is not reduced
};

}  // namespace fusebench::cpu
