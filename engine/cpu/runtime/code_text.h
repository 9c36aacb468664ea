// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/codegen/target.h"
#include "engine/device/backend.h"

namespace fusebench::cpu {

/// The LLVM IR that the code generator receives and the assembly that it generates, with the op
/// that each line belongs to. The same instructions as compile() generates. Throws
/// std::runtime_error.
std::vector<GeneratedCode> codeText(const Kernel& kernel, const Schedule& schedule,
                                    const Target& target);

}  // namespace fusebench::cpu
