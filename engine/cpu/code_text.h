// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cpu/schedule.h"
#include "engine/cpu/target.h"

namespace fusebench::cpu {

/// The LLVM IR that the code generator gets and the assembly that it makes of it, with the op that
/// each line stands for. The same instructions as compile() makes. Throws std::runtime_error.
std::vector<GeneratedCode> codeText(const Kernel& kernel, const Schedule& schedule,
                                    const Target& target);

}  // namespace fusebench::cpu
