// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/Module.h>

namespace fusebench::cpu {

/// Lets the additions and multiplications of a function read their constant vectors from memory,
/// each once in a basic block, where LLVM's code generator would put them there itself: it makes a
/// list of lanes of each constant in each block, and looks through all of them time and again.
void poolConstants(llvm::Function& function);

}  // namespace fusebench::cpu
