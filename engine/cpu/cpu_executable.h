// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/accumulators.h"
#include "engine/cpu/jit.h"

namespace fusebench::cpu {

/// A compiled kernel with what launching it needs to know.
class CpuExecutable final : public Executable {
 public:
  CpuExecutable(const Kernel& kernel, const Schedule& schedule, const Target& target,
                std::unique_ptr<LoadedCode> code);

  KernelFunction function() const { return function_; }
  const LaunchForm& form() const { return form_; }
  bool splits() const { return schedule_.splits; }
  bool partials() const { return schedule_.partials; }

  /// Trip count of the first loop.
  std::int64_t firstExtent(const std::int64_t* integers) const {
    return first_.known != kAtLaunch ? first_.known : integers[first_.position];
  }
  /// Parts begin at multiples of this.
  std::int64_t grain() const { return grain_; }
  /// Estimated time of one execution on one thread, nanoseconds; a lower bound (memory not
  /// counted).
  double estimate(const std::int64_t* integers) const;

  /// Merges partial results (see KernelFunction) of `parts` parts and stores the finished results.
  void finish(std::vector<std::uint64_t>& partials, int parts,
              const LaunchArguments& arguments) const;
  std::size_t partialWords() const { return outputs_.size() * kPartialWords; }

 private:
  struct Extent {
    std::int64_t known;    ///< or kAtLaunch
    std::size_t position;  ///< then: among the launch's integers
    bool reduced;
  };
  std::unique_ptr<LoadedCode> code_;
  KernelFunction function_;
  LaunchForm form_;
  Schedule schedule_;
  std::vector<Extent> extents_;
  Extent first_{};
  std::int64_t grain_ = 1;
  double nanosecondsPerElement_ = 0;
  std::size_t inputs_ = 0;
  std::vector<KernelOutput> outputs_;
};

}  // namespace fusebench::cpu
