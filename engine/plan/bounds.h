// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

/// Checks that a plan that was made for other sizes also works for these: each value fits in memory
/// and each op ends. `inputs`: the inputs that the symbols belong to. Throws ProgramError
/// otherwise.
void checkSizes(const Plan& plan, std::span<const std::int64_t> symbols, Forms inputs);

/// Checks that the steps read and write only elements inside their memory. `rooms`: per input, the
/// number of elements in its memory, counted from its first one. Throws std::logic_error before
/// anything is launched: then the plan is wrong, or an input differs from its form.
void checkBounds(const Plan& plan, std::span<const std::int64_t> symbols,
                 std::span<const std::int64_t> rooms);

}  // namespace fusebench
