// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/codegen/target.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// The LLVM IR that the code generator gets and the assembly that it makes of it, with the op that
/// each line stands for. The same instructions as compile() makes. Throws std::runtime_error.
std::vector<GeneratedCode> codeText(const Kernel& kernel, const Schedule& schedule,
                                    const Target& target);

}  // namespace fusebench::cpu
