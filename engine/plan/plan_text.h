// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "engine/base/symbolic.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// The plan for display, line by line: values in memory, the steps with what they read, write,
/// free, move and compute, and the storages. `symbols`: their values for the inputs that it is
/// shown for.
std::string toText(const Plan& plan, std::span<const std::int64_t> symbols);

/// "8", "s0", "4*s0*s1": symbols are numbered in the order of the guards.
std::string toText(const SymbolicSize& size);

}  // namespace fusebench
