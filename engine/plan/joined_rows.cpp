// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/joined_rows.h"

#include <algorithm>

namespace fusebench {
namespace {

bool isWalked(const KernelTensor& tensor, int last) {
  const std::int64_t stride = tensor.strides[last];
  return !tensor.counts && !tensor.indexed && !tensor.into && !tensor.rewritten &&
         (stride == 0 || stride == 1);
}

}  // namespace

bool mayJoinRows(const Kernel& kernel) {
  const int rank = kernel.rank();
  if (rank < 2 || kernel.reducedMask != 0 || kernel.hasPhases() || !kernel.carried.empty() ||
      !kernel.totals.empty())
    return false;
  const int last = rank - 1;
  const auto isRead = [last](const KernelTensor& input) { return isWalked(input, last); };
  const auto isWritten = [last](const KernelOutput& output) {
    return !output.reduces && !output.scans && !output.ofRow && !output.ofAll &&
           isWalked(output.tensor, last) && output.tensor.strides[last] == 1;
  };
  // If nothing repeats a row, consecutive rows already form one loop.
  const auto repeats = [last](const KernelTensor& input) {
    return input.strides[last] == 1 && input.strides[last - 1] == 0;
  };
  return std::ranges::all_of(kernel.inputs, isRead) &&
         std::ranges::all_of(kernel.outputs, isWritten) &&
         std::ranges::any_of(kernel.inputs, repeats);
}

bool hasShortRows(const Kernel& kernel) {
  if (!mayJoinRows(kernel)) return false;
  const int last = kernel.rank() - 1;
  const std::int64_t length = kernel.extents[last], rows = kernel.extents[last - 1];
  if (length == kAtLaunch || length > kLongestJoinedRow) return false;
  if (rows != kAtLaunch && rows < kFewestJoinedRows) return false;
  const auto joins = [&](const KernelTensor& tensor) {
    return tensor.strides[last - 1] == (tensor.strides[last] == 0 ? 0 : length);
  };
  const auto joinsOrRepeats = [&](const KernelTensor& input) {
    return input.strides[last - 1] == 0 || joins(input);
  };
  return std::ranges::all_of(kernel.inputs, joinsOrRepeats) &&
         std::ranges::all_of(kernel.outputs,
                             [&](const KernelOutput& output) { return joins(output.tensor); });
}

}  // namespace fusebench
