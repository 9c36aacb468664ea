// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/device/backend.h"

namespace fusebench::cpu {

/// An executable of the CPU backend. It is launched as a whole, or in parts on several threads.
class CpuExecutable : public Executable {
 public:
  /// Executes the part [begin, end) of the first loop. If `partials` is not null, the accumulators
  /// are written there (kPartialWords per output) instead of the results.
  virtual void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                   std::uint64_t* partials) const = 0;
  /// Executes all of it, on the calling thread.
  virtual void runWhole(const LaunchArguments& arguments) const {
    run(arguments, 0, splits() ? firstExtent(arguments.integers) : 0, nullptr);
  }
  /// Whether it can be executed in parts; otherwise [0, 0) is the whole. Called at every launch if
  /// there are threads.
  bool splits() const { return splits_; }
  /// Whether parts return partial accumulators.
  virtual bool partials() const = 0;
  /// Trip count of the first loop.
  virtual std::int64_t firstExtent(const std::int64_t* integers) const = 0;
  /// Parts begin at multiples of this. For the integers of a launch, like firstExtent.
  virtual std::int64_t grain(const std::int64_t* integers) const = 0;
  /// Estimated time of one execution on one thread in nanoseconds; a lower bound (memory traffic is
  /// not counted).
  virtual double estimate(const std::int64_t* integers) const = 0;
  /// Merges the partial results of `parts` parts and stores the finished results.
  virtual void finish(std::vector<std::uint64_t>& partials, int parts,
                      const LaunchArguments& arguments) const = 0;
  virtual std::size_t partialWords() const = 0;

  /// Number of arguments of a launch.
  const LaunchForm& form() const { return form_; }

 protected:
  CpuExecutable(const Kernel& kernel, bool splits)
      : Executable(kernel.name, KernelTraffic(kernel)),
        form_(launchForm(kernel)),
        splits_(splits) {}
  /// An executable that reports its name and its traffic itself.
  CpuExecutable(const LaunchForm& form, bool splits) : form_(form), splits_(splits) {}

 private:
  LaunchForm form_;
  bool splits_;
};

}  // namespace fusebench::cpu
