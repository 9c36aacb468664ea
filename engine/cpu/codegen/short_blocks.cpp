// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/short_blocks.h"

#include <vector>

#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

std::vector<std::size_t> ShortBlocks::inPlace(const std::vector<Segment>& segments,
                                              bool inputs) const {
  std::vector<bool> wanted(k_.inputs.size() + k_.outputs.size(), false);
  for (const Segment& segment : segments) {
    for (const ExprId node : segment.inputs)
      wanted[static_cast<std::size_t>(k_.body[node].index)] = true;
    for (const int output : segment.outputs)
      wanted[scope_.outputTensor(static_cast<std::size_t>(output))] =
          !k_.outputs[static_cast<std::size_t>(output)].reduces;
  }
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < wanted.size(); ++t)
    if (wanted[t] && inputs == (t < k_.inputs.size()) && !scope_.tensor(t).counts &&
        scope_.tensor(t).strides[s_.vectorDim] == 1 && !panels_.holds(t))
      found.push_back(t);
  return found;
}

Value* ShortBlocks::buffer(std::size_t index) {
  buffers_.resize(scope_.offsets.size(), nullptr);
  if (!buffers_[index]) {
    auto* slot = emitSlot(b_,
                          llvm::ArrayType::get(scope_.memoryType(scope_.tensor(index).dtype),
                                               static_cast<std::uint64_t>(scope_.step())),
                          "block");
    slot->setAlignment(llvm::Align(64));
    buffers_[index] = slot;
  }
  return buffers_[index];
}

/// Loads and stores under a mask, of elements as integers of their size: vectors of all of these
/// exist. A row of two elements then takes a few instructions, and what is loaded next from the
/// buffer was stored as a whole.
void ShortBlocks::copyMasked(std::size_t index, Value* at, Value* count) {
  const DType dtype = scope_.tensor(index).dtype;
  const auto align = llvm::Align(info(dtype).size);
  llvm::Type* vector =
      llvm::FixedVectorType::get(b_.getIntNTy(static_cast<unsigned>(info(dtype).size * 8)),
                                 static_cast<unsigned>(scope_.width()));
  const bool reads = index < k_.inputs.size();
  const Pack masks = lanesBelow(count);
  Value* own = scope_.element(index, at);
  for (std::size_t u = 0; u < scope_.interleave(); ++u) {
    Value* inBuffer = b_.CreateConstGEP1_64(vector, buffer(index), u);
    Value* inTensor = b_.CreateConstGEP1_64(vector, own, u);
    if (reads)
      b_.CreateAlignedStore(b_.CreateMaskedLoad(vector, inTensor, align, masks[u],
                                                llvm::Constant::getNullValue(vector)),
                            inBuffer, align);
    else
      b_.CreateMaskedStore(b_.CreateAlignedLoad(vector, inBuffer, align), inTensor, align,
                           masks[u]);
  }
}

void ShortBlocks::copy(std::size_t index, Value* at, Value* count) {
  const DType dtype = scope_.tensor(index).dtype;
  const auto align = llvm::Align(info(dtype).size);
  if (scope_.target.vector.masks) return copyMasked(index, at, count);
  Value* bytes = b_.CreateMul(count, scope_.int64(static_cast<std::int64_t>(info(dtype).size)));
  Value* buffer = this->buffer(index);
  if (index >= k_.inputs.size()) {
    b_.CreateMemCpy(scope_.element(index, at), llvm::Align(1), buffer, align, bytes);
    return;
  }
  // Lanes past the end compute on zeros: no denormals, no slow paths, nothing undefined.
  llvm::Type* vector =
      llvm::FixedVectorType::get(scope_.memoryType(dtype), static_cast<unsigned>(scope_.width()));
  for (std::size_t u = 0; u < scope_.interleave(); ++u)
    b_.CreateAlignedStore(llvm::Constant::getNullValue(vector),
                          b_.CreateConstGEP1_64(vector, buffer, u), align);
  b_.CreateMemCpy(buffer, align, scope_.element(index, at), llvm::Align(1), bytes);
}

void ShortBlocks::copyAll(const std::vector<std::size_t>& tensors, Value* isShort, Value* at,
                          Value* count) {
  if (tensors.empty()) return;
  emitIf(b_, isShort, [&] {
    for (const std::size_t t : tensors) {
      const std::size_t inputs = k_.inputs.size();
      scope_.mark(t < inputs ? -1 : k_.outputs[t - inputs].op);
      copy(t, at, count);
    }
    scope_.mark(-1);
  });
}

Value* ShortBlocks::address(std::size_t index) {
  Value* own = scope_.element(index);
  return scope_.mayHaveTail() ? b_.CreateSelect(scope_.isTail(), buffer(index), own) : own;
}

Pack ShortBlocks::mask() {
  return lanesBelow(scope_.remaining());
}

Pack ShortBlocks::lanesBelow(Value* limit) {
  const auto lanes = static_cast<unsigned>(scope_.width());
  Value* count = b_.CreateVectorSplat(lanes, b_.CreateTrunc(limit, b_.getInt32Ty()));
  Pack mask;
  for (std::size_t u = 0; u < scope_.interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < scope_.width(); ++lane)
      numbers.push_back(b_.getInt32(static_cast<std::uint32_t>(u * scope_.width() + lane)));
    mask.push_back(b_.CreateICmpULT(llvm::ConstantVector::get(numbers), count));
  }
  return mask;
}

}  // namespace fusebench::cpu
