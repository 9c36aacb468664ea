// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/bounds.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "engine/base/checked_size.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {
namespace {

/// Elements of these extents; extents of 0 count as 1. Throws SizeOverflow.
std::int64_t reachedBy(const SizeList<SymbolicSize>& extents,
                       std::span<const std::int64_t> symbols) {
  std::int64_t count = 1;
  for (const SymbolicSize& extent : extents)
    count = checkedMultiply(count, std::max<std::int64_t>(extent.evaluate(symbols), 1));
  return count;
}

/// Whether no shape is large enough for the dtype to make a difference.
bool allAreSmall(const PlanValues& values, std::span<const std::int64_t> symbols) {
  return std::ranges::all_of(values.spaces, [&](const SizeList<SymbolicSize>& extents) {
    return reachedBy(extents, symbols) <= kAddressSpaceBytes / 8;
  });
}

/// Whether all elements of a value are within `room`, counted from the start of its root.
bool isInside(const PlanValues& values, ValueId value, std::span<const std::int64_t> symbols,
              std::int64_t room) {
  const Form form = formOf(values, value, symbols);
  if (elementCount(form.shape) == 0) return true;
  const Reach reach = reachOf(form.shape, form.strides);
  const std::int64_t offset = values.offset(value).evaluate(symbols);
  return checkedAdd(offset, reach.least) >= 0 && checkedAdd(offset, reach.greatest) < room;
}

}  // namespace

void checkSizes(const Plan& plan, std::span<const std::int64_t> symbols, Forms inputs) {
  const Program& program = *plan.program;
  const auto loops = [](const Op& op) { return op.row->kind == OpKind::contract; };
  const auto isSmall = [&] {
    try {
      return allAreSmall(plan.values, symbols);
    } catch (const SizeOverflow&) {
      return false;
    }
  };
  const bool small = isSmall();
  if (small && std::ranges::none_of(program.ops, loops)) return;
  inferSharedTypes(program, inputs);
  if (small) return;
  // Views that are copied, because strides cannot express them.
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    const ValueId value = program.result(static_cast<int>(i));
    if (op.row->kind != OpKind::view || plan.values.isView(value)) continue;
    const Form form = formOf(plan.values, value, symbols);
    checkSize(op, {form.shape, form.dtype}, /*view=*/false);
  }
}

void checkBounds(const Plan& plan, std::span<const std::int64_t> symbols,
                 std::span<const std::int64_t> rooms) {
  const PlanValues& values = plan.values;
  const auto check = [&](ValueId value) {
    const ValueId root = values.root(value);
    const auto input = static_cast<std::size_t>(root);
    // A value that a step allocates has memory of exactly its size, without gaps between elements.
    if (value == root && input >= rooms.size()) return;
    const std::int64_t room =
        input < rooms.size() ? rooms[input] : elementCount(formOf(values, root, symbols).shape);
    if (!isInside(values, value, symbols, room))
      throw std::logic_error(
          "a step would reach out of the memory of " +
          (input < rooms.size() ? plan.program->inputs[input] : "value " + std::to_string(root)));
  };
  for (const Step& step : plan.steps) {
    for (const ValueId value : step.group.inputs) check(value);
    for (const ValueId value : step.group.outputs) check(value);
  }
  for (const ValueId value : plan.program->outputs) check(value);
}

}  // namespace fusebench
