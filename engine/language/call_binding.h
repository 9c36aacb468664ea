// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// Which row a call means, and with which arguments: selected from the rows that share the spelling
/// by PyTorch's choices by keyword. A size in a place where a number must be known is decided by
/// `builder`. `shown` is the name as written, for messages. Throws ProgramError.
Op bindCall(const std::string& shown, std::span<const OpRow* const> candidates,
            std::vector<CallArgument> arguments, SourcePlace place, ProgramBuilder& builder);

}  // namespace fusebench
