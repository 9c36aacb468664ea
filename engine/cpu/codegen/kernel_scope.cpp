// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/kernel_scope.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/TargetParser/Triple.h>

#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

KernelScope::KernelScope(const Kernel& kernelOf, const Schedule& scheduleOf, const Target& targetOf,
                         llvm::Module& module)
    : kernel(kernelOf),
      schedule(scheduleOf),
      target(targetOf),
      b(module.getContext()),
      math(b, target.vector) {}

const KernelTensor& KernelScope::tensor(std::size_t index) const {
  return index < kernel.inputs.size() ? kernel.inputs[index]
                                      : kernel.outputs[index - kernel.inputs.size()].tensor;
}

void KernelScope::readArguments() {
  Value* addresses = function->getArg(0);
  Value* integers = function->getArg(1);
  const std::size_t tensors = kernel.inputs.size() + kernel.outputs.size();
  for (std::size_t t = 0; t < tensors; ++t)
    pointers.push_back(
        b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), addresses, t)));
  std::uint64_t next = 0;
  const auto known = [&](std::int64_t value) -> Value* {
    if (value != kAtLaunch) return int64(value);
    return b.CreateLoad(b.getInt64Ty(), b.CreateConstGEP1_64(b.getInt64Ty(), integers, next++));
  };
  for (std::int64_t extent : kernel.extents) extents.push_back(known(extent));
  for (std::size_t t = 0; t < tensors; ++t) {
    Values& own = strides.emplace_back();
    for (std::int64_t stride : tensor(t).strides) own.push_back(known(stride));
  }
  offsets.assign(tensors, int64(0));
  indices.assign(static_cast<std::size_t>(kernel.rank()), nullptr);
}

Value* KernelScope::advanced(Value* offset, Value* index, Value* stride) {
  const auto is = [](Value* value, std::int64_t number) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
    return known && known->getSExtValue() == number;
  };
  if (is(stride, 0) || is(index, 0)) return offset;
  Value* more = is(stride, 1) ? index : b.CreateMul(index, stride);
  return is(offset, 0) ? more : b.CreateAdd(offset, more);
}

Value* KernelScope::fromMemory(Value* value, DType dtype) {
  if (dtype == DType::boolean)
    return b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  return isRounded(dtype) ? math.widened(value, dtype) : value;
}

Value* KernelScope::toMemory(Value* value, DType dtype, bool rounded) {
  if (dtype == DType::bfloat16 && !rounded) value = math.rounded(value, dtype);
  if (isRounded(dtype)) return math.kept(value, dtype);
  if (dtype != DType::boolean) return value;
  llvm::Type* bytes = b.getInt8Ty();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    bytes = llvm::FixedVectorType::get(bytes, vector->getNumElements());
  return b.CreateZExt(value, bytes);
}

Value* KernelScope::element(std::size_t index, Value* extra) {
  Value* offset = offsets[index];
  if (block.index)
    offset =
        advanced(offset, block.index, strides[index][static_cast<std::size_t>(schedule.vectorDim)]);
  if (extra) offset = advanced(offset, extra, int64(1));
  return b.CreateGEP(memoryType(tensor(index).dtype), pointers[index], offset);
}

void KernelScope::storePastCaches(llvm::StoreInst& store) {
  const llvm::DataLayout& layout = store.getModule()->getDataLayout();
  store.setAlignment(
      llvm::Align(layout.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue()));
  store.setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(b.getContext(), llvm::ConstantAsMetadata::get(b.getInt32(1))));
}

void KernelScope::orderStores() {
  if (llvm::Triple(target.triple).isX86())
    b.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
}

bool KernelScope::mayHaveTail() const {
  const std::int64_t extent = kernel.extents[schedule.vectorDim];
  return extent == kAtLaunch || extent % step() != 0;
}

Value* KernelScope::remaining() {
  if (!mayHaveTail()) return int64(step());
  Value* left = b.CreateSub(block.end, block.index);
  return b.CreateSelect(b.CreateICmpSLT(left, int64(step())), left, int64(step()));
}

Value* KernelScope::isTail() {
  if (!mayHaveTail()) return b.getFalse();
  return b.CreateICmpSLT(b.CreateSub(block.end, block.index), int64(step()));
}

}  // namespace fusebench::cpu
