// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/size_math.h"
#include "engine/language/program.h"
#include "engine/plan/plan_values.h"

namespace fusebench {

/// Whether an op only allocates a tensor (`torch.empty`, also in `torch.cat`) whose elements are
/// all written in place before anything reads them. Then it takes memory and launches nothing.
/// Detected for parts that are adjacent along one dimension. `program`: with its sizes computed.
bool isOverwritten(const Program& program, int op);

/// The same in a plan.
inline bool isOverwritten(const Program& program, const PlanValues& values, int op) {
  return values.symbolicSizes ? values.overwritten[static_cast<std::size_t>(op)]
                              : isOverwritten(program, op);
}

/// The same in every call that a plan with symbolic sizes serves, for each op: sets
/// PlanValues::overwritten and partOf. `shapes` contains the present shapes of the spaces,
/// `offsets` the present offsets of the values. The plan relies on every condition that this needs.
void findOverwritten(const Program& program, PlanValues& values, std::span<const Shape> shapes,
                     std::span<const std::int64_t> offsets, SizeFacts& facts);

}  // namespace fusebench
