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

/// Checks that the steps read and write only elements inside their memory. `rooms`: per input, the
/// number of elements in its memory, counted from its first one. Throws std::logic_error before
/// anything is launched: then the plan is wrong, or an input differs from its form.
void checkBounds(const Plan& plan, std::span<const std::int64_t> symbols,
                 std::span<const std::int64_t> rooms);

}  // namespace fusebench
