// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <llvm/IR/IRBuilder.h>

namespace fusebench::cpu {

/// for (i = begin; i < end; i += step) body(i). The builder is left after the loop; a loop known at
/// compile time to have at most one step becomes straight-line code. `entered`: begin < end is
/// certain.
void emitLoop(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end, llvm::Value* step,
              const std::function<void(llvm::Value*)>& body, bool entered = false);

/// if (condition) then() else otherwise(); both may be empty functions. `unlikely`: the condition
/// is rarely true.
void emitIf(llvm::IRBuilder<>& b, llvm::Value* condition, const std::function<void()>& then,
            const std::function<void()>& otherwise = {}, bool unlikely = false);

/// A stack slot in the function's entry block; becomes a register if possible.
llvm::AllocaInst* emitSlot(llvm::IRBuilder<>& b, llvm::Type* type, const char* name);

/// Turns every slot of the function into values (SSA form) if possible.
void promoteSlots(llvm::Function& function);

}  // namespace fusebench::cpu
