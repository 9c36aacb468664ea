// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fusion.h"

#include <algorithm>

#include "engine/scratch_list.h"

namespace fusebench {
namespace {

/// Finds each op its group.
class Grouping {
 public:
  Grouping(const Program& program, const ProgramTrace& trace)
      : program_(program), trace_(trace), values_(static_cast<std::size_t>(program.valueCount())) {
    for (const ValueId output : program.outputs) {
      at(output).live = true;
      at(output).escapes = true;
    }
  }

  /// Finds out which ops something depends on.
  void findLive() {
    for (std::size_t i = program_.ops.size(); i-- > 0;) {
      if (!isLive(i)) continue;
      for (const Operand& operand : program_.ops[i].operands)
        if (!operand.isNumber()) at(operand.value).live = true;
    }
  }
  bool isLive(std::size_t op) const { return values_[program_.inputs.size() + op].live; }

  void place(int index, bool alone) {
    const Op& op = program_.ops[static_cast<std::size_t>(index)];
    const ValueId result = program_.result(index);
    const bool reduces = op.row->kind == OpKind::reduce;
    // Of a reduction, its operand's.
    const int space = trace_.space(reduces ? op.operands.front().value : result);
    const std::uint32_t mask =
        reduces ? reducedMask(op, static_cast<int>(trace_.extents(space).size())) : 0;
    int target = alone ? -1 : findHome(op, space, reduces, mask);
    if (target < 0) {
      target = static_cast<int>(groups_.size());
      groups_.push_back({{}, space, 0, false, {}, {}});
      if (!alone && target == 0) groups_.back().ops.reserve(program_.ops.size());
    }
    FusionGroup& group = groups_[static_cast<std::size_t>(target)];
    group.ops.push_back(index);
    if (reduces) {
      group.reduces = true;
      group.reducedMask = mask;
    }
    at(result).group = target;
    at(result).reduced = reduces;
    for (const Operand& operand : op.operands)
      if (!operand.isNumber() && at(operand.value).group != target) read(group, operand.value);
  }

  std::vector<FusionGroup> finish() {
    for (FusionGroup& group : groups_)
      for (const int index : group.ops)
        if (const ValueId value = program_.result(index); at(value).escapes)
          group.outputs.push_back(value);
    return std::move(groups_);
  }

 private:
  struct Value {
    int group = -1;        ///< that computes it; -1: an input
    bool live = false;     ///< something depends on it
    bool reduced = false;  ///< result of a reduction
    bool escapes = false;  ///< something outside of its group reads it
  };
  Value& at(ValueId value) { return values_[static_cast<std::size_t>(value)]; }
  const Value& at(ValueId value) const { return values_[static_cast<std::size_t>(value)]; }

  /// A group reads a value that it does not compute.
  void read(FusionGroup& group, ValueId value) {
    at(value).escapes = true;
    if (std::find(group.inputs.begin(), group.inputs.end(), value) == group.inputs.end())
      group.inputs.push_back(value);
  }

  /// The latest group that may take the op, or -1.
  int findHome(const Op& op, int space, bool reduces, std::uint32_t mask) const {
    int earliest = 0;  // every operand must be there by then
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      const Value& value = at(operand.value);
      if (value.group < 0) continue;  // an input of the program
      const bool inRegisters =
          !value.reduced && groups_[static_cast<std::size_t>(value.group)].space == space;
      earliest = std::max(earliest, value.group + (inRegisters ? 0 : 1));
    }
    for (int g = static_cast<int>(groups_.size()) - 1; g >= earliest; --g) {
      const FusionGroup& group = groups_[static_cast<std::size_t>(g)];
      if (group.space == space && (!reduces || !group.reduces || group.reducedMask == mask))
        return g;
    }
    return -1;
  }

  const Program& program_;
  const ProgramTrace& trace_;
  std::vector<FusionGroup> groups_;
  ScratchList<Value, 128> values_;
};

}  // namespace

std::vector<FusionGroup> fuse(const Program& program, const ProgramTrace& trace) {
  Grouping grouping(program, trace);
  grouping.findLive();
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    if (grouping.isLive(i)) grouping.place(static_cast<int>(i), /*alone=*/false);
  return grouping.finish();
}

std::vector<FusionGroup> separate(const Program& program, const ProgramTrace& trace) {
  Grouping grouping(program, trace);
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    grouping.place(static_cast<int>(i), /*alone=*/true);
  std::vector<FusionGroup> groups = grouping.finish();
  // Eager computes what nobody reads, too.
  for (FusionGroup& group : groups) group.outputs = {program.result(group.ops.front())};
  return groups;
}

}  // namespace fusebench
