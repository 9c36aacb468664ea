// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/only_reader.h"

#include <algorithm>

namespace fusebench {

std::optional<std::size_t> onlyReaderOf(const Program& program, const PlanValues& values,
                                        std::span<const FusionGroup> groups, ValueId made) {
  const auto is = [&](ValueId value) { return values.root(value) == made; };
  if (std::ranges::any_of(program.outputs, is) ||
      std::ranges::any_of(program.ops,
                          [&](const Op& op) { return op.writesInto() && is(op.into); }) ||
      std::ranges::any_of(program.branches,
                          [&](const Branch& branch) {
                            return is(branch.condition) || std::ranges::any_of(branch.live, is);
                          }) ||
      std::ranges::any_of(program.checks, [&](const SizeCheck& check) {
        return check.ofValue() && is(check.value);
      }))
    return std::nullopt;
  std::optional<std::size_t> reader;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (std::ranges::none_of(groups[g].inputs, is)) continue;
    if (reader) return std::nullopt;
    reader = g;
  }
  return reader;
}

}  // namespace fusebench
