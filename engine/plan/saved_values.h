// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Whether an op of the way there is computed anew where its result is needed, if that is worth it:
/// beside what is fused there element-wise ops cost nearly nothing, all others are steps.
bool isCheapAnew(const Op& op);

/// Which values of the way there, the ops that there are, are kept for the way back: those of the
/// fewest bytes from which all that is needed can be made by ops that are cheap anew. Of several
/// choices of as many bytes the one that makes least anew.
///
/// A minimum cut between what is there anyway, the program's inputs and `free`, and `needed`: each
/// value is an edge whose capacity is its bytes. Ford and Fulkerson, 1956; the shortest paths
/// first, as Edmonds and Karp, 1972. Returns one entry per value.
std::vector<bool> savedValues(const GradientOps& ops, std::size_t inputs,
                              const std::set<ValueId>& needed, const std::vector<bool>& free);

}  // namespace fusebench
