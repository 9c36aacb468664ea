// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program_builder.h"

namespace fusebench {

/// The op for a call that creates a tensor. Arguments are extents one by one or as a list, numbers,
/// a dtype; torch.zeros_like(x) and x.new_zeros(2, 3) also take the tensor that the result is like.
/// `spelling`: which of the row's spellings it is; `shown`: the name as written, for messages.
/// Throws ProgramError.
Op bindMaking(const std::string& shown, std::string_view spelling, const OpRow& row,
              std::vector<CallArgument> arguments, SourcePlace place, ProgramBuilder& builder);

}  // namespace fusebench
