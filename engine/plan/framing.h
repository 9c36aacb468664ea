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

/// Everything of a kernel except its expressions: name, tensors, loops and reductions.
class Framing {
 public:
  Framing(const Program& program, const PlanValues& values, const FusionGroup& group);

  /// Whether an op of a group with phases sums over all rows.
  bool isTotal(int index) const;

  /// The counting inputs that give a position, per group: flat index, row, column.
  static int countOf(IndexInputs places, int operand);
  /// The number of such an input of the kernel.
  int inputOf(IndexInputs places, int operand) const;

  /// Sets the name of the kernel and its ops, values and statements.
  void listOps(Kernel& kernel) const;
  /// Lists its tensors without strides: inputs, counting inputs and outputs.
  void listTensors(LoopNest& kernel) const;

  /// The output for an op; for a reduction with its accumulator and its final function.
  KernelOutput accumulating(ValueId value) const;

  /// How values inside the group are computed.
  const MadeOps& made() const { return made_; }
  /// The start values of the counting inputs.
  LaunchSizes countedFrom() const;
  /// The input that is the first of the sizes that an op needs.
  int askedInput(int op) const;
  /// Whether the index of an op selects elements of this value.
  bool isSource(int index, ValueId value) const;
  /// The input of the kernel that the index of an op selects from.
  int sourceInput(int op) const;
  /// The first input for values made inside the group; see MadeOps::counts.
  int firstMadeInput() const;

  /// Sets the loops of the kernel; sizes that are known only at launch are added to `integers`.
  void place(LoopNest& kernel, LaunchSizes& integers) const;

 private:
  /// Finds totals over all rows, and values computed from totals alone.
  void findOfAll();
  bool isOfAll(ValueId value) const;

  bool isRewritten(ValueId value) const;

  /// The value of the program that is stored for an output: a piece, if it is a part of a stack.
  ValueId storedAs(ValueId output) const;
  void setOutput(KernelOutput& output, ValueId value) const;

  /// Whether the output keeps its element while the loops over reduced dimensions run.
  static bool standsStill(const KernelOutput& output) { return output.reduces || output.ofRow; }

  /// The strides of an input over the space of the group.
  SizeList<SymbolicSize> stridesOf(ValueId value) const;

  /// Handles the most common group: all tensors are row-major over the whole index space, and
  /// nothing or everything is reduced. All dimensions then merge into one loop without a search.
  /// Returns whether this applies.
  bool placeAsRow(LoopNest& kernel, LaunchSizes& integers) const;

  /// The loops before dimensions are merged.
  IndexSpace<SymbolicSize> spread(const LoopNest& kernel) const;

  /// The loop order: that of the stored tensors, except that positions count in row-major order.
  DimOrder loopOrder(const LoopNest& kernel) const;

  const Program& program_;
  const PlanValues& planned_;
  const FusionGroup& group_;
  /// Number of counting inputs per group: flat index, row, column.
  static constexpr int kCounts = 3;
  std::array<bool, kCounts> counts_;  ///< which counting inputs the ops of the group use
  MadeOps made_;
  ShortList<int, 2> asked_;  ///< ops that need sizes of the tensor that their index selects from
  std::vector<ValueId> ofAll_;
};

}  // namespace fusebench
