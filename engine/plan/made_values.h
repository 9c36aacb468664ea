// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/language/program.h"
#include "engine/plan/attention.h"
#include "engine/plan/fusion.h"

namespace fusebench {

/// Per value, whether the kernels that read it compute it, so that it is not stored: very cheap
/// tensors of numbers (OpRow::madeWhereRead), a few cheap element-wise ops on such tensors (masks,
/// comparisons of positions, triangles), and views of both. A value is stored if a step other than
/// a kernel reads it, including an attention, or if it is returned, checked or written in place.
std::vector<bool> valuesMadeWhereRead(const Program& program, const PlanValues& values,
                                      std::span<const Attention> attentions);

/// Whether the computation of such a value depends on the positions of its elements.
bool asksWhere(const Program& program, const PlanValues& values, ValueId made);

/// How a kernel computes the values of FusionGroup::made, op by op.
struct MadeOps {
  struct MadeOp {
    int op;
    std::vector<int> operands;  ///< per operand of the op, which of these computes it; -1: a number
    std::vector<int> counted;   ///< the inputs that it reads, in `counts`
  };
  /// An input of the kernel that counts the position of an element.
  struct Count {
    SizeList<SymbolicSize> strides;  ///< over the group's index space
    SymbolicSize from;
  };
  std::vector<MadeOp> ops;  ///< operands come before the ops that read them
  std::vector<int> makers;  ///< per value of FusionGroup::made, which of these makes it
  std::vector<Count> counts;
};
MadeOps madeOpsOf(const Program& program, const PlanValues& values, const FusionGroup& group);

}  // namespace fusebench
