// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Whether it is cheap to recompute an op of the forward pass where its result is needed.
/// Element-wise ops cost almost nothing when they are fused there; each other op is a separate
/// step.
bool isCheapAnew(const Op& op);

/// Chooses which values of the forward pass are saved for the backward pass: those of the fewest
/// bytes from which cheap ops can recompute all values that are needed. If several choices have the
/// same number of bytes, it takes the one that recomputes the fewest values.
///
/// This is a minimum cut between the values that exist anyway (the program's inputs and `free`) and
/// `needed`. Each value is an edge whose capacity is its size in bytes. Method: Ford and Fulkerson,
/// 1956, with shortest paths first as in Edmonds and Karp, 1972. Returns one entry per value.
std::vector<bool> savedValues(const GradientOps& ops, std::size_t inputs,
                              const std::set<ValueId>& needed, const std::vector<bool>& free);

}  // namespace fusebench
