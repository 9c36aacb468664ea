// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// The tensor that a call operates on: its first argument, or the one called input or self, which
/// is removed from the arguments. `shown` is the call's name as written. Throws ProgramError if
/// there is none.
Operand takeTensor(const std::string& shown, std::vector<CallArgument>& arguments,
                   SourcePlace place);

/// Throws ProgramError if this size in that call exceeds any memory. An int that a double cannot
/// represent exactly has become a float.
void refuseHugeSize(const std::string& shown, const PythonValue& size, SourcePlace place);

}  // namespace fusebench
