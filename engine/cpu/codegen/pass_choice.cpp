// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/pass_choice.h"

#include <llvm/IR/OptBisect.h>

namespace fusebench::cpu {
namespace {

class AllButStrengthReduction final : public llvm::OptPassGate {
 public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(const llvm::StringRef name, llvm::StringRef /*of*/) override {
    return name != "Loop Strength Reduction";
  }
};

}  // namespace

void leaveOutStrengthReduction(llvm::LLVMContext& context) {
  static AllButStrengthReduction gate;  // it holds nothing, so any thread may ask it
  context.setOptPassGate(gate);
}

}  // namespace fusebench::cpu
