// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/Module.h>

namespace fusebench::cpu {

/// Lets the additions and multiplications of a function read their constant vectors from memory,
/// each once per basic block. LLVM's code generator would put them there itself, but it builds a
/// list of lanes for each constant in each block, and searches all of these lists again and again.
void poolConstants(llvm::Function& function);

}  // namespace fusebench::cpu
