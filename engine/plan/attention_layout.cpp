// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/attention_layout.h"

#include <algorithm>

#include "engine/plan/wanted_values.h"

namespace fusebench {
namespace {

bool copies(const Op& op) {
  return (op.row->kind == OpKind::view || isCopy(*op.row)) && !op.writesInto() &&
         op.operands.size() == 1;
}

/// The strides that the elements of `made`, a row-major tensor, have in a row-major copy of a view
/// of it. Nothing: the view does not only reorder dimensions.
std::optional<SizeList<SymbolicSize>> stridesInCopy(const PlanValues& values, ValueId made,
                                                    ValueId view) {
  const auto &extents = values.extents(values.space(made)),
             &seen = values.extents(values.space(view));
  const auto strides = values.strides(made), steps = values.strides(view);
  if (extents.size() != seen.size() || !(values.offset(view) == SymbolicSize(0)))
    return std::nullopt;
  const SizeList<SymbolicSize> places = outputStrides(seen, 0);
  SizeList<SymbolicSize> found;
  std::vector<bool> taken(seen.size(), false);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (isOne(extents[d])) {
      found.push_back(SymbolicSize(0));
      continue;
    }
    std::size_t at = 0;
    while (at < seen.size() &&
           (taken[at] || !(seen[at] == extents[d]) || !(steps[at] == strides[d])))
      ++at;
    if (at == seen.size()) return std::nullopt;
    taken[at] = true;
    found.push_back(places[at]);
  }
  for (std::size_t d = 0; d < seen.size(); ++d)
    if (!taken[d] && !isOne(seen[d])) return std::nullopt;
  return found;
}

ValueId copiedView(const Program& program, const FusionGroup& copy) {
  return program.ops[static_cast<std::size_t>(copy.ops.front())].operands.front().value;
}

}  // namespace

void joinCopies(const Program& program, const PlanValues& values,
                std::vector<FusionGroup>& groups) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    FusionGroup& group = groups[g];
    if (group.kind != StepKind::attention || group.outputs.size() != 1) continue;
    const ValueId made = group.outputs.front();
    const auto reader = onlyReaderOf(program, values, groups, made);
    if (values.isView(made) || values.layout(made) || !reader || *reader < g) continue;
    const FusionGroup& copy = groups[*reader];
    if (copy.ops.size() != 1 || copy.kind != StepKind::kernel || copy.outputs.size() != 1 ||
        values.layout(copy.outputs.front()) || values.isView(copy.outputs.front()) ||
        !copies(program.ops[static_cast<std::size_t>(copy.ops.front())]) ||
        !stridesInCopy(values, made, copiedView(program, copy)))
      continue;
    const int op = copy.ops.front();
    const auto outputs = copy.outputs;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(*reader));
    groups[g].ops.push_back(op);
    groups[g].outputs = outputs;
  }
}

int contextOpOf(const Program& program, const FusionGroup& group) {
  const int last = group.ops[group.ops.size() - 1];
  const bool copied = program.ops[static_cast<std::size_t>(last)].row->kind != OpKind::contract;
  return copied ? group.ops[group.ops.size() - 2] : last;
}

SizeList<SymbolicSize> resultStridesOf(const Program& program, const PlanValues& values,
                                       const FusionGroup& group) {
  const int context = contextOpOf(program, group), last = group.ops[group.ops.size() - 1];
  const ValueId made = program.result(context);
  if (context == last) return values.strides(made);
  const Op& copy = program.ops[static_cast<std::size_t>(last)];
  const auto strides = stridesInCopy(values, made, copy.operands.front().value);
  return strides ? *strides : values.strides(made);
}

}  // namespace fusebench
