// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_branches.h"

#include <algorithm>
#include <utility>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

/// Every value that an op names, its sizes' included.
template <class Visit>
void forEachRead(const Program& program, const Op& op, const Visit& visit) {
  const auto sizes = [&](SizeId id) {
    if (id < 0) return;
    for (const SizeLeaf& leaf : program.sizes.leaves(id)) visit(leaf.value);
  };
  for (const Operand& operand : op.operands) {
    if (!operand.isNumber()) visit(operand.value);
    sizes(operand.size);
  }
  for (const SizeId id : op.parameterSizes) sizes(id);
  for (const SizeId id : op.sizes) sizes(id);
  if (op.into >= 0) visit(op.into);
  if (op.after >= 0) visit(op.after);
}

/// The program with these inputs, among which its own are.
Program withInputs(const Program& from, const std::vector<std::string>& inputs,
                   const std::vector<HeldInput>& held) {
  Program to = from;
  std::vector<ValueId> now(static_cast<std::size_t>(from.valueCount()));
  for (std::size_t i = 0; i < from.inputs.size(); ++i)
    now[i] = static_cast<ValueId>(std::ranges::find(inputs, from.inputs[i]) - inputs.begin());
  for (std::size_t i = 0; i < from.ops.size(); ++i)
    now[from.inputs.size() + i] = static_cast<ValueId>(inputs.size() + i);
  const auto set = [&](ValueId& value) {
    if (value >= 0) value = now[static_cast<std::size_t>(value)];
  };
  to.inputs = inputs;
  to.held = held;
  for (Op& op : to.ops) {
    for (Operand& operand : op.operands) set(operand.value);
    set(op.into);
    set(op.after);
  }
  for (Statement& statement : to.statements) set(statement.value);
  for (ValueId& output : to.outputs) set(output);
  for (SizeCheck& check : to.checks) set(check.value);
  for (Branch& branch : to.branches) {
    set(branch.condition);
    for (ValueId& live : branch.live) set(live);
  }
  if (!to.sizes.empty())
    to.sizes.renumber([&](ValueId value) { return now[static_cast<std::size_t>(value)]; });
  return to;
}

void collect(const Program& program, std::vector<const Program*>& ways) {
  ways.push_back(&program);
  for (const Branch& branch : program.branches)
    if (branch.other) collect(*branch.other, ways);
}

/// Joins the values that a choice keeps over all ways that go through it.
void joinLive(Program& program) {
  for (std::size_t b = 0; b < program.branches.size(); ++b) {
    if (!program.branches[b].other) continue;
    Program other = *program.branches[b].other;
    joinLive(other);
    for (std::size_t above = 0; above <= b; ++above) {
      std::vector<ValueId>& live = program.branches[above].live;
      for (const ValueId value : other.branches[above].live)
        if (std::ranges::find(live, value) == live.end()) live.push_back(value);
      std::ranges::sort(live);
    }
    program.branches[b].other = shared(std::move(other));
  }
}

/// Hands the result for each choice down to the other programs that share it.
void handLiveDown(Program& program) {
  for (std::size_t b = 0; b < program.branches.size(); ++b) {
    if (!program.branches[b].other) continue;
    Program other = *program.branches[b].other;
    for (std::size_t above = 0; above <= b; ++above)
      other.branches[above].live = program.branches[above].live;
    handLiveDown(other);
    program.branches[b].other = shared(std::move(other));
  }
}

std::string typeText(const ValueType& type) {
  return std::string(info(type.dtype).name) + " " + toString(type.shape);
}

}  // namespace

std::vector<const Program*> waysOf(const Program& program) {
  std::vector<const Program*> ways;
  collect(program, ways);
  return ways;
}

Program everyWay(Program program, const std::function<Program(Program)>& change) {
  program = change(std::move(program));
  for (Branch& branch : program.branches)
    if (branch.other) branch.other = shared(everyWay(*branch.other, change));
  return program;
}

void setLive(Program& program) {
  for (Branch& branch : program.branches) {
    const ValueId made = program.result(branch.beforeOp);
    branch.live.clear();
    const auto read = [&](ValueId value) {
      if (value >= 0 && value < made && std::ranges::find(branch.live, value) == branch.live.end())
        branch.live.push_back(value);
    };
    for (std::size_t i = static_cast<std::size_t>(branch.beforeOp); i < program.ops.size(); ++i)
      forEachRead(program, program.ops[i], read);
    for (const SizeCheck& check : program.checks) {
      if (check.beforeOp < branch.beforeOp) continue;
      if (check.ofValue()) {
        read(check.value);
        continue;
      }
      for (const SizeLeaf& leaf : program.sizes.leaves(check.condition)) read(leaf.value);
    }
    for (const Branch& later : program.branches)
      if (&later > &branch) read(later.condition);
    for (const ValueId output : program.outputs) read(output);
    std::ranges::sort(branch.live);
  }
}

void joinWays(Program& program) {
  if (program.branches.empty()) return;
  std::vector<std::string> given, brought;
  std::vector<HeldInput> held;
  const std::vector<const Program*> ways = waysOf(program);
  for (const Program* way : ways)
    for (std::size_t i = 0; i < way->inputs.size(); ++i) {
      const auto own = std::ranges::find(way->held, static_cast<int>(i), &HeldInput::input);
      std::vector<std::string>& names = own == way->held.end() ? given : brought;
      if (std::ranges::find(names, way->inputs[i]) != names.end()) continue;
      names.push_back(way->inputs[i]);
      if (own != way->held.end()) held.push_back(*own);
    }
  std::vector<std::string> inputs = given;
  inputs.insert(inputs.end(), brought.begin(), brought.end());
  for (std::size_t h = 0; h < held.size(); ++h) held[h].input = static_cast<int>(given.size() + h);
  const bool alike =
      std::ranges::all_of(ways, [&](const Program* way) { return way->inputs == inputs; });
  if (!alike)
    program = everyWay(std::move(program),
                       [&](const Program& way) { return withInputs(way, inputs, held); });
  joinLive(program);
  handLiveDown(program);
}

void refuseBranches(const Program& program, const std::string& what) {
  if (program.branches.empty()) return;
  failProgram(program.branches.front().place,
              "found 'if' on a tensor's values; " + what + ": write torch.where(condition, a, b)");
}

void checkBranches(const Program& program, std::span<const ValueType> types,
                   std::span<const ValueType> inputs) {
  for (const Branch& branch : program.branches) {
    const Shape& shape = types[static_cast<std::size_t>(branch.condition)].shape;
    if (elementCount(shape) != 1)
      failProgram(branch.place, "the truth of a tensor of shape " + toString(shape) +
                                    " is not one value; reduce it, as in .all() or .any()");
    if (!branch.other) continue;
    const std::vector<ValueType> other = inferTypes(*branch.other, inputs);
    for (std::size_t o = 0; o < program.outputs.size(); ++o) {
      const ValueType& here = types[static_cast<std::size_t>(program.outputs[o])];
      const ValueType& there = other[static_cast<std::size_t>(branch.other->outputs[o])];
      if (here.dtype == there.dtype && here.shape == there.shape) continue;
      failProgram(branch.place, "result " + std::to_string(o + 1) + " of the program is " +
                                    typeText(branch.holds ? here : there) +
                                    " where this 'if' holds, and " +
                                    typeText(branch.holds ? there : here) +
                                    " where it does not; it must be the same in both branches");
    }
  }
}

}  // namespace fusebench
