// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// Which row a call means and with what: from the rows that share the spelling, PyTorch's choices
/// by keyword, and the arguments. A size where a number has to be known is decided by `builder`.
/// `shown` is the name as written, for messages. Throws ProgramError.
Op bindCall(const std::string& shown, std::span<const OpRow* const> candidates,
            std::vector<CallArgument> arguments, SourcePlace place, ProgramBuilder& builder);

}  // namespace fusebench
