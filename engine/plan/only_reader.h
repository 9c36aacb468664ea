// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/plan/fusion.h"

namespace fusebench {

/// The group that alone reads a value that lies in memory of its own, or views of it, in place in
/// `groups`. Nothing: several do or none does, or the value is wanted as it is: returned, written
/// into, checked, or read by another part of the program.
std::optional<std::size_t> onlyReaderOf(const Program& program, const PlanValues& values,
                                        std::span<const FusionGroup> groups, ValueId made);

}  // namespace fusebench
