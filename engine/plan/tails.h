// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/language/program.h"
#include "engine/plan/fusion.h"
#include "engine/plan/plan_options.h"

namespace fusebench {

/// Joins products with the kernel that alone reads them, which saves a launch and a tensor: the
/// kernel's result takes the product's place, with the same layout. All ops of such a kernel have
/// rows with a tail (Tail).
///
/// As epilogues: relu, and without windows gelu by tanh, which the library does as it writes the
/// result. Products of float32, and with relu of 16-bit floats. As kernels: all of these ops one
/// after the other, in every type of floats, with the other tensors that they read; for they go
/// over the result as it is stored. These may also write over the whole product in place.
void joinTails(const Program& program, const PlanValues& values, std::vector<FusionGroup>& groups,
               Tails how);

/// The other values that the ops of a library's step after its first one read, in the order of the
/// launch's pointers.
std::vector<ValueId> readByTail(const Program& program, const FusionGroup& group);

/// These ops as a separate group, which reads the matmul's result first.
FusionGroup tailOf(const Program& program, const PlanValues& values, const FusionGroup& group);

}  // namespace fusebench
