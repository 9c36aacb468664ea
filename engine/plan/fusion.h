// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/short_list.h"
#include "engine/language/program.h"
#include "engine/plan/attention.h"
#include "engine/plan/plan_values.h"

namespace fusebench {

/// How a step is run.
enum class StepKind : std::uint8_t {
  kernel,
  opList,
  library,     ///< a contraction: see library_call.h
  attention,   ///< two contractions with a softmax between them
  collective,  ///< between the ranks of a group, in the same way
  copy         ///< between memories, or within one: see engine/ops/copies.h
};
/// How a separate op is run.
StepKind stepKindOf(const OpRow& row);
/// Whether a step is a loop nest: its code is the result of lowerKernel().
inline bool isKernel(StepKind kind) {
  return kind == StepKind::kernel || kind == StepKind::opList;
}
/// Whether a step is a LibraryCall: see library_call.h.
inline bool isCall(StepKind kind) {
  return kind == StepKind::library || kind == StepKind::attention || kind == StepKind::collective;
}

/// Ops that become one step.
struct FusionGroup {
  ShortList<int, 40> ops;  ///< indices into Program::ops, in order
  int space = 0;           ///< of the plan's values: the index space before dimensions are merged
  std::uint32_t reducedMask = 0;
  bool reduces = false;
  bool alone = false;  ///< one op, in types for which there are no pieces, or of a kind that is
                       ///< always separate
  StepKind kind = StepKind::kernel;  ///< how a separate op is run
  bool rewrites = false;             ///< it writes in place to memory that it reads
  bool phased = false;               ///< reductions and readers of their results; see row_fusion.h
  bool totals = false;               ///< as `phased`, with sums over all rows
  ShortList<ValueId, 4> inputs;      ///< values read from memory, by number
  ShortList<ValueId, 2> made;  ///< very cheap tensors, and views of them, which are recomputed here
  ShortList<ValueId, 4> outputs;  ///< values of the group that are read later, by number
  bool indexes = false;           ///< some of its ops use an index
  /// For a stack whose pieces are computed here: each part of it (a value in addition to the
  /// program's), and the piece that is stored there. The ops that select among the pieces are not
  /// lowered.
  struct Part {
    ValueId part;
    ValueId piece;
  };
  ShortList<Part, 2> parts;
  ShortList<int, 2> choices;
  TypeClass lanes = TypeClass::float32;  ///< type in which pieces compute; see SharedTypes::Value
};

/// The strides, in elements, of one operand of an op that uses an index, over its result's space.
/// For its source: the source's own, 0 along the dimension that is indexed. For the index: its own
/// along its dimensions, 0 along the others.
SizeList<SymbolicSize> indexedStrides(const Program& program, const PlanValues& values, int op,
                                      std::size_t operand);

/// The maximum number of tensors that a kernel reads from memory. A thread of a GPU keeps their
/// addresses in registers, two each, in addition to those of its results: with 36 tensors an
/// optimizer step took 196 registers, with 24 it stays below 128.
inline constexpr std::size_t kMostReads = 24;
/// Parts of one tensor that a kernel writes: each also needs an address.
inline constexpr std::size_t kMostParts = 8;

/// Divides the ops that the program's results depend on into as few kernels as one pass finds: an
/// op joins the latest kernel over its index space that has its operands available. A reduction
/// ends a value's life in registers; several reductions over the same dimensions share a kernel.
/// `forPieces`: the groups are run from pieces, which exist for float32 and bool: an op in other
/// types is alone in its group. `narrowPieces`: this does not apply to ops of 16-bit floats, nor to
/// those of float64, int32 or int64 that have pieces: such ops share groups with those of the same
/// type. `attentions`: one group each.
std::vector<FusionGroup> fuse(const Program& program, const PlanValues& values,
                              bool forPieces = false, bool narrowPieces = false,
                              std::span<const Attention> attentions = {});

/// The same for pieces, except that some ops are alone in their groups. `apart`: by op, whether it
/// is.
std::vector<FusionGroup> fuseExcept(const Program& program, const PlanValues& values,
                                    bool narrowPieces, std::span<const char> apart);

/// One group per op, in order: what eager does.
std::vector<FusionGroup> separate(const Program& program, const PlanValues& values);

}  // namespace fusebench
