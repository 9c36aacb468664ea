// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/transposing_copy.h"

#include <algorithm>

#include "engine/cpu/library/transpose.h"

namespace fusebench::cpu {
namespace {

constexpr int kSideBySide = -1, kRepeated = -2;
/// An estimate for what caches hold: an instruction moves several elements of a square.
constexpr double kNanosecondsPerMove = 0.1;
constexpr std::int64_t kLineElements = 64;

/// The dimension along which elements are next to each other; -1: none or several.
int sideBySide(const Strides& strides) {
  int found = -1;
  for (int dim = 0; dim < strides.rank(); ++dim)
    if (strides[dim] == 1) {
      if (found >= 0) return -1;
      found = dim;
    }
  return found;
}

}  // namespace

bool isTransposingCopy(const Kernel& kernel) {
  if (kernel.inputs.size() != 1 || kernel.outputs.size() != 1 || kernel.reducedMask != 0 ||
      kernel.hasPhases() || kernel.rank() < 2)
    return false;
  const KernelTensor &from = kernel.inputs[0], &to = kernel.outputs[0].tensor;
  if (from.counts || from.indexed || from.rewritten || from.dtype != to.dtype) return false;
  const auto value = static_cast<std::size_t>(kernel.outputs[0].value);
  if (kernel.body.nodes()[value].primitive != Primitive::input) return false;
  if (!std::ranges::all_of(kernel.extents, [](std::int64_t e) { return e == kAtLaunch; }))
    return false;
  const int columns = sideBySide(from.strides), rows = sideBySide(to.strides);
  return columns >= 0 && rows >= 0 && columns != rows && from.strides[rows] == kAtLaunch &&
         to.strides[columns] == kAtLaunch;
}

TransposingCopy::TransposingCopy(const Kernel& kernel)
    : CpuExecutable(kernel, /*splits=*/true),
      rank_(static_cast<std::size_t>(kernel.rank())),
      columns_(static_cast<std::size_t>(sideBySide(kernel.inputs[0].strides))),
      rows_(static_cast<std::size_t>(sideBySide(kernel.outputs[0].tensor.strides))),
      size_(info(kernel.inputs[0].dtype).size) {
  int next = kernel.rank();
  const auto positions = [&next](const Strides& strides) {
    std::vector<int> made;
    for (const std::int64_t stride : strides)
      made.push_back(stride == 1 ? kSideBySide : stride == 0 ? kRepeated : next++);
    return made;
  };
  from_ = positions(kernel.inputs[0].strides);
  to_ = positions(kernel.outputs[0].tensor.strides);
}

std::int64_t TransposingCopy::grain(const std::int64_t* /*integers*/) const {
  return columns_ == 0 || rows_ == 0 ? kLineElements : 1;
}

double TransposingCopy::estimate(const std::int64_t* integers) const {
  double elements = 1;
  for (std::size_t d = 0; d < rank_; ++d) elements *= static_cast<double>(integers[d]);
  return elements * kNanosecondsPerMove;
}

void TransposingCopy::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                          std::uint64_t* /*partials*/) const {
  const std::int64_t* const integers = arguments.integers;
  const auto stride = [integers](int position) {
    return position == kSideBySide ? 1 : position == kRepeated ? 0 : integers[position];
  };
  const auto extent = [&](std::size_t d) { return d == 0 ? end - begin : integers[d]; };
  std::int64_t blocks = 1;
  for (std::size_t d = 0; d < rank_; ++d)
    if (d != columns_ && d != rows_) blocks *= extent(d);
  const auto size = static_cast<std::int64_t>(size_);
  const auto* const from =
      static_cast<const std::byte*>(arguments.pointers[0]) + begin * stride(from_[0]) * size;
  auto* const to = static_cast<std::byte*>(arguments.pointers[1]) + begin * stride(to_[0]) * size;
  for (std::int64_t block = 0; block < blocks; ++block) {
    std::int64_t rest = block, fromPlace = 0, toPlace = 0;
    for (std::size_t d = rank_; d-- > 0;) {
      if (d == columns_ || d == rows_) continue;
      const std::int64_t index = rest % extent(d);
      rest /= extent(d);
      fromPlace += index * stride(from_[d]);
      toPlace += index * stride(to_[d]);
    }
    transposeElements(size_, from + fromPlace * size, stride(from_[rows_]), to + toPlace * size,
                      stride(to_[columns_]), extent(rows_), extent(columns_));
  }
}

}  // namespace fusebench::cpu
