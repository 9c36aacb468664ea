// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/cpu/instant/op_list_code.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// The pieces that an op list runs, one after another, as LLVM IR and as assembly, each under a
/// line that says what it does and for which op. The vector constants that they read are left out.
std::vector<GeneratedCode> opListText(const OpList& list, const OpListCode& program,
                                      const Jit& jit);

}  // namespace fusebench::cpu
