// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/language/source_place.h"

namespace fusebench {

/// The number that Python's int(text, base) reads. Throws ProgramError where Python would raise,
/// and for numbers that a double cannot represent exactly.
double wholeNumberOf(std::string_view text, std::int64_t base, SourcePlace place);

}  // namespace fusebench
