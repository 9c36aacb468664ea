// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"

namespace fusebench::cpu {

/// Running sums or products along one dimension: each element waits for the one before it, so there
/// is nothing to vectorize. Floats are accumulated in double, integers in int64.
class ScanExecutable final : public CpuExecutable {
 public:
  /// Throws std::logic_error if the kernel is not a plain scan of one input.
  explicit ScanExecutable(const Kernel& kernel);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return 1; }
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& /*partials*/, int /*parts*/,
              const LaunchArguments& /*arguments*/) const override {}
  std::size_t partialWords() const override { return 0; }

 private:
  /// A size that is fixed in the kernel, or its position among the launch's integers.
  struct Number {
    std::int64_t known = 0;
    int position = -1;
    std::int64_t of(const std::int64_t* integers) const {
      return position < 0 ? known : integers[position];
    }
  };
  std::vector<Number> extents_, from_, to_;  ///< the scanned dimension is the last
  DType read_, written_;
  bool whole_;  ///< gathered in int64
  bool multiplies_;
};

}  // namespace fusebench::cpu
