// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/runtime/compiled_kernel.h"

namespace fusebench::cpu {

/// Whether launches of a kernel can join rows: mayJoinRows(), and its extents are given at launch.
bool joinsRows(const Kernel& kernel, const Schedule& schedule);

/// A kernel whose launches join rows that are shorter than a vector: `image - mean` for an image of
/// shape (height, width, 3) and a mean of shape (3,). The image's rows follow one another
/// in memory, so that 256 of them are one row of 768 elements; the mean is repeated in a
/// buffer up to that length. Code for any extents would fill 3 lanes of each vector.
///
/// Launches that have longer rows, or tensors with gaps, run the kernel as it is.
class ShortRowKernel final : public CpuExecutable {
 public:
  ShortRowKernel(const Kernel& kernel, std::shared_ptr<const CompiledKernel> whole);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override {
    return whole_->firstExtent(integers);
  }
  std::int64_t grain(const std::int64_t* integers) const override {
    return whole_->grain(integers);
  }
  double estimate(const std::int64_t* integers) const override {
    return whole_->estimate(integers);
  }
  void finish(std::vector<std::uint64_t>& /*partials*/, int /*parts*/,
              const LaunchArguments& /*arguments*/) const override {}
  std::size_t partialWords() const override { return 0; }

 private:
  /// A tensor of the kernel.
  struct Walked {
    std::int64_t bytes;  ///< per element
    std::vector<int>
        strides;  ///< for each loop: position among the integers, or a stride that is known
    bool written;
  };
  class Launch;

  std::int64_t strideOf(const Walked& tensor, std::size_t loop, const std::int64_t* integers) const;
  /// Whether all tensors of this launch have rows without gaps, repeat one row, or repeat one
  /// element.
  bool joins(const std::int64_t* integers) const;

  std::shared_ptr<const CompiledKernel> whole_;
  std::size_t rank_;
  std::size_t integers_;  ///< that a launch takes
  std::vector<Walked> tensors_;
};

}  // namespace fusebench::cpu
