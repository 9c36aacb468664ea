// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/plan/fusion.h"

namespace fusebench {

/// Whether a value with its own memory, or a view of it, is checked or read by another part of the
/// program.
bool isAwaited(const Program& program, const PlanValues& values, ValueId made);
/// Whether it is needed unchanged beyond the ops that read it: awaited, returned or written into.
bool isWanted(const Program& program, const PlanValues& values, ValueId made);
/// The only group that reads it or views of it, as an index in `groups`. Nothing: several groups do
/// or none does, or it is needed unchanged.
std::optional<std::size_t> onlyReaderOf(const Program& program, const PlanValues& values,
                                        std::span<const FusionGroup> groups, ValueId made);

}  // namespace fusebench
