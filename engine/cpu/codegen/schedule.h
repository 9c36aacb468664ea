// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu/codegen/target.h"
#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// How a kernel's loops are arranged: a function of the kernel and the target alone, so that code
/// from the disk cache fits it.
///
/// Loops, outermost first: the kept dimensions, then the reduced ones; within its group the
/// vectorized one is last. The first loop is the one that threads split.
struct Schedule {
  std::vector<int> order;  ///< dimensions of the kernel
  int vectorDim = 0;
  bool vectorReduced = false;  ///< the lanes are summed up at the end instead of being stored
  int firstReduced = 0;        ///< position in `order` of the first reduced loop; its size if none
  int interleave = 1;          ///< vectors per step along vectorDim
  int chosenInterleave = 0;    ///< given by the caller; 0: chosen by the schedule
  double segmentLimit = 1e9;   ///< instructions of a segment, see segments.h
  /// Elements of a tile, if there are several segments; sums are flushed after each tile.
  int tile = 0;
  /// Tensors that are contiguous along `panelDim` and not along vectorDim: a panel of each input is
  /// transposed into a buffer before it is read, one of each result after it is written. Therefore
  /// panelDim is the last loop before the vectorized one.
  std::vector<int> panelInputs, panelOutputs;
  int panelDim = -1;
  int panelRows = 0, panelColumns = 0;  ///< a panel's elements along panelDim and along vectorDim
  /// Number of panels along panelDim that are handled before those of the next columns: elements
  /// that are contiguous along panelDim are on pages that were used just before. It is 1 where the
  /// order matters.
  int panelsDown = 1;
  /// Outputs whose stores bypass the caches, which do not contain them: otherwise each line of
  /// memory would be fetched before it is overwritten.
  std::vector<int> streamed;
  /// All elements are bfloat16, and two vectors hold them as the lower and the upper halves of
  /// words: splitting and joining them takes one instruction per vector.
  bool paired = false;
  bool partials = false;  ///< nothing is finished: threads return partial accumulators
  bool splits = false;    ///< the first loop may be executed in parts; otherwise it is always
                          ///< executed as a whole
  /// LLVM looks for cheaper ways to step through addresses. Not where there are few addresses and
  /// much arithmetic: there it takes a seventh of the compile time and gains nothing. Nor where the
  /// lanes of a sum are gathered: there it steps each lane's address separately, in registers that
  /// the sums need.
  bool strengthReduction = true;
  /// Constants are read from memory, see constant_pool.h: if there are many, and those of a segment
  /// fit in registers.
  bool pooledConstants = false;

  bool hasPanels() const { return panelDim >= 0; }
  bool vectorIsFirst() const { return order.front() == vectorDim; }
};

/// `interleave`: vectors per step, 0 to choose.
Schedule schedule(const Kernel& kernel, const Target& target, int interleave);

/// Whether a tensor of a kernel is larger than the caches, as far as is known.
bool isBeyondCaches(const Kernel& kernel, const KernelTensor& tensor);

/// The target as a kernel with phases sees it: vectors are no wider than rows that are known to be
/// short, and half as wide if the last vector is then full.
Target targetOfRow(const Kernel& kernel, const Target& target, const Schedule& whole);

/// How one loop of a kernel with phases is arranged within the whole.
Schedule scheduleOfPhase(const Kernel& phase, const Target& target, const Schedule& whole);

/// Estimated cost of one element, in simple vector instructions: decides whether to use threads.
double instructionsPerElement(const Kernel& kernel);
/// Time of one such instruction in a full pipeline: two per cycle at 3 GHz, rounded up.
inline constexpr double kNanosecondsPerInstruction = 0.2;
/// Kernels whose estimate is below this are never divided: dividing costs about 0.1 us even if no
/// thread helps.
inline constexpr double kShortNanoseconds = 3000;
/// Time that one thread takes per element according to this estimate.
double nanosecondsPerElement(const Kernel& kernel, const Target& target);

}  // namespace fusebench::cpu
