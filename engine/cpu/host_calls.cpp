// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>

#include <llvm/IR/Function.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>

#include "engine/cpu/vec.h"

namespace fusebench::cpu {
namespace {

/// A function of the module that calls the host's and preserves every register, so that the rare
/// call costs the code around it no spills. Its result means nothing: LLVM 19 puts vzeroupper,
/// which destroys what was preserved, before any return but that of a 256-bit vector.
llvm::Function* preservingCaller(llvm::Module& module, const char* name, std::size_t pointers) {
  const std::string ours = std::string(name) + ".preserving";
  if (llvm::Function* made = module.getFunction(ours)) return made;
  llvm::LLVMContext& c = module.getContext();
  llvm::SmallVector<llvm::Type*, 4> types(pointers, llvm::PointerType::getUnqual(c));
  types.push_back(llvm::Type::getInt64Ty(c));
  const llvm::FunctionCallee host = module.getOrInsertFunction(
      name, llvm::FunctionType::get(llvm::Type::getVoidTy(c), types, false));
  auto* result = llvm::FixedVectorType::get(llvm::Type::getFloatTy(c), 8);
  auto* caller = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                        llvm::GlobalValue::InternalLinkage, ours, module);
  caller->setCallingConv(llvm::CallingConv::PreserveAll);
  caller->addFnAttr(llvm::Attribute::NoInline);
  caller->addFnAttr(llvm::Attribute::NoUnwind);
  caller->addFnAttr(llvm::Attribute::Cold);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "", caller));
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (llvm::Argument& argument : caller->args()) arguments.push_back(&argument);
  b.CreateCall(host, arguments);
  b.CreateRet(llvm::Constant::getNullValue(result));
  return caller;
}

/// Stack space for the vectors, made in the entry block so that a loop does not make it again, and
/// shared by all rare calls of the function: `slot` tells the operands of one call apart.
llvm::Value* stackSpace(const Vec& v, std::size_t slot) {
  llvm::Function* function = v.builder().GetInsertBlock()->getParent();
  const std::string name = "mend" + std::to_string(slot) + "x" + std::to_string(v.size());
  if (llvm::Value* made = function->getValueSymbolTable()->lookup(name)) return made;
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.begin());
  return b.CreateAlloca(v.type(), b.getInt32(static_cast<std::uint32_t>(v.size())), name);
}

void store(const Vec& v, llvm::Value* to) {
  for (std::size_t i = 0; i < v.size(); ++i)
    v.builder().CreateStore(v[i], v.builder().CreateConstGEP1_64(v.type(), to, i));
}

}  // namespace

llvm::Value* any(const Vec& truth) {
  llvm::IRBuilder<>& b = truth.builder();
  llvm::Value* joined = truth[0];
  for (std::size_t i = 1; i < truth.size(); ++i) joined = b.CreateOr(joined, truth[i]);
  const auto lanes = llvm::cast<llvm::FixedVectorType>(truth.type())->getNumElements();
  llvm::Value* mask = b.CreateBitCast(joined, b.getIntNTy(lanes));
  return b.CreateICmpNE(mask, llvm::ConstantInt::get(mask->getType(), 0));
}

llvm::Value* anyBeyond(const Vec& a, double limit) {
  // A running maximum: one instruction a vector less than comparing each.
  llvm::IRBuilder<>& b = a.builder();
  const Vec magnitude = abs(a);
  llvm::Value* greatest = llvm::ConstantFP::get(a.type(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    llvm::Value* greater = b.CreateFCmpOGT(magnitude[i], greatest);
    greatest = b.CreateSelect(greater, magnitude[i], greatest);
  }
  return any(gt(Vec(a.context(), {greatest}), limit));
}

llvm::Value* anyBeyondOrNan(const Vec& a, double limit) {
  // Bit patterns of magnitudes order as integers, those of NaN last.
  const auto magnitude = [&](std::size_t i) {
    return bits(Vec(a.context(), {a[i]})) & std::int64_t{0x7fffffff};
  };
  Vec greatest = magnitude(0);
  for (std::size_t i = 1; i < a.size(); ++i) greatest = greaterInt(greatest, magnitude(i));
  return any(gtInt(greatest, std::bit_cast<std::int32_t>(static_cast<float>(limit))));
}

Vec mendOnHost(llvm::Value* needed, const char* function, std::span<const Vec> operands,
               const Vec& value) {
  llvm::IRBuilder<>& b = value.builder();
  llvm::LLVMContext& c = b.getContext();
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::Function* parent = before->getParent();
  llvm::BasicBlock* mend = llvm::BasicBlock::Create(c, "mend", parent);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(c, "mended", parent, before->getNextNode());
  b.CreateCondBr(needed, mend, after, llvm::MDBuilder(c).createBranchWeights(1, 1 << 20));

  b.SetInsertPoint(mend);
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (const Vec& operand : operands) {
    arguments.push_back(stackSpace(operand, arguments.size()));
    store(operand, arguments.back());
  }
  llvm::Value* space = stackSpace(value, arguments.size());
  store(value, space);
  arguments.push_back(space);
  const auto lanes = llvm::cast<llvm::FixedVectorType>(value.type())->getNumElements();
  llvm::Function* caller = preservingCaller(*parent->getParent(), function, arguments.size());
  arguments.push_back(b.getInt64(lanes * value.size()));
  b.CreateCall(caller, arguments)->setCallingConv(llvm::CallingConv::PreserveAll);
  const Vec mended = value.each([&](std::size_t i) {
    return b.CreateLoad(value.type(), b.CreateConstGEP1_64(value.type(), space, i));
  });
  b.CreateBr(after);

  b.SetInsertPoint(after);
  return value.each([&](std::size_t i) {
    llvm::PHINode* either = b.CreatePHI(value.type(), 2);
    either->addIncoming(value[i], before);
    either->addIncoming(mended[i], mend);
    return either;
  });
}

}  // namespace fusebench::cpu
