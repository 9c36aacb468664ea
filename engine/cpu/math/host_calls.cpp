// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <span>
#include <string>
#include <vector>

#include <llvm/IR/Function.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/TargetParser/Triple.h>

#include "engine/cpu/math/loops.h"
#include "engine/cpu/math/vec.h"

namespace fusebench::cpu {
namespace {

/// The function of the module that computes a rare path: void name(const T* operands..., T*
/// results, int64 lanes), lanes being whole vectors of floats or doubles.
llvm::Function* rareFunction(const RarePath& path, const Vec& like, std::size_t operands) {
  llvm::Module& module = *like.builder().GetInsertBlock()->getModule();
  const std::uint64_t width = llvm::cast<llvm::FixedVectorType>(like.type())->getNumElements();
  const std::string name = path.name + ("x" + std::to_string(width));
  if (llvm::Function* made = module.getFunction(name)) return made;
  llvm::LLVMContext& c = module.getContext();
  llvm::SmallVector<llvm::Type*, 4> types(operands + 1, llvm::PointerType::getUnqual(c));
  types.push_back(llvm::Type::getInt64Ty(c));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(c), types, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  const llvm::Function& caller = *like.builder().GetInsertBlock()->getParent();
  for (const char* kind :
       {"target-cpu", "target-features", "prefer-vector-width", "min-legal-vector-width"})
    if (caller.hasFnAttribute(kind)) function->addFnAttr(caller.getFnAttribute(kind));
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::Cold);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "", function));
  VecContext context{b, like.context().target};
  llvm::Value* lanes = function->getArg(static_cast<unsigned>(operands) + 1);
  emitLoop(b, b.getInt64(0), lanes, b.getInt64(width), [&](llvm::Value* i) {
    const auto at = [&](std::size_t argument) {
      return b.CreateGEP(like.type()->getScalarType(),
                         function->getArg(static_cast<unsigned>(argument)), i);
    };
    std::vector<Vec> x;
    for (std::size_t o = 0; o < operands; ++o)
      x.push_back(Vec(context, {b.CreateLoad(like.type(), at(o))}));
    b.CreateStore(path.whole(x)[0], at(operands));
  });
  if (path.host) {
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
    b.CreateCall(module.getOrInsertFunction(path.host, type), arguments);
  }
  b.CreateRetVoid();
  return function;
}

/// Which registers a rare call preserves: all, so that it costs the code around it no spills. With
/// AVX-512 that convention knows no more than the lower half of half of the vectors; the other one
/// preserves half of them whole.
llvm::CallingConv::ID conventionOf(const VectorTarget& target, const llvm::Module& module) {
  return target.masks && llvm::Triple(module.getTargetTriple()).isX86()
             ? llvm::CallingConv::Intel_OCL_BI
             : llvm::CallingConv::PreserveAll;
}

/// A function of the module that calls another by such a convention. Its result means nothing: LLVM
/// 19 puts vzeroupper, which destroys what was preserved, before any return but that of a 256-bit
/// vector.
llvm::Function* preservingCaller(llvm::Function* rare, llvm::CallingConv::ID convention) {
  llvm::Module& module = *rare->getParent();
  const std::string ours = rare->getName().str() + ".preserving";
  if (llvm::Function* made = module.getFunction(ours)) return made;
  llvm::LLVMContext& c = module.getContext();
  auto* result = llvm::FixedVectorType::get(llvm::Type::getFloatTy(c), 8);
  auto* type = llvm::FunctionType::get(result, rare->getFunctionType()->params(), false);
  auto* caller = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, ours, module);
  caller->setCallingConv(convention);
  caller->addFnAttr(llvm::Attribute::NoInline);
  caller->addFnAttr(llvm::Attribute::NoUnwind);
  caller->addFnAttr(llvm::Attribute::Cold);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "", caller));
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (llvm::Argument& argument : caller->args()) arguments.push_back(&argument);
  b.CreateCall(rare, arguments);
  b.CreateRet(llvm::Constant::getNullValue(result));
  return caller;
}

/// Stack space for the vectors, made in the entry block so that a loop does not make it again, and
/// shared by all rare calls of the function: `slot` tells the operands of one call apart.
llvm::Value* stackSpace(const Vec& v, std::size_t slot) {
  llvm::Function* function = v.builder().GetInsertBlock()->getParent();
  const auto lanes = llvm::cast<llvm::FixedVectorType>(v.type())->getNumElements();
  const std::string name = (v.type()->getScalarType()->isDoubleTy() ? "wide" : "mend") +
                           std::to_string(slot) + "x" + std::to_string(v.size()) + "x" +
                           std::to_string(lanes);
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

llvm::Value* anyBeyondOrNan(const Vec& a, double limit) {
  // Bit patterns of magnitudes order as integers, those of NaN last.
  const auto magnitude = [&](std::size_t i) {
    return bits(Vec(a.context(), {a[i]})) & std::int64_t{0x7fffffff};
  };
  Vec greatest = magnitude(0);
  for (std::size_t i = 1; i < a.size(); ++i) greatest = greaterInt(greatest, magnitude(i));
  return any(gtInt(greatest, std::bit_cast<std::int32_t>(static_cast<float>(limit))));
}

llvm::Value* anyNotPositiveNormal(const Vec& a) {
  // The patterns are shifted so that the least normal one becomes the least integer. Positive
  // normal numbers then come first; infinities, NaN, and all negative and denormal numbers come
  // after them.
  constexpr std::int64_t kLeastNormal = 0x00800000, kInfinite = 0x7f800000;
  constexpr std::int64_t kLeast = -0x80000000ll;
  const auto turned = [&](std::size_t i) {
    return addInt(bits(Vec(a.context(), {a[i]})), kLeast - kLeastNormal + (std::int64_t{1} << 32));
  };
  Vec greatest = turned(0);
  for (std::size_t i = 1; i < a.size(); ++i) greatest = greaterInt(greatest, turned(i));
  return any(gtInt(greatest, kLeast + (kInfinite - kLeastNormal) - 1));
}

Vec rarely(llvm::Value* rare, const RarePath& path, std::span<const Vec> operands,
           const VectorFunction& near) {
  const Vec& like = operands[0];
  llvm::IRBuilder<>& b = like.builder();
  llvm::LLVMContext& c = b.getContext();
  llvm::Function* parent = b.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(c, name, parent); };
  llvm::BasicBlock *common = block("common"), *other = block("rare"), *after = block("after");
  b.CreateCondBr(rare, other, common, llvm::MDBuilder(c).createBranchWeights(1, 1 << 20));

  b.SetInsertPoint(common);
  const Vec usual = near(operands);
  llvm::BasicBlock* commonEnd = b.GetInsertBlock();
  b.CreateBr(after);

  b.SetInsertPoint(other);
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (const Vec& operand : operands) {
    arguments.push_back(stackSpace(operand, arguments.size()));
    store(operand, arguments.back());
  }
  llvm::Value* space = stackSpace(like, arguments.size());
  arguments.push_back(space);
  const auto lanes = llvm::cast<llvm::FixedVectorType>(like.type())->getNumElements();
  arguments.push_back(b.getInt64(lanes * like.size()));
  const auto convention = conventionOf(like.context().target, *parent->getParent());
  b.CreateCall(preservingCaller(rareFunction(path, like, operands.size()), convention), arguments)
      ->setCallingConv(convention);
  const Vec unusual = like.each([&](std::size_t i) {
    return b.CreateLoad(like.type(), b.CreateConstGEP1_64(like.type(), space, i));
  });
  b.CreateBr(after);

  b.SetInsertPoint(after);
  return like.each([&](std::size_t i) {
    llvm::PHINode* either = b.CreatePHI(like.type(), 2);
    either->addIncoming(usual[i], commonEnd);
    either->addIncoming(unusual[i], other);
    return either;
  });
}

}  // namespace fusebench::cpu
