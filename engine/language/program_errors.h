// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/language/program.h"

namespace fusebench {

/// Throws ProgramError. The message is one line: what was found, and what would be right.
[[noreturn]] void failProgram(SourcePlace place, const std::string& message);

}  // namespace fusebench
