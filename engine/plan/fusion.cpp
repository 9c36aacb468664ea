// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/fusion.h"

#include <algorithm>
#include <numeric>

namespace fusebench {
namespace {

/// Finds each op its group.
class Grouping {
 public:
  Grouping(const Program& program, const PlanValues& values, bool forPieces = false,
           bool narrowPieces = false)
      : program_(program),
        planned_(values),
        types_(values.types.data()),
        memory_(values.count()),
        values_(memory_.data()),
        forPieces_(forPieces),
        narrowPieces_(narrowPieces) {
    groups_.reserve(1);  // enough for most; making room for another later moves this one
  }

  /// Every op that something depends on, where it finds room; in order.
  void placeLive() {
    if (!forPieces_) findMade();
    const bool all = findLive();
    const int leading = all ? planned_.leading : 0;
    if (leading > 0) placeLeading(leading);
    const Value* result = values_ + program_.result(leading);
    for (int index = leading; index < static_cast<int>(program_.ops.size()); ++index) {
      if (all || result->live) {
        if (copies(program_, planned_, index))
          copy(program_.ops[static_cast<std::size_t>(index)], index);
        else if (!writes(program_, planned_, index))
          see(index);
        else if (!isMadeWhereRead(program_.result(index)))
          place(program_.ops[static_cast<std::size_t>(index)], index);
      }
      ++result;
    }
  }

  /// Every op, each in a group of its own.
  void placeAlone() {
    int index = 0;
    for (const Op& op : program_.ops) {
      if (copies(program_, planned_, index)) {
        copy(op, index++);
        continue;
      }
      if (!writes(program_, planned_, index)) {
        see(index++);
        continue;
      }
      const bool reduces = op.row->kind == OpKind::reduce;
      const int space = spaceOf(op, index);
      const int group = open(space);
      join(group, op, index, space, reduces, reduces ? maskOf(op, space) : 0);
      if (op.row->kind == OpKind::contract) groupAt(group).kind = StepKind::library;
      if (op.row->kind == OpKind::scan) groupAt(group).reducedMask = maskOf(op, space);
      ++index;
    }
  }

  std::vector<FusionGroup> finish() {
    for (const ValueId output : program_.outputs) escape(output);
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) escape(check.value);
    for (FusionGroup& group : groups_) {
      if (group.inputs.size() > 1) std::ranges::sort(group.inputs);
      if (group.outputs.size() > 1) std::ranges::sort(group.outputs);
    }
    return std::move(groups_);
  }

 private:
  struct Value {
    int group = -1;        ///< that computes it; -1: an input
    int space = -1;        ///< over which it is in registers there; -1: it is in memory alone
    bool live = false;     ///< something depends on it, if findLive() says so
    bool escapes = false;  ///< it is among its group's outputs
    bool made = false;     ///< by whoever reads it
  };
  Value& at(ValueId value) { return values_[value]; }

  /// Tensors that their readers make. What is returned has to lie somewhere.
  void findMade() {
    bool any = false;
    for (const Op& op : program_.ops) any |= op.row->madeWhereRead;
    if (!any) return;
    for (ValueId value = program_.result(0); value < static_cast<ValueId>(planned_.count());
         ++value) {
      const ValueId root = planned_.root(value);
      if (root < program_.result(0)) continue;
      at(value).made =
          program_.ops[static_cast<std::size_t>(root - program_.result(0))].row->madeWhereRead;
    }
    const auto keep = [&](ValueId seen) {
      const ValueId root = planned_.root(seen);
      for (ValueId value = root; value < static_cast<ValueId>(planned_.count()); ++value)
        if (planned_.root(value) == root) at(value).made = false;
    };
    for (const ValueId output : program_.outputs) keep(output);
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) keep(check.value);
    // These read memory alone.
    for (const Op& op : program_.ops)
      if (op.row->kind == OpKind::scan || op.row->kind == OpKind::contract ||
          op.row->kind == OpKind::copy)
        for (const Operand& operand : op.operands)
          if (reads(op, operand)) keep(operand.value);
  }
  bool isMadeWhereRead(ValueId value) const { return values_[value].made; }

  /// Whether something depends on every op: if each one's result is read or returned. Else marks
  /// those on which something does.
  bool findLive() {
    for (const ValueId output : program_.outputs) at(output).live = true;
    for (const SizeCheck& check : program_.checks)
      if (check.ofValue()) at(check.value).live = true;
    // A copy is made even if nobody looks at what it gives: it was asked for, and may be waited
    // for.
    for (std::size_t op = 0; op < program_.ops.size(); ++op)
      if (program_.ops[op].row->kind == OpKind::copy &&
          copies(program_, planned_, static_cast<int>(op)))
        at(program_.result(static_cast<int>(op))).live = true;
    std::size_t value = program_.inputs.size();
    const std::size_t count = planned_.count();
    while (value < count && (types_[value].read || values_[value].live)) ++value;
    if (value == count) return true;
    for (std::size_t op = program_.ops.size(); op-- > 0;) {
      if (!values_[program_.inputs.size() + op].live) continue;
      for (const Operand& operand : program_.ops[op].operands)
        if (reads(program_.ops[op], operand)) at(operand.value).live = true;
    }
    return false;
  }

  /// The first ops, which are element-wise over one space: they are one group, whatever follows.
  void placeLeading(int count) {
    const auto inputs = static_cast<ValueId>(program_.inputs.size());
    const int space = types_[inputs].shape;
    FusionGroup& group = groupAt(open(space));
    group.ops.resize(static_cast<std::size_t>(count));
    std::iota(group.ops.begin(), group.ops.end(), 0);
    for (Value* value = values_ + inputs; value != values_ + inputs + count; ++value) {
      value->group = 0;
      value->space = space;
    }
    for (ValueId input = 0; input < inputs; ++input)
      if (types_[input].leading) group.inputs.push_back(input);
  }

  /// Gives an op to the latest group that may take it, or else to one of its own.
  void place(const Op& op, int index) {
    const bool reduces = op.row->kind == OpKind::reduce;
    const int space = spaceOf(op, index);
    const int latest = static_cast<int>(groups_.size()) - 1;
    int earliest = barrier_;  // every operand must be there by then
    bool computed = true;     // all of them, by the latest group
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      const Value& value = at(operand.value);
      if (value.made) {
        computed = false;
        continue;
      }
      // At hand in the group that computes it, if that goes over the same; else in the next.
      earliest = std::max(earliest, value.group + (value.space != space ? 1 : 0));
      computed &= value.group == latest;
    }
    const std::uint32_t mask = reduces ? maskOf(op, space) : 0;
    if (op.after >= 0) {
      const Value& value = at(op.after);
      earliest = std::max(earliest, value.group + (value.space != space ? 1 : 0));
    }
    const SharedTypes::Value& type = types_[program_.result(index)];
    const bool library = op.row->kind == OpKind::contract;
    const bool scans = op.row->kind == OpKind::scan;
    const bool alone =
        library || scans || (forPieces_ && type.unusual && !(narrowPieces_ && type.narrow));
    int target = alone ? -1 : latest;
    while (target >= earliest && !takes(groupAt(target), space, reduces, mask)) --target;
    if (target < earliest) target = open(space);
    if (computed && target == latest)
      add(target, index, space, reduces, mask);
    else
      join(target, op, index, space, reduces, mask);
    if (!alone) return;
    if (scans) groupAt(target).reducedMask = maskOf(op, space);
    groupAt(target).alone = true;
    if (library) groupAt(target).kind = StepKind::library;
    at(program_.result(index)).space = -1;  // nothing joins it there
  }

  /// A copy is a step of its own. Where the host waits for it, what is written after it is launched
  /// after it, as the text says.
  void copy(const Op& op, int index) {
    const int group = open(types_[program_.result(index)].shape);
    groupAt(group).alone = true;
    groupAt(group).kind = StepKind::copy;
    groupAt(group).ops.push_back(index);
    at(program_.result(index)).group = group;
    read(groupAt(group), op.operands.front().value);
    const Memory from = planned_.memory(op.operands.front().value);
    if (waits(op) && !isBeside(op, from, planned_.overlap)) barrier_ = group + 1;
  }

  /// A view is where its operand is, once that is in memory.
  void see(int index) {
    at(program_.result(index)).group = at(planned_.root(program_.result(index))).group;
  }

  /// What an op goes over: of a reduction and of a copy, its operand's.
  int spaceOf(const Op& op, int index) const {
    return types_[goesOverOperand(*op.row) ? op.operands.front().value : program_.result(index)]
        .shape;
  }
  std::uint32_t maskOf(const Op& op, int space) const {
    return reducedMask(op, static_cast<int>(planned_.extents(space).size()));
  }
  FusionGroup& groupAt(int group) { return groups_[static_cast<std::size_t>(group)]; }

  static bool takes(const FusionGroup& group, int space, bool reduces, std::uint32_t mask) {
    return group.space == space && !group.alone &&
           (!reduces || !group.reduces || group.reducedMask == mask);
  }

  int open(int space) {
    groups_.emplace_back().space = space;
    return static_cast<int>(groups_.size()) - 1;
  }

  /// Adds an op to a group that computes all its operands.
  void add(int target, int index, int space, bool reduces, std::uint32_t mask) {
    FusionGroup& group = groupAt(target);
    group.ops.push_back(index);
    Value& result = at(program_.result(index));
    result.group = target;
    if (reduces) {
      group.reduces = true;
      group.reducedMask = mask;
    } else if (!changesSpace(program_, planned_, index)) {
      result.space = space;
    }
  }

  /// Adds an op to a group that may read operands from memory.
  void join(int target, const Op& op, int index, int space, bool reduces, std::uint32_t mask) {
    add(target, index, space, reduces, mask);
    for (const Operand& operand : op.operands) {
      if (!reads(op, operand)) continue;
      if (at(operand.value).made)
        make(groupAt(target), operand.value);
      else if (at(operand.value).group != target)
        read(groupAt(target), operand.value);
    }
  }

  /// Something outside of its group reads a value, or a view of it.
  void escape(ValueId id) {
    id = planned_.root(id);
    Value& value = at(id);
    if (value.escapes || value.group < 0) return;
    value.escapes = true;
    groupAt(value.group).outputs.push_back(id);
  }

  /// A group reads a value that it does not compute.
  void read(FusionGroup& group, ValueId value) {
    escape(value);
    if (std::ranges::find(group.inputs, value) == group.inputs.end()) group.inputs.push_back(value);
  }

  static void make(FusionGroup& group, ValueId value) {
    if (std::ranges::find(group.made, value) == group.made.end()) group.made.push_back(value);
  }

  const Program& program_;
  const PlanValues& planned_;
  const SharedTypes::Value* types_;
  std::vector<FusionGroup> groups_;
  ShortList<Value, 128> memory_;
  Value* values_;
  bool forPieces_, narrowPieces_;
  int barrier_ = 0;  ///< nothing joins a group before this one
};

}  // namespace

std::vector<FusionGroup> fuse(const Program& program, const PlanValues& values, bool forPieces,
                              bool narrowPieces) {
  Grouping grouping(program, values, forPieces, narrowPieces);
  grouping.placeLive();
  return grouping.finish();
}

std::vector<FusionGroup> separate(const Program& program, const PlanValues& values) {
  Grouping grouping(program, values);
  grouping.placeAlone();
  std::vector<FusionGroup> groups = grouping.finish();
  // Eager computes what nobody reads, too.
  for (FusionGroup& group : groups)
    if (writes(program, values, group.ops.front()))
      group.outputs = {program.result(group.ops.front())};
  return groups;
}

}  // namespace fusebench
