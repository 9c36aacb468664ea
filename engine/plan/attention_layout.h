// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "engine/plan/fusion.h"

namespace fusebench {

/// Lets attentions write their result in the layout of its only reader, a copy, if that copy is a
/// separate step: y.transpose(1, 2).reshape(batch, rows, -1) joins heads without a launch. The
/// copy's op becomes the last one of the group.
void joinCopies(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups);

/// The op of a step that computes the attention's result: its last, or the one before a copy.
int contextOpOf(const Program& program, const FusionGroup& group);

/// The strides of an attention's result within the result of its group.
SizeList<SymbolicSize> resultStridesOf(const Program& program, const PlanValues& values,
                                       const FusionGroup& group);

}  // namespace fusebench
