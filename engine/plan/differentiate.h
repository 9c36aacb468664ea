// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// A program whose gradients are ordinary ops.
struct Differentiated {
  Program program;
  /// Whether it is valid for these extents only, because it contains an element count or a shape.
  bool exact = false;
  /// One entry per op of the forward pass, in order: the earlier values that its gradient reads.
  /// Ops through which no gradient passes are left out.
  struct Entry {
    int op = -1;
    std::vector<ValueId> saved;
  };
  /// The ops [first, end) that compute gradients of one value.
  struct WayBack {
    ValueId of = -1;
    int first = 0, end = 0;
  };
  std::vector<Entry> tape;
  std::vector<WayBack> waysBack;
};

/// Which values of the forward pass are saved for the backward pass.
enum class SavePolicy : std::uint8_t {
  named,  ///< those that derivatives name, as in a framework that runs op by op
  fewest  ///< of these, only those that a fused step cannot recompute
};

/// The program to run if only the forward pass is called but gradients may follow (see
/// Program::taped): its ops, with the values that their gradients would read as additional results.
Differentiated taped(const Program& program, std::span<const ValueType> inputs, SavePolicy policy,
                     const std::set<std::size_t>& copyingViews = {});

/// Replaces each gradient by the ops that compute it. They follow the derivatives of the earlier
/// ops (engine/ops/derivatives.h), add the gradients of values that are read twice, and sum those
/// of values that were broadcast. Ops of a segment are recomputed from the inputs of the segment
/// when they are needed. SavePolicy::fewest also recomputes element-wise ops whose operands are in
/// memory, because that costs less in a fused step than saving their results.
///
/// `program` must have numbers for its sizes (withNumbers); `inputs` are the types of its inputs.
/// `copyingViews`: indices of the views that copy their operand, as a reshape of a transposed
/// tensor does; they matter where ops write in place. Values that are not gradients keep their
/// order. Throws ProgramError where PyTorch has no derivative.
Differentiated differentiate(const Program& program, std::span<const ValueType> inputs,
                             SavePolicy policy, const std::set<std::size_t>& copyingViews = {});

}  // namespace fusebench
