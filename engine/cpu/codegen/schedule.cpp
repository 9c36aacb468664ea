// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/schedule.h"

#include <algorithm>
#include <limits>

#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/codegen/segments.h"
#include "engine/plan/kernel_nodes.h"
#include "engine/plan/kernel_phases.h"

namespace fusebench::cpu {
namespace {

/// The vectors of a segment this long are a part of what the processor looks ahead (250
/// instructions and more), so that the next ones overlap with them.
constexpr double kSegmentInstructions = 26;
/// Reading an element and doing no more to it than adding it up.
constexpr double kBareInstructions = 2;
/// Elements of a tile, in vectors: a value for each segment's end fits into the L1 cache together
/// with the inputs.
constexpr int kTileVectors = 16;
static_assert(kTileVectors <= kFlushSteps, "sums are flushed after each tile");

/// From here on arithmetic hides how addresses are counted through, and loops are long to look at.
constexpr double kManyInstructions = 120;
/// Vector registers of AVX-512 and NEON; others have half as many.
constexpr int kManyRegisters = 32;

/// A panel: as many rows as floats fit a cache line, so that what is fetched is used, and so many
/// columns that several panels fit the L1 cache.
constexpr int kPanelRows = 16, kPanelColumns = 128;
/// Panels one below the other before those of the next columns, of what caches do not hold: 2 KiB
/// of each row that is transposed.
constexpr int kPanelsDown = 32;

/// Whether the tensor is contiguous along `dim`, but not along the vectorized dimension.
bool isTransposed(const KernelTensor& tensor, int dim, int vectorDim) {
  const std::int64_t stride = tensor.strides[vectorDim];
  return dim != vectorDim && tensor.dtype == DType::float32 && tensor.strides[dim] == 1 &&
         stride != 0 && stride != 1;
}

/// Whether elements may come in any order along both dimensions: both are kept, or both are reduced
/// to the same result.
bool anyOrder(const Kernel& kernel, int one, int other) {
  return kernel.reducedMask == 0 || (kernel.reduced(one) && kernel.reduced(other));
}

/// Whether a vector has room along the dimension, as far as is known.
bool isLong(const Kernel& kernel, int dim, const Target& target) {
  return kernel.extents[dim] == kAtLaunch || kernel.extents[dim] >= target.vector.width;
}

/// Whether panels suit a tensor that is contiguous along `dim` when `vectorDim` is vectorized:
/// elements may come in any order along both, which are long enough for a block to be transposed.
bool suitsPanels(const Kernel& kernel, const KernelTensor& tensor, int dim, int vectorDim,
                 const Target& target) {
  return target.vector.width % 4 == 0 && isTransposed(tensor, dim, vectorDim) &&
         anyOrder(kernel, dim, vectorDim) && isLong(kernel, dim, target) &&
         isLong(kernel, vectorDim, target);
}

/// Whether the block's elements may be processed in pairs: contiguous elements are bfloat16, and
/// nothing depends on the lane that an element is in.
bool isPaired(const Schedule& s, const Kernel& kernel) {
  if (s.interleave % 2 != 0 || s.hasPanels() || kernel.reducedMask != 0) return false;
  for (const KernelTensor& input : kernel.inputs) {
    const std::int64_t stride = input.strides[s.vectorDim];
    if (input.counts || input.indexed) return false;
    if (stride != 0 && (stride != 1 || input.dtype != DType::bfloat16)) return false;
  }
  return std::ranges::all_of(kernel.outputs, [&](const KernelOutput& output) {
    return output.tensor.strides[s.vectorDim] == 1 && output.tensor.dtype == DType::bfloat16;
  });
}

/// Larger tensors have left every cache before they are used again.
constexpr std::int64_t kCacheBytes = std::int64_t{1} << 25;

/// 0 if that is not known.
std::int64_t bytesOf(const Kernel& kernel, const KernelTensor& tensor) {
  auto bytes = static_cast<std::int64_t>(info(tensor.dtype).size);
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    if (kernel.extents[dim] == kAtLaunch) return 0;
    if (tensor.strides[dim] != 0) bytes *= kernel.extents[dim];
  }
  return bytes;
}

/// Whether all tensors together are so large that most of the stored data leave the caches.
bool passesThroughCaches(const Kernel& kernel) {
  std::int64_t bytes = 0;
  for (const auto& input : kernel.inputs)
    if (!input.counts) bytes += bytesOf(kernel, input);
  for (const auto& output : kernel.outputs) bytes += bytesOf(kernel, output.tensor);
  return bytes >= 2 * kCacheBytes;
}

/// Whether a result is stored past the caches: it is large, or one of many that are, and every
/// block of it begins where a vector may.
bool isStreamed(const Schedule& s, const Kernel& kernel, const KernelOutput& output,
                const Target& target) {
  const std::int64_t element = static_cast<std::int64_t>(info(output.tensor.dtype).size);
  const std::int64_t width = target.vector.width * (s.paired ? 2 : 1),
                     step = target.vector.width * s.interleave;
  if (output.reduces || output.scans || output.ofRow || output.tensor.into || width * element < 16)
    return false;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    const std::int64_t extent = kernel.extents[dim], stride = output.tensor.strides[dim];
    if (extent == kAtLaunch || stride == kAtLaunch || stride == 0) return false;
    if (dim == s.vectorDim ? stride != 1 || extent % step != 0 : stride % width != 0) return false;
  }
  return isBeyondCaches(kernel, output.tensor) || passesThroughCaches(kernel);
}

bool isIn(const std::vector<int>& list, std::size_t index) {
  return std::ranges::find(list, static_cast<int>(index)) != list.end();
}

/// Reads inputs and writes results through panels where that is worth it.
void choosePanels(Schedule& s, const Kernel& kernel, const Target& target) {
  const auto choose = [&](const KernelTensor& tensor, std::size_t index, std::vector<int>& panels) {
    for (int dim = 0; s.panelDim < 0 && dim < kernel.rank(); ++dim)
      if (suitsPanels(kernel, tensor, dim, s.vectorDim, target)) s.panelDim = dim;
    if (s.panelDim >= 0 && suitsPanels(kernel, tensor, s.panelDim, s.vectorDim, target))
      panels.push_back(static_cast<int>(index));
  };
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    if (!kernel.inputs[i].indexed) choose(kernel.inputs[i], i, s.panelInputs);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (!kernel.outputs[o].reduces) choose(kernel.outputs[o].tensor, o, s.panelOutputs);
  if (!s.hasPanels()) return;
  s.panelRows = std::max(kPanelRows, target.vector.width);
  const auto isLarge = [&](int input) {
    return isBeyondCaches(kernel, kernel.inputs[static_cast<std::size_t>(input)]);
  };
  if (kernel.reducedMask == 0 && std::ranges::any_of(s.panelInputs, isLarge))
    s.panelsDown = kPanelsDown;
  std::erase(s.order, s.panelDim);
  s.order.insert(s.order.end() - 1, s.panelDim);
}

/// Vectors side by side hide latency, and each wants registers, code, and a place in a last block
/// that is not full. A segment overlaps with its next steps, so that few are enough.
int chooseInterleave(double instructions, const Target& target, bool gathers, bool inSegments) {
  if (gathers) return 2;
  const bool manyRegisters = target.vectorRegisters >= kManyRegisters;
  // A bare reduction waits for its own additions.
  if (instructions <= kBareInstructions) return 8;
  if (instructions <= kSegmentInstructions) return 4;
  if (inSegments) return manyRegisters ? 2 : 4;
  return manyRegisters ? 8 : 4;
}

/// As few vectors a step as need no more steps for this many: 9 go in three times 3, not in
/// 4 + 4 + 4 of which three are for nothing.
int evenly(std::int64_t vectors, int most) {
  const std::int64_t steps = (vectors + most - 1) / most;
  return steps == 0 ? 1 : static_cast<int>((vectors + steps - 1) / steps);
}

/// How well the tensors run along a dimension: contiguous elements are best, repeats are free, and
/// tensors that can be transposed in panels cost little, a result no more than an input.
int suitability(const Kernel& kernel, int dim, const Target& target) {
  int score = isLong(kernel, dim, target) ? 0 : -2;
  const auto judge = [&](const KernelTensor& tensor, int weight) {
    const std::int64_t stride = tensor.strides[dim];
    bool panel = false;
    for (int other = 0; other < kernel.rank(); ++other)
      panel |= suitsPanels(kernel, tensor, other, dim, target);
    if (stride == 1)
      score += 4 * weight;
    else if (stride != 0)
      score -= panel ? 1 : 4 * weight;
  };
  for (const auto& input : kernel.inputs)
    if (!input.counts) judge(input, 1);
  for (const auto& output : kernel.outputs)
    if (!output.reduces) judge(output.tensor, 2);
  return score;
}

/// Estimate for one execution; infinite if it depends on the launch, NaN if the kernel does
/// nothing.
double estimatedNanoseconds(const Kernel& kernel, const Target& target) {
  double elements = 1;
  for (int dim = 0; dim < kernel.rank(); ++dim)
    elements *= kernel.extents[dim] == kAtLaunch ? std::numeric_limits<double>::infinity()
                                                 : static_cast<double>(kernel.extents[dim]);
  return elements * nanosecondsPerElement(kernel, target);
}

/// What one loop of a kernel with phases does for each element: what is of the row is done before.
double instructionsOfPhase(const Kernel& phase) {
  const std::vector<int> needed = numberNeeded(phase);
  const std::vector<bool> ofRow = rowNodes(phase);
  auto count = static_cast<double>(phase.outputs.size());
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i] >= 0 && !ofRow[i]) count += instructionCount(phase.body.nodes()[i].primitive);
  return count;
}

/// `inRow`: the vectorized dimension is a reduced one. `instructions`: per element.
Schedule arranged(const Kernel& kernel, const Target& target, int interleave, bool inRow,
                  double instructions) {
  Schedule s;
  int best = -1;
  for (int dim = 0; dim < kernel.rank(); ++dim)
    if (inRow && !kernel.reduced(dim))
      continue;
    else if (best < 0 || suitability(kernel, dim, target) >= suitability(kernel, best, target))
      best = dim;
  s.vectorDim = best;
  s.vectorReduced = kernel.reduced(best);
  for (const bool reduced : {false, true}) {
    if (reduced) s.firstReduced = static_cast<int>(s.order.size());
    for (int dim = 0; dim < kernel.rank(); ++dim)
      if (kernel.reduced(dim) == reduced && dim != best) s.order.push_back(dim);
    if (kernel.reduced(best) == reduced) s.order.push_back(best);
  }
  s.partials = s.firstReduced == 0;
  choosePanels(s, kernel, target);

  bool gathers = false;
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    gathers |= !kernel.inputs[i].counts && kernel.inputs[i].strides[best] != 0 &&
               kernel.inputs[i].strides[best] != 1 && !isIn(s.panelInputs, i);
  const bool inSegments = s.order.back() == s.vectorDim;
  s.chosenInterleave = interleave;
  s.interleave =
      interleave > 0 ? interleave : chooseInterleave(instructions, target, gathers, inSegments);
  if (const std::int64_t extent = kernel.extents[best]; extent != kAtLaunch)
    s.interleave = evenly((extent + target.vector.width - 1) / target.vector.width, s.interleave);
  const int step = target.vector.width * s.interleave;
  s.panelColumns = (kPanelColumns + step - 1) / step * step;
  if (inSegments) {
    s.segmentLimit = kSegmentInstructions;
    s.tile = std::max(kTileVectors / s.interleave, 1) * step;
  }
  s.paired = isPaired(s, kernel);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o)
    if (!isIn(s.panelOutputs, o) && isStreamed(s, kernel, kernel.outputs[o], target))
      s.streamed.push_back(static_cast<int>(o));
  // What is known to be short stays whole: constant bounds make better code.
  s.splits = estimatedNanoseconds(kernel, target) > kShortNanoseconds;
  const bool isLongChain = instructions >= kManyInstructions;
  s.strengthReduction = s.hasPanels() || (!isLongChain && !(gathers && s.vectorReduced));
  s.pooledConstants = isLongChain && inSegments && target.vectorRegisters >= kManyRegisters;
  return s;
}

}  // namespace

Schedule schedule(const Kernel& kernel, const Target& target, int interleave) {
  Schedule s =
      arranged(kernel, target, interleave, kernel.hasPhases(), instructionsPerElement(kernel));
  if (!kernel.hasPhases()) return s;
  // Each thread has its own rows. scheduleOfPhase() arranges what each loop does.
  s.partials &= isTail(kernel);
  s.splits &= s.firstReduced > 0 || s.partials;
  return s;
}

bool isBeyondCaches(const Kernel& kernel, const KernelTensor& tensor) {
  return bytesOf(kernel, tensor) >= kCacheBytes;
}

Target targetOfRow(const Kernel& kernel, const Target& target, const Schedule& whole) {
  constexpr int kLeastWidth = 4, kFewVectors = 4;
  Target made = target;
  const std::int64_t extent = kernel.extents[whole.vectorDim];
  if (whole.partials || extent == kAtLaunch) return made;
  int& width = made.vector.width;
  const auto fillsHalves = [&] {
    return extent < kFewVectors * width && extent % width != 0 && extent % (width / 2) == 0;
  };
  while (width > kLeastWidth && (extent <= width / 2 || fillsHalves())) width /= 2;
  return made;
}

Schedule scheduleOfPhase(const Kernel& phase, const Target& target, const Schedule& whole) {
  if (whole.partials) return whole;  // its loop is the whole's
  Schedule s = arranged(phase, target, whole.chosenInterleave, true, instructionsOfPhase(phase));
  s.partials = s.splits = false;
  return s;
}

double instructionsPerElement(const Kernel& kernel) {
  double count = static_cast<double>(kernel.outputs.size() + kernel.carried.size());
  for (const ExprNode& node : kernel.body.nodes()) count += instructionCount(node.primitive);
  return count;
}

double nanosecondsPerElement(const Kernel& kernel, const Target& target) {
  return instructionsPerElement(kernel) * kNanosecondsPerInstruction / target.vector.width;
}

}  // namespace fusebench::cpu
