// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/constant_pool.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fusebench::cpu {
namespace {

/// Whether LLVM has nothing to gain from knowing the operands.
bool isPlainArithmetic(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
      return true;
    default:
      break;
  }
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::fma;
}

/// Whether it is a vector of one float, but for zero, which takes no room.
bool isNumber(const llvm::Constant& constant) {
  if (!constant.getType()->isVectorTy()) return false;
  const auto* splat = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant.getSplatValue());
  return splat && splat->getType()->isFloatTy() && !splat->isZero();
}

}  // namespace

void poolConstants(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::MDNode* const invariant = llvm::MDNode::get(context, {});
  llvm::DenseMap<llvm::Constant*, llvm::GlobalVariable*> pool;
  const auto placeOf = [&](llvm::Constant* constant) {
    llvm::GlobalVariable*& place = pool[constant];
    if (!place) {
      place = new llvm::GlobalVariable(*function.getParent(), constant->getType(),
                                       /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                       constant, "number");
      place->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    }
    return place;
  };
  for (llvm::BasicBlock& block : function) {
    llvm::DenseMap<llvm::Constant*, llvm::Value*> read;
    for (llvm::Instruction& instruction : block) {
      if (!isPlainArithmetic(instruction)) continue;
      for (llvm::Use& use : instruction.operands()) {
        auto* constant = llvm::dyn_cast<llvm::Constant>(use.get());
        if (!constant || !isNumber(*constant)) continue;
        llvm::Value*& value = read[constant];
        if (!value) {
          llvm::IRBuilder<> b(&block, block.getFirstInsertionPt());
          b.SetCurrentDebugLocation(instruction.getDebugLoc());  // its first user's
          auto* load = b.CreateLoad(constant->getType(), placeOf(constant), "number");
          load->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant);
          value = load;
        }
        use.set(value);
      }
    }
  }
}

}  // namespace fusebench::cpu
