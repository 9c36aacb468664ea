// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/prepared.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fusebench {
namespace {

std::size_t placeIn(ValueId value) {
  return static_cast<std::size_t>(value);
}

bool isView(const Op& op) {
  return op.row->kind == OpKind::view;
}

/// A range of numbers, which its readers compute themselves.
bool isAtHand(const Op& op) {
  return op.row->kind == OpKind::make && op.row->madeWhereRead && op.operands.empty() &&
         !op.dependsOnSizes() && op.after < 0 && !op.writesInto();
}

/// Which values are ranges of numbers or computed element by element from ranges alone. They are
/// not constant inputs, and both programs compute them.
std::vector<bool> constantValues(const Program& program) {
  std::vector<bool> constant(static_cast<std::size_t>(program.valueCount()), false);
  std::vector<bool> written(constant.size(), false);
  for (const Op& op : program.ops)
    if (op.writesInto()) written[placeIn(writtenRoot(program, op.into))] = true;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    const std::size_t value = program.inputs.size() + i;
    if (program.writesInto && written[value]) continue;
    bool all = op.row->kind == OpKind::pointwise && !op.dependsOnSizes() && op.after < 0 &&
               !op.writesInto() && !op.operands.empty();
    for (const Operand& operand : op.operands)
      all &= operand.isNumber() || constant[placeIn(operand.value)];
    constant[value] = all || isAtHand(op);
  }
  return constant;
}

/// Divides a program into preparation and call, and records what happens to each value.
class Division {
 public:
  explicit Division(const Program& program)
      : program_(program),
        held_(heldValues(program)),
        constant_(constantValues(program)),
        worked_(held_.size(), false) {
    const std::size_t inputs = program.inputs.size();
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
      const Op& op = program.ops[i];
      if (!held_[inputs + i]) continue;
      worked_[inputs + i] = !isView(op);
      for (const Operand& operand : op.operands)
        if (!operand.isNumber() && worked_[placeIn(operand.value)]) worked_[inputs + i] = true;
    }
    findRead();
  }

  Prepared divide() {
    Prepared made;
    made.preparation.inputs = program_.inputs;
    made.program = program_;
    prepare(made.preparation);
    rest(made);
    return made;
  }

 private:
  /// Finds the values that ops of the call read. Views of constant inputs that none of them reads
  /// are left out.
  void findRead() {
    read_.assign(held_.size(), false);
    stays_.assign(program_.ops.size(), false);
    const auto read = [&](ValueId value) {
      if (value >= 0) read_[placeIn(value)] = true;
    };
    for (const ValueId output : program_.outputs) read(output);
    for (const SizeCheck& check : program_.checks) read(check.value);
    for (SizeId id = 0; id < program_.sizes.count(); ++id) read(program_.sizes[id].value);
    for (std::size_t i = program_.ops.size(); i-- > 0;) {
      const std::size_t value = program_.inputs.size() + i;
      stays_[i] = !worked_[value] && (read_[value] || (!held_[value] && !constant_[value]));
      if (!stays_[i]) continue;
      for (const Operand& operand : program_.ops[i].operands) read(operand.value);
      read(program_.ops[i].into);
    }
  }
  bool isPrepared(std::size_t value) const { return worked_[value] && read_[value]; }

  static Op moved(Op op, std::span<const ValueId> now) {
    for (Operand& operand : op.operands)
      if (!operand.isNumber()) operand.value = now[placeIn(operand.value)];
    if (op.after >= 0) op.after = now[placeIn(op.after)];
    if (op.writesInto()) op.into = now[placeIn(op.into)];
    return op;
  }

  void prepare(Program& to) const {
    std::vector<ValueId> now(held_.size(), -1);
    for (std::size_t i = 0; i < to.inputs.size(); ++i) now[i] = static_cast<ValueId>(i);
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const std::size_t value = program_.inputs.size() + i;
      if (!held_[value] && !constant_[value]) continue;
      Op op = moved(program_.ops[i], now);
      op.statement = -1;
      to.ops.push_back(std::move(op));
      now[value] = to.result(static_cast<int>(to.ops.size()) - 1);
      if (isPrepared(value)) to.outputs.push_back(now[value]);
    }
    if (to.outputs.empty()) to.ops.clear();
  }

  /// Removes inputs that are no longer read and adds prepared values after the remaining ones.
  void rest(Prepared& made) const {
    Program& to = made.program;
    std::vector<ValueId> now(held_.size(), 0);
    std::vector<bool> isHeld(program_.inputs.size(), false);
    for (const HeldInput& held : program_.held) isHeld[placeIn(held.input)] = true;
    to.inputs.clear();
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      if (isHeld[i] && !read_[i]) continue;
      now[i] = static_cast<ValueId>(to.inputs.size());
      to.inputs.push_back(program_.inputs[i]);
      made.inputs.push_back(i);
    }
    std::erase_if(to.held, [&](const HeldInput& held) { return !read_[placeIn(held.input)]; });
    for (HeldInput& held : to.held) held.input = now[placeIn(held.input)];
    std::size_t result = 0;
    for (std::size_t value = program_.inputs.size(); value < held_.size(); ++value) {
      if (!isPrepared(value)) continue;
      now[value] = static_cast<ValueId>(to.inputs.size());
      made.inputs.push_back(program_.inputs.size() + result++);
      to.inputs.push_back("_prepared_" + std::to_string(result));
    }
    to.ops.clear();
    std::vector<int> ends;
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const std::size_t value = program_.inputs.size() + i;
      if (stays_[i]) {
        to.ops.push_back(moved(program_.ops[i], now));
        now[value] = to.result(static_cast<int>(to.ops.size()) - 1);
      }
      ends.push_back(static_cast<int>(to.ops.size()));
    }
    renumber(to, now, ends);
  }

  const Program& program_;
  std::vector<bool> held_, constant_, worked_, read_;  ///< per value
  std::vector<bool> stays_;                            ///< per op
};

}  // namespace

std::vector<bool> heldValues(const Program& program) {
  std::vector<bool> held(static_cast<std::size_t>(program.valueCount()), false);
  std::vector<bool> written(held.size(), false);  // in place: by where the memory begins
  const std::vector<bool> constant = constantValues(program);
  for (const Op& op : program.ops)
    if (op.writesInto()) written[placeIn(writtenRoot(program, op.into))] = true;
  const auto changes = [&](ValueId value) {
    return program.writesInto && written[placeIn(writtenRoot(program, value))];
  };
  for (const HeldInput& input : program.held) held[placeIn(input.input)] = !changes(input.input);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    // Communication between ranks happens in each call.
    if (op.row->kind == OpKind::make || op.row->kind == OpKind::gradient ||
        op.row->kind == OpKind::collective || op.dependsOnSizes() ||
        changes(program.result(static_cast<int>(i))))
      continue;
    bool any = false, all = op.after < 0 || held[placeIn(op.after)];
    for (const Operand& operand : op.operands) {
      if (operand.isNumber() || constant[placeIn(operand.value)]) continue;
      any = true;
      all &= held[placeIn(operand.value)];
    }
    held[program.inputs.size() + i] = any && all;
  }
  return held;
}

Prepared prepared(const Program& program) {
  return Division(program).divide();
}

void renumber(Program& program, std::span<const ValueId> now, std::span<const int> ends) {
  const auto value = [&](ValueId old) { return now[placeIn(old)]; };
  const auto begin = [&](int op) { return op == 0 ? 0 : ends[static_cast<std::size_t>(op) - 1]; };
  for (Statement& statement : program.statements) {
    const int first = begin(statement.firstOp);
    statement.opCount = begin(statement.firstOp + statement.opCount) - first;
    statement.firstOp = first;
    if (statement.value >= 0) statement.value = value(statement.value);
  }
  for (ValueId& output : program.outputs) output = value(output);
  for (ValueId& taped : program.taped) taped = value(taped);
  for (SizeCheck& check : program.checks) {
    check.beforeOp = begin(check.beforeOp);
    if (check.value >= 0) check.value = value(check.value);
  }
  for (Branch& branch : program.branches) {
    branch.beforeOp = begin(branch.beforeOp);
    branch.condition = value(branch.condition);
    for (ValueId& live : branch.live) live = value(live);
  }
  program.sizes.renumber(value);
}

}  // namespace fusebench
