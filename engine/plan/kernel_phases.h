// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench {

/// Per node of a kernel's body: whether it is the same for a whole row, because all of its operands
/// are.
std::vector<bool> rowNodes(const Kernel& kernel);

/// The phase of values that are computed from totals.
inline constexpr int kAfterRows = 1 << 20;

/// Per node of the body of a kernel with phases: the first loop over the row that can compute it. A
/// node that is the same for the row is computed before that loop.
std::vector<int> nodePhases(const Kernel& kernel);

/// One loop over the row of a kernel with phases, as a separate kernel: over the same index space,
/// with reducing results for the values that it carries. It reads values that earlier loops carried
/// as Primitive::carried.
struct KernelPhase {
  Kernel kernel;
  /// Per tensor of `kernel`, inputs, then outputs: the whole kernel's, with the same numbers; -1 -
  /// b: buffer number b; kNowhere: a carried value.
  std::vector<int> tensors;
  std::vector<int> carried;  ///< per output: which of the whole kernel's carried results; -1: none

  static constexpr int kNowhere = 1 << 20;
};

/// A kernel with phases, loop by loop.
///
/// What several loops need is computed in each of them, or, where that is dear, kept in a buffer
/// that is as long as a row: a later loop then reads it as it would a tensor whose rows are one and
/// the same.
struct KernelPhases {
  std::vector<KernelPhase> loops;
  KernelPhase last;  ///< the outputs of the row, stored after all loops; perhaps none
  /// The values of a row that totals accumulate, as outputs of the row; and the outputs of all
  /// rows, which read the totals. May be empty.
  KernelPhase added, end;
  std::vector<DType> buffers;  ///< dtype of each buffer
};
/// `cost`: the cost of a primitive, relative to reading one element; null: nothing is kept.
KernelPhases phasesOf(const Kernel& kernel, double (*cost)(Primitive));

/// Number of loops over a row; 1 without phases.
int phaseCount(const Kernel& kernel);
/// Whether a kernel with phases iterates over a row only once: it is a reduction, except for values
/// computed from its results, and for values that its loop may store for each element.
bool goesOnce(const Kernel& kernel);
/// The same, and its loop stores nothing.
bool isTail(const Kernel& kernel);

}  // namespace fusebench
