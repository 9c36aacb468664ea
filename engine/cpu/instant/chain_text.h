// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/instant/chain_program.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// The pieces that a chain runs through, one after another, as LLVM IR and as assembly, each under
/// a line that says what it does and for which op. The vector constants that they read are left
/// out.
std::vector<GeneratedCode> chainText(const Chain& chain, const ChainProgram& program,
                                     const Jit& jit);

}  // namespace fusebench::cpu
