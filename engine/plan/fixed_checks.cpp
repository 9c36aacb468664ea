// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/fixed_checks.h"

#include <algorithm>
#include <cstddef>

namespace fusebench {
namespace {

std::size_t slotOf(ValueId value) {
  return static_cast<std::size_t>(value);
}

/// Whether the same operands give the same result in each call.
bool isFixed(const Op& op) {
  const OpKind kind = op.row->kind;
  return kind != OpKind::gradient && kind != OpKind::collective && kind != OpKind::copy &&
         !op.dependsOnSizes() && !op.writesInto();
}

/// Which values are the same in each call.
std::vector<bool> fixedValues(const Program& program) {
  std::vector<bool> fixed(static_cast<std::size_t>(program.valueCount()), false);
  std::vector<bool> written(fixed.size(), false);  // in place: by where the memory begins
  for (const Op& op : program.ops)
    if (op.writesInto()) written[slotOf(writtenRoot(program, op.into))] = true;
  const auto changes = [&](ValueId value) {
    return program.writesInto && written[slotOf(writtenRoot(program, value))];
  };
  for (const HeldInput& input : program.held) fixed[slotOf(input.input)] = !changes(input.input);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    const ValueId value = program.result(static_cast<int>(i));
    fixed[slotOf(value)] = isFixed(op) && !changes(value) &&
                           (op.after < 0 || fixed[slotOf(op.after)]) &&
                           std::ranges::all_of(op.operands, [&](const Operand& operand) {
                             return operand.isNumber() || fixed[slotOf(operand.value)];
                           });
  }
  return fixed;
}

}  // namespace

std::vector<bool> fixedChecks(const Program& program) {
  std::vector<bool> found(program.checks.size(), false);
  if (!checksValues(program)) return found;
  const std::vector<bool> fixed = fixedValues(program);
  for (std::size_t i = 0; i < program.checks.size(); ++i)
    found[i] = program.checks[i].ofValue() && fixed[slotOf(program.checks[i].value)];
  return found;
}

}  // namespace fusebench
