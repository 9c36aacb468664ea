// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/parts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace fusebench {
namespace {

bool isIn(std::span<const ValueId> values, ValueId value) {
  return std::ranges::find(values, value) != values.end();
}

/// Whether a check belongs to ops [first, end).
bool belongs(const SizeCheck& check, int first, int end, bool last) {
  return check.beforeOp >= first && (check.beforeOp < end || last);
}

/// The values that ops [first, end) read and that existed before.
std::vector<ValueId> readBefore(const Program& way, int first, int end, bool last) {
  std::vector<ValueId> read;
  const ValueId own = way.result(first);
  const auto add = [&](ValueId value) {
    if (value >= 0 && value < own && !isIn(read, value)) read.push_back(value);
  };
  const auto sizes = [&](SizeId id) {
    if (id < 0) return;
    for (const SizeLeaf& leaf : way.sizes.leaves(id)) add(leaf.value);
  };
  for (int i = first; i < end; ++i) {
    const Op& op = way.ops[static_cast<std::size_t>(i)];
    for (const Operand& operand : op.operands) {
      if (!operand.isNumber()) add(operand.value);
      sizes(operand.size);
    }
    for (const SizeId id : op.parameterSizes) sizes(id);
    for (const SizeId id : op.sizes) sizes(id);
    add(op.into);
  }
  for (const SizeCheck& check : way.checks) {
    if (!belongs(check, first, end, last)) continue;
    if (check.ofValue())
      add(check.value);
    else
      sizes(check.condition);
  }
  std::ranges::sort(read);
  return read;
}

/// A part treats each of its inputs as separate memory.
void refuseAliases(const Program& way, int first, int end, std::span<const ValueId> given,
                   const Branch& before) {
  for (int i = first; i < end; ++i) {
    const Op& op = way.ops[static_cast<std::size_t>(i)];
    if (!op.writesInto()) continue;
    const ValueId root = writtenRoot(way, op.into);
    if (root >= way.result(first)) continue;
    const auto names = std::ranges::count_if(
        given, [&](ValueId value) { return writtenRoot(way, value) == root; });
    if (names > 1)
      throw ProgramError(op.place,
                         "this writes in place to a tensor that has several names (views, or what "
                         "was written before) after the 'if' in line " +
                             std::to_string(before.place.line) +
                             "; write to a copy, as in y = x.clone()");
  }
}

/// The part of a path after its first `branch` branches.
std::unique_ptr<ProgramPart> partAfter(const Program& way, std::size_t branch) {
  auto part = std::make_unique<ProgramPart>();
  const bool last = branch == way.branches.size();
  const int first = branch == 0 ? 0 : way.branches[branch - 1].beforeOp;
  const int end = last ? static_cast<int>(way.ops.size()) : way.branches[branch].beforeOp;
  part->way = &way;
  part->firstOp = first;
  part->given = readBefore(way, first, end, last);
  if (branch > 0) refuseAliases(way, first, end, part->given, way.branches[branch - 1]);
  const auto add = [&](ValueId value) {
    if (value >= way.result(first) && !isIn(part->made, value)) part->made.push_back(value);
  };
  if (last) {
    for (const ValueId output : way.outputs) add(output);
  } else {
    add(way.branches[branch].condition);
    for (const ValueId value : way.branches[branch].live) add(value);
  }
  const bool checks = std::ranges::any_of(
      way.checks, [&](const SizeCheck& check) { return belongs(check, first, end, last); });
  // A part that only writes in place, or only checks, still returns something.
  if (part->made.empty() && end > first) part->made.push_back(way.result(end - 1));
  if (part->made.empty() && checks && !part->given.empty()) part->made.push_back(part->given[0]);
  if (!part->made.empty())
    part->program = shared(partOf(way, first, end, last, part->given, part->made));
  if (last) return part;
  const Branch& choice = way.branches[branch];
  part->branch = &choice;
  part->next[choice.holds ? 1 : 0] = partAfter(way, branch + 1);
  if (choice.other) part->next[choice.holds ? 0 : 1] = partAfter(*choice.other, branch + 1);
  return part;
}

}  // namespace

Program partOf(const Program& way, int first, int end, bool last, std::span<const ValueId> given,
               std::span<const ValueId> made) {
  Program part;
  std::vector<ValueId> now(static_cast<std::size_t>(way.valueCount()), -1);
  const auto nowOf = [&](ValueId value) { return now[static_cast<std::size_t>(value)]; };
  for (const ValueId value : given) {
    now[static_cast<std::size_t>(value)] = static_cast<ValueId>(part.inputs.size());
    const auto input = static_cast<std::size_t>(value);
    part.inputs.push_back(input < way.inputs.size()
                              ? way.inputs[input]
                              : "v" + std::to_string(input - way.inputs.size() + 1));
  }
  std::map<SizeId, SizeId> sizes;
  const auto adopt = [&](SizeId& id) {
    if (id >= 0) id = part.sizes.adopt(way.sizes, id, sizes, nowOf);
  };
  part.frames = way.frames;
  part.autocasts = way.autocasts;
  for (int i = first; i < end; ++i) {
    Op op = way.ops[static_cast<std::size_t>(i)];
    for (Operand& operand : op.operands) {
      if (!operand.isNumber()) operand.value = nowOf(operand.value);
      adopt(operand.size);
    }
    for (SizeId& id : op.parameterSizes) adopt(id);
    for (SizeId& id : op.sizes) adopt(id);
    if (op.writesInto()) op.into = nowOf(op.into);
    if (op.after >= 0) op.after = nowOf(op.after);
    part.writesInto |= op.writesInto();
    part.ops.push_back(std::move(op));
    now[static_cast<std::size_t>(way.result(i))] = part.result(i - first);
  }
  for (SizeCheck check : way.checks) {
    if (!belongs(check, first, end, last)) continue;
    if (check.ofValue())
      check.value = nowOf(check.value);
    else
      adopt(check.condition);
    check.beforeOp -= first;
    part.checks.push_back(std::move(check));
  }
  // All of them, so that an op's statement is the same one as on the path.
  part.statements = way.statements;
  for (Statement& statement : part.statements) {
    const int begin = std::clamp(statement.firstOp, first, end);
    statement.opCount = std::clamp(statement.firstOp + statement.opCount, first, end) - begin;
    statement.firstOp = begin - first;
    if (statement.value >= 0) statement.value = nowOf(statement.value);
  }
  for (const ValueId value : made) part.outputs.push_back(nowOf(value));
  part.returnText = last ? way.returnText : std::string();
  return part;
}

std::unique_ptr<ProgramPart> partsOf(const Program& program) {
  return partAfter(program, 0);
}

}  // namespace fusebench
