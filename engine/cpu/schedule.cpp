// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/schedule.h"

#include <algorithm>

#include "engine/cpu/segments.h"

namespace fusebench::cpu {
namespace {

/// Four vectors of a segment this long are half of what the processor looks ahead (some 250
/// instructions), so that the next four overlap with them.
constexpr double kSegmentInstructions = 26;
/// Elements of a tile, in vectors: a few values of it fit the L1 cache many times over.
constexpr int kTileVectors = 32;

/// Long dependency chains need many vectors in flight to hide latency; on the other hand each live
/// vector wants a register.
int chooseInterleave(const Kernel& kernel, const Target& target, bool gathers) {
  if (gathers) return 2;
  (void)kernel;
  return target.vectorRegisters >= 32 ? 8 : 4;
}

/// How well the tensors run along a dimension: neighbours side by side are best, repeats are free.
int suitability(const Kernel& kernel, int dim) {
  int score = 0;
  const auto judge = [&](const KernelTensor& tensor, int weight) {
    const std::int64_t stride = tensor.strides[dim];
    if (stride == 1)
      score += 4 * weight;
    else if (stride != 0)
      score -= 4 * weight;
  };
  for (const auto& input : kernel.inputs) judge(input, 1);
  for (const auto& output : kernel.outputs) judge(output.tensor, output.reduces ? 0 : 2);
  return score;
}

}  // namespace

Schedule schedule(const Kernel& kernel, const Target& target, int interleave) {
  Schedule s;
  int best = -1;
  for (int dim = 0; dim < kernel.rank(); ++dim)
    if (best < 0 || suitability(kernel, dim) >= suitability(kernel, best)) best = dim;
  s.vectorDim = best;
  s.vectorReduced = kernel.reduced(best);
  for (const bool reduced : {false, true}) {
    if (reduced) s.firstReduced = static_cast<int>(s.order.size());
    for (int dim = 0; dim < kernel.rank(); ++dim)
      if (kernel.reduced(dim) == reduced && dim != best) s.order.push_back(dim);
    if (kernel.reduced(best) == reduced) s.order.push_back(best);
  }
  s.partials = s.firstReduced == 0;

  bool gathers = false;
  for (const auto& input : kernel.inputs)
    gathers |= input.strides[best] != 0 && input.strides[best] != 1;
  s.interleave = interleave > 0 ? interleave : chooseInterleave(kernel, target, gathers);
  const std::int64_t extent = kernel.extents[best];
  if (extent != kAtLaunch) {
    const std::int64_t needed = (extent + target.vector.width - 1) / target.vector.width;
    s.interleave = static_cast<int>(std::clamp<std::int64_t>(needed, 1, s.interleave));
  }
  // A tile is worth its loads and stores where vectors are few and the chain is long.
  const bool lanesInnermost = s.order.back() == s.vectorDim;
  if (target.vectorRegisters < 32 && lanesInnermost) {
    s.segmentLimit = kSegmentInstructions;
    s.tile = kTileVectors * target.vector.width;
  }
  // Loops known to be short stay whole: constant bounds make better code.
  const std::int64_t first = kernel.extents[s.order.front()];
  s.splits = first == kAtLaunch || first > (s.vectorIsFirst() ? 4096 : 64);
  return s;
}

double instructionsPerElement(const Kernel& kernel) {
  double count = static_cast<double>(kernel.outputs.size());
  for (const ExprNode& node : kernel.body.nodes()) count += instructionCount(node.primitive);
  return count;
}

}  // namespace fusebench::cpu
