// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/device/backend.h"

namespace fusebench::cpu {

/// An executable of the CPU backend. It is launched whole, or in parts on several threads.
class CpuExecutable : public Executable {
 public:
  /// Does the part [begin, end) of the first loop. If `partials` is not null, the accumulators are
  /// written there (kPartialWords an output) instead of the results.
  virtual void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                   std::uint64_t* partials) const = 0;
  /// All of it, on the calling thread.
  virtual void runWhole(const LaunchArguments& arguments) const {
    run(arguments, 0, splits() ? firstExtent(arguments.integers) : 0, nullptr);
  }
  /// Whether it can be done in parts; else [0, 0) is the whole. Asked at every launch where there
  /// are threads.
  bool splits() const { return splits_; }
  /// Whether parts hand back partial accumulators.
  virtual bool partials() const = 0;
  /// Trip count of the first loop.
  virtual std::int64_t firstExtent(const std::int64_t* integers) const = 0;
  /// Parts begin at multiples of this. For the integers of a launch, as firstExtent.
  virtual std::int64_t grain(const std::int64_t* integers) const = 0;
  /// Estimated time of one execution on one thread, nanoseconds; a lower bound (memory not
  /// counted).
  virtual double estimate(const std::int64_t* integers) const = 0;
  /// Merges partial results of `parts` parts and stores the finished ones.
  virtual void finish(std::vector<std::uint64_t>& partials, int parts,
                      const LaunchArguments& arguments) const = 0;
  virtual std::size_t partialWords() const = 0;

  /// How many arguments a launch takes.
  const LaunchForm& form() const { return form_; }

 protected:
  CpuExecutable(const Kernel& kernel, bool splits)
      : Executable(kernel.name, KernelTraffic(kernel)),
        form_(launchForm(kernel)),
        splits_(splits) {}
  /// One that says its name and its traffic itself.
  CpuExecutable(const LaunchForm& form, bool splits) : form_(form), splits_(splits) {}

 private:
  LaunchForm form_;
  bool splits_;
};

}  // namespace fusebench::cpu
