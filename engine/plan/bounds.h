// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

/// Whether a plan that was made for other sizes is one for these, too: each value has room in
/// memory and each op ends. `inputs`: what the symbols are of. Throws ProgramError where it does
/// not.
void checkSizes(const Plan& plan, std::span<const std::int64_t> symbols, Forms inputs);

/// Whether all that the steps read and write lies in the memory that is there for it. `rooms`: per
/// input, how many elements its memory has from its first one on. Throws std::logic_error, before
/// anything is launched: then the plan is wrong, or an input is not what it says.
void checkBounds(const Plan& plan, std::span<const std::int64_t> symbols,
                 std::span<const std::int64_t> rooms);

}  // namespace fusebench
