// SPDX-License-Identifier: GPL-3.0-or-later
// The last block of the vectorised loop, where it is not full.
#include "engine/cpu/codegen/kernel_writer.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

bool KernelWriter::mayHaveTail() const {
  const std::int64_t extent = k_.extents[s_.vectorDim];
  return extent == kAtLaunch || extent % step() != 0;
}

Value* KernelWriter::remaining() {
  if (!mayHaveTail()) return int64(step());
  Value* left = b_.CreateSub(block_.end, block_.index);
  return b_.CreateSelect(b_.CreateICmpSLT(left, int64(step())), left, int64(step()));
}

Value* KernelWriter::isTail() {
  if (!mayHaveTail()) return b_.getFalse();
  return b_.CreateICmpSLT(b_.CreateSub(block_.end, block_.index), int64(step()));
}

/// The tensors that are read or written a whole block at a time where they lie, wherever that is in
/// bounds.
std::vector<std::size_t> KernelWriter::inPlace(bool inputs) const {
  std::vector<bool> wanted(k_.inputs.size() + k_.outputs.size(), false);
  for (const Segment& segment : segments_) {
    for (const ExprId node : segment.inputs)
      wanted[static_cast<std::size_t>(k_.body[node].index)] = true;
    for (const int output : segment.outputs)
      wanted[outputTensor(static_cast<std::size_t>(output))] =
          !k_.outputs[static_cast<std::size_t>(output)].reduces;
  }
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t < wanted.size(); ++t)
    if (wanted[t] && inputs == (t < k_.inputs.size()) && !tensor(t).counts &&
        tensor(t).strides[s_.vectorDim] == 1 && !isPanel(t))
      found.push_back(t);
  return found;
}

/// A block's worth of memory for a tensor whose own has no room for a whole one.
Value* KernelWriter::blockBuffer(std::size_t index) {
  if (!buffers_[index]) {
    auto* slot = emitSlot(
        b_,
        llvm::ArrayType::get(memoryType(tensor(index).dtype), static_cast<std::uint64_t>(step())),
        "block");
    slot->setAlignment(llvm::Align(64));
    buffers_[index] = slot;
  }
  return buffers_[index];
}

/// Copies a short block, which begins `at` elements on, to or from its buffer.
void KernelWriter::copyTail(std::size_t index, Value* at, Value* count) {
  const DType dtype = tensor(index).dtype;
  const auto align = llvm::Align(info(dtype).size);
  Value* bytes = b_.CreateMul(count, int64(static_cast<std::int64_t>(info(dtype).size)));
  Value* buffer = blockBuffer(index);
  if (index >= k_.inputs.size()) {
    b_.CreateMemCpy(element(index, at), llvm::Align(1), buffer, align, bytes);
    return;
  }
  // Lanes past the end compute on zeros: no denormals, no slow paths, nothing undefined.
  llvm::Type* vector =
      llvm::FixedVectorType::get(memoryType(dtype), static_cast<unsigned>(width()));
  for (std::size_t u = 0; u < interleave(); ++u)
    b_.CreateAlignedStore(llvm::Constant::getNullValue(vector),
                          b_.CreateConstGEP1_64(vector, buffer, u), align);
  b_.CreateMemCpy(buffer, align, element(index, at), llvm::Align(1), bytes);
}

void KernelWriter::copyTails(const std::vector<std::size_t>& tensors, Value* isShort, Value* at,
                             Value* count) {
  if (tensors.empty()) return;
  emitIf(b_, isShort, [&] {
    for (const std::size_t t : tensors) {
      const std::size_t inputs = k_.inputs.size();
      mark(t < inputs ? -1 : k_.outputs[t - inputs].op);
      copyTail(t, at, count);
    }
    mark(-1);
  });
}

/// Where the current block of a tensor is that is read or written in place.
Value* KernelWriter::blockAddress(std::size_t index) {
  Value* own = element(index);
  return mayHaveTail() ? b_.CreateSelect(isTail(), blockBuffer(index), own) : own;
}

/// Which lanes of a short block exist.
Pack KernelWriter::tailMask() {
  const auto lanes = static_cast<unsigned>(width());
  Value* count = b_.CreateVectorSplat(lanes, b_.CreateTrunc(remaining(), b_.getInt32Ty()));
  Pack mask;
  for (std::size_t u = 0; u < interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < width(); ++lane)
      numbers.push_back(b_.getInt32(static_cast<std::uint32_t>(u * width() + lane)));
    mask.push_back(b_.CreateICmpULT(llvm::ConstantVector::get(numbers), count));
  }
  return mask;
}

}  // namespace fusebench::cpu
