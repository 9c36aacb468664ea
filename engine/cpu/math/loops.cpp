// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/loops.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace fusebench::cpu {
namespace {

llvm::BasicBlock* newBlock(llvm::IRBuilder<>& b, const char* name) {
  return llvm::BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
}

}  // namespace

void emitLoop(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end, llvm::Value* step,
              const std::function<void(llvm::Value*)>& body, bool entered) {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  const auto* last = llvm::dyn_cast<llvm::ConstantInt>(end);
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(step);
  if (first && last && stride) {
    const std::int64_t length = last->getSExtValue() - first->getSExtValue();
    if (length <= 0) return;
    if (length <= stride->getSExtValue()) return body(begin);
    entered = true;
  }
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* loop = newBlock(b, "loop");
  llvm::BasicBlock* after = newBlock(b, "after");
  if (entered)
    b.CreateBr(loop);
  else
    b.CreateCondBr(b.CreateICmpSLT(begin, end), loop, after);
  b.SetInsertPoint(loop);
  llvm::PHINode* i = b.CreatePHI(begin->getType(), 2, "i");
  i->addIncoming(begin, before);
  body(i);
  llvm::Value* next = b.CreateNSWAdd(i, step);
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, end), loop, after);
  b.SetInsertPoint(after);
}

void emitIf(llvm::IRBuilder<>& b, llvm::Value* condition, const std::function<void()>& then,
            const std::function<void()>& otherwise, bool unlikely) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    if (known->isOne())
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  llvm::BasicBlock* yes = newBlock(b, "then");
  llvm::BasicBlock* no = otherwise ? newBlock(b, "else") : nullptr;
  llvm::BasicBlock* join = newBlock(b, "join");
  llvm::MDNode* weights =
      unlikely ? llvm::MDBuilder(b.getContext()).createBranchWeights(1, 1000) : nullptr;
  b.CreateCondBr(condition, yes, no ? no : join, weights);
  b.SetInsertPoint(yes);
  then();
  b.CreateBr(join);
  if (no) {
    b.SetInsertPoint(no);
    otherwise();
    b.CreateBr(join);
  }
  b.SetInsertPoint(join);
}

llvm::AllocaInst* emitSlot(llvm::IRBuilder<>& b, llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  return atEntry.CreateAlloca(type, nullptr, name);
}

void promoteSlots(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> slots;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (llvm::isAllocaPromotable(slot)) slots.push_back(slot);
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(slots, dominators);
}

}  // namespace fusebench::cpu
