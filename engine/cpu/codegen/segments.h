// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// A run of a kernel's expression nodes that is computed for a whole tile before the next run
/// begins.
///
/// A long chain on few registers cannot keep enough independent vectors in flight to hide the
/// latency of its instructions. So the chain is cut: each segment goes over a tile of elements
/// small enough to stay in the L1 cache, and the processor overlaps the vectors of a segment as it
/// does in a one-op kernel.
struct Segment {
  std::vector<ExprId> nodes;   ///< nodes computed here, operands first
  std::vector<ExprId> inputs;  ///< input nodes read here, from memory
  std::vector<ExprId> loads;   ///< values of earlier segments, read from the tile
  std::vector<ExprId> stores;  ///< values that later segments read
  std::vector<int> outputs;    ///< kernel outputs stored or accumulated here
};

/// Divides the needed, non-uniform nodes of a kernel into segments of at most `limit` instructions
/// (more only if a single node has more). `skip`: for each node, whether it is uniform or not
/// needed.
std::vector<Segment> cutSegments(const Kernel& kernel, const std::vector<bool>& skip, double limit);

/// Approximate number of vector instructions of a primitive.
double instructionCount(Primitive primitive);

}  // namespace fusebench::cpu
