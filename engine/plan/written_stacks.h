// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/language/program.h"
#include "engine/plan/fusion.h"

namespace fusebench {

/// Makes a kernel that computes all pieces of a stack write each one to its position in the result.
/// torch.stack() of a few tensors, and torch.cat() of a few parts of one size, select among the
/// pieces by the position of an element. This is right if the selection is part of another kernel.
/// If a kernel does nothing else, the kernel of the pieces can do it, and they are not stored
/// separately. Groups are those of all other passes. `values` receives the parts that are written.
void writeStacks(const Program& program, PlanValues& values, std::vector<FusionGroup>& groups);

}  // namespace fusebench
