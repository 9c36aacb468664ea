// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/fusion.h"

#include <algorithm>

namespace fusebench {
namespace {

/// The index space of an op: its operands' broadcast shape. For a reduction that is its operand's.
int spaceOf(const Program& program, const ProgramTrace& trace, int index) {
  const Op& op = program.ops[static_cast<std::size_t>(index)];
  const ValueId shaped =
      op.row->kind == OpKind::reduce ? op.operands.front().value : program.result(index);
  return trace[shaped].space;
}

std::vector<bool> liveOps(const Program& program) {
  std::vector<bool> liveValues(static_cast<std::size_t>(program.valueCount()), false);
  for (ValueId output : program.outputs) liveValues[static_cast<std::size_t>(output)] = true;
  std::vector<bool> live(program.ops.size(), false);
  for (std::size_t i = program.ops.size(); i-- > 0;) {
    if (!liveValues[static_cast<std::size_t>(program.result(static_cast<int>(i)))]) continue;
    live[i] = true;
    for (const Operand& operand : program.ops[i].operands)
      if (!operand.isNumber()) liveValues[static_cast<std::size_t>(operand.value)] = true;
  }
  return live;
}

class Grouping {
 public:
  Grouping(const Program& program, const ProgramTrace& trace)
      : program_(program),
        trace_(trace),
        groupOf_(static_cast<std::size_t>(program.valueCount()), -1),
        reduced_(groupOf_.size(), false) {}

  void place(int index, bool alone) {
    const Op& op = program_.ops[static_cast<std::size_t>(index)];
    const int space = spaceOf(program_, trace_, index);
    const bool reduces = op.row->kind == OpKind::reduce;
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
    const auto result = static_cast<std::size_t>(program_.result(index));
    groupOf_[result] = target;
    reduced_[result] = reduces;
  }

  std::vector<FusionGroup> finish() {
    std::vector<bool> escapes(groupOf_.size(), false);
    for (ValueId output : program_.outputs) escapes[static_cast<std::size_t>(output)] = true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      FusionGroup& group = groups_[g];
      for (int index : group.ops)
        for (const Operand& operand : program_.ops[static_cast<std::size_t>(index)].operands) {
          if (operand.isNumber()) continue;
          const auto value = static_cast<std::size_t>(operand.value);
          if (groupOf_[value] == static_cast<int>(g)) continue;
          escapes[value] = true;
          if (std::find(group.inputs.begin(), group.inputs.end(), operand.value) ==
              group.inputs.end())
            group.inputs.push_back(operand.value);
        }
    }
    for (FusionGroup& group : groups_)
      for (int index : group.ops)
        if (const ValueId value = program_.result(index); escapes[static_cast<std::size_t>(value)])
          group.outputs.push_back(value);
    return std::move(groups_);
  }

 private:
  /// The latest group that may take the op, or -1.
  int findHome(const Op& op, int space, bool reduces, std::uint32_t mask) const {
    int earliest = 0;  // every operand must be there by then
    for (const Operand& operand : op.operands) {
      if (operand.isNumber()) continue;
      const auto value = static_cast<std::size_t>(operand.value);
      if (groupOf_[value] < 0) continue;  // an input of the program
      const bool inRegisters =
          !reduced_[value] && groups_[static_cast<std::size_t>(groupOf_[value])].space == space;
      earliest = std::max(earliest, groupOf_[value] + (inRegisters ? 0 : 1));
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
  std::vector<int> groupOf_;   // per value: the group that computes it, -1 for inputs
  std::vector<bool> reduced_;  // per value: result of a reduction
};

}  // namespace

std::vector<FusionGroup> fuse(const Program& program, const ProgramTrace& trace) {
  const std::vector<bool> live = liveOps(program);
  Grouping grouping(program, trace);
  for (std::size_t i = 0; i < program.ops.size(); ++i)
    if (live[i]) grouping.place(static_cast<int>(i), /*alone=*/false);
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
