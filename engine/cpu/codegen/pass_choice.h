// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/LLVMContext.h>

namespace fusebench::cpu {

/// Leaves loop strength reduction out of what LLVM's code generator does to this context's modules.
/// It looks for cheaper ways to count through addresses, in time that grows with a loop's length;
/// see Schedule::strengthReduction.
void leaveOutStrengthReduction(llvm::LLVMContext& context);

}  // namespace fusebench::cpu
