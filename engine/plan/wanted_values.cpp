// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/wanted_values.h"

#include <algorithm>

namespace fusebench {

bool isAwaited(const Program& program, const PlanValues& values, ValueId made) {
  const auto is = [&](ValueId value) { return values.root(value) == made; };
  return std::ranges::any_of(program.branches,
                             [&](const Branch& branch) {
                               return is(branch.condition) || std::ranges::any_of(branch.live, is);
                             }) ||
         std::ranges::any_of(program.checks, [&](const SizeCheck& check) {
           return check.ofValue() && is(check.value);
         });
}

bool isWanted(const Program& program, const PlanValues& values, ValueId made) {
  const auto is = [&](ValueId value) { return values.root(value) == made; };
  return isAwaited(program, values, made) || std::ranges::any_of(program.outputs, is) ||
         std::ranges::any_of(program.ops,
                             [&](const Op& op) { return op.writesInto() && is(op.into); });
}

std::optional<std::size_t> onlyReaderOf(const Program& program, const PlanValues& values,
                                        std::span<const FusionGroup> groups, ValueId made) {
  if (isWanted(program, values, made)) return std::nullopt;
  const auto reads = [&](const FusionGroup& group) {
    return std::ranges::any_of(group.inputs,
                               [&](ValueId value) { return values.root(value) == made; });
  };
  const auto first = std::ranges::find_if(groups, reads);
  if (first == groups.end() || std::count_if(first, groups.end(), reads) != 1) return std::nullopt;
  return static_cast<std::size_t>(first - groups.begin());
}

}  // namespace fusebench
