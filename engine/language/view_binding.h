// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// The op that a call of a view means: its tensor, then dimensions and sizes, given one by one or
/// as a list. A size in a place where a dimension must be known is decided by `builder`. `shown` is
/// the name as written, for messages. Throws ProgramError.
Op bindView(const std::string& shown, const OpRow& row, std::vector<CallArgument> arguments,
            SourcePlace place, ProgramBuilder& builder);

}  // namespace fusebench
