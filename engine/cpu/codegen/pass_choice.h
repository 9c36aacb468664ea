// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/LLVMContext.h>

namespace fusebench::cpu {

/// Removes loop strength reduction from the passes that LLVM's code generator runs on this
/// context's modules. This pass looks for cheaper ways to step through addresses, and its time
/// grows with a loop's length; see Schedule::strengthReduction.
void leaveOutStrengthReduction(llvm::LLVMContext& context);

}  // namespace fusebench::cpu
