// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"

namespace fusebench::cpu {

/// Whether a kernel for any sizes only copies elements that are contiguous along one dimension of
/// the source and along another one of the destination: `x.permute(0, 2, 3, 1).contiguous()` in
/// eager.
bool isTransposingCopy(const Kernel& kernel);

/// Such a copy in squares that are transposed in registers. Code that is generated for any sizes
/// has to choose its vectors without knowing which dimension is long: three channels would fill
/// only three lanes.
class TransposingCopy final : public CpuExecutable {
 public:
  explicit TransposingCopy(const Kernel& kernel);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override { return integers[0]; }
  /// Full cache lines of the result if the first dimension is one of the two.
  std::int64_t grain(const std::int64_t* integers) const override;
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>& /*partials*/, int /*parts*/,
              const LaunchArguments& /*arguments*/) const override {}
  std::size_t partialWords() const override { return 0; }

 private:
  /// Positions among the launch's integers; -1: the stride is 1, -2: it is 0.
  std::vector<int> from_, to_;
  std::size_t rank_;
  std::size_t columns_,
      rows_;  ///< the dimensions along which the input's and the result's elements are contiguous
  std::size_t size_;  ///< bytes of an element
};

}  // namespace fusebench::cpu
