// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "engine/plan/lowering.h"
#include "engine/plan/made_values.h"

namespace fusebench {

inline const Op& opAt(const Program& program, int index) {
  return program.ops[static_cast<std::size_t>(index)];
}

/// What a kernel says of itself but its expression: names, tensors, loops and reductions.
class Framing {
 public:
  Framing(const Program& program, const PlanValues& values, const FusionGroup& group);

  /// Whether an op of a group with phases adds up what there is of all rows.
  bool isTotal(int index) const;

  /// Which of the inputs that count a place is: of one group, flat, row and column.
  static int countOf(IndexInputs places, int operand);
  /// The kernel's input that it is.
  int inputOf(IndexInputs places, int operand) const;

  /// Gives the kernel its name, and which ops, values and statements it is of.
  void listOps(Kernel& kernel) const;
  /// Gives it its tensors, with no strides yet: what it reads, what it counts by, what it writes.
  void listTensors(LoopNest& kernel) const;

  /// The result of an op; of a reduction, what it accumulates and makes of that.
  KernelOutput accumulating(ValueId value) const;

  /// How what the group makes for itself is made.
  const MadeOps& made() const { return made_; }
  /// What inputs that count do so from.
  LaunchSizes countedFrom() const;
  /// The input that the first of the sizes is which an op asks for.
  int askedInput(int op) const;
  /// Whether an op's index goes into this value.
  bool isSource(int index, ValueId value) const;
  /// The kernel's input that an op's index goes into.
  int sourceInput(int op) const;
  /// The first of the inputs that what the group makes takes: MadeOps::counts.
  int firstMadeInput() const;

  /// Gives the kernel its loops; sizes that are known only at launch go to `integers`.
  void place(LoopNest& kernel, LaunchSizes& integers) const;

 private:
  /// Of all rows are totals and what is computed of such.
  void findOfAll();
  bool isOfAll(ValueId value) const;

  bool isRewritten(ValueId value) const;

  /// The value of the program that is stored as an output: a piece, if that is a part of a stack.
  ValueId storedAs(ValueId output) const;
  void setOutput(KernelOutput& output, ValueId value) const;

  /// Whether what is reduced goes by without another element of the output.
  static bool standsStill(const KernelOutput& output) { return output.reduces || output.ofRow; }

  /// How the group steps through an input over its space.
  SizeList<SymbolicSize> stridesOf(ValueId value) const;

  /// What most groups are: all tensors row-major over the whole index space, of which nothing or
  /// all is reduced. Then merging leaves one loop; there is no need to look at the dimensions.
  bool placeAsRow(LoopNest& kernel, LaunchSizes& integers) const;

  /// The loops before dimensions are merged.
  IndexSpace<SymbolicSize> spread(const LoopNest& kernel) const;

  /// The loops follow what is stored, but that positions count in row-major order.
  DimOrder loopOrder(const LoopNest& kernel) const;

  const Program& program_;
  const PlanValues& planned_;
  const FusionGroup& group_;
  /// Inputs that count, of one group: flat, row, column.
  static constexpr int kCounts = 3;
  std::array<bool, kCounts> counts_;  ///< which inputs that count the group's ops take
  MadeOps made_;
  ShortList<int, 2> asked_;  ///< ops that take sizes of what their index goes into
  std::vector<ValueId> ofAll_;
};

}  // namespace fusebench
