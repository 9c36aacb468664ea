// SPDX-License-Identifier: GPL-3.0-or-later
// Reading inputs and storing pointwise results, one block of the vectorised loop at a time.
#include <algorithm>

#include "engine/cpu/kernel_writer.h"
#include "engine/cpu/loops.h"

namespace fusebench::cpu {

using llvm::Value;

llvm::Type* KernelWriter::memoryType(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return b_.getInt8Ty();
    case DType::int64:
      return b_.getInt64Ty();
    case DType::float32:
      return b_.getFloatTy();
  }
  return nullptr;
}

Value* KernelWriter::fromMemory(Value* value, DType dtype) {
  if (dtype != DType::boolean) return value;
  return b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

Value* KernelWriter::toMemory(Value* value, DType dtype) {
  if (dtype != DType::boolean) return value;
  llvm::Type* bytes = b_.getInt8Ty();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    bytes = llvm::FixedVectorType::get(bytes, vector->getNumElements());
  return b_.CreateZExt(value, bytes);
}

/// Address of a tensor's current element, `extra` elements on.
Value* KernelWriter::element(std::size_t index, Value* extra) {
  Value* offset = extra ? b_.CreateAdd(offsets_[index], extra) : offsets_[index];
  return b_.CreateGEP(memoryType(tensor(index).dtype), pointers_[index], offset);
}

/// Where a value of the current block stands in the tile.
Value* KernelWriter::tileAddress(ExprId node) {
  Value*& tile = tiles_[static_cast<std::size_t>(node)];
  llvm::Type* type = k_.body[node].truth ? b_.getInt8Ty() : b_.getFloatTy();
  if (!tile) {
    auto* slot =
        emitSlot(b_, llvm::ArrayType::get(type, static_cast<std::uint64_t>(s_.tile)), "tile");
    slot->setAlignment(llvm::Align(64));
    tile = slot;
  }
  return b_.CreateGEP(type, tile, b_.CreateSub(block_.index, tileStart_));
}

Pack KernelWriter::loadTile(ExprId node) {
  return loadVectors(tileAddress(node), k_.body[node].truth ? DType::boolean : DType::float32);
}

void KernelWriter::storeTile(ExprId node, const Pack& vectors) {
  Value* to = tileAddress(node);
  const DType dtype = k_.body[node].truth ? DType::boolean : DType::float32;
  for (std::size_t u = 0; u < vectors.size(); ++u) {
    Value* stored = toMemory(vectors[u], dtype);
    b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u),
                          llvm::Align(info(dtype).size));
  }
}

/// Values of some input nodes, at their places among all nodes.
std::vector<Pack> KernelWriter::loadInputs(const std::vector<ExprId>& nodes) {
  std::vector<bool> wanted(k_.inputs.size(), false);
  for (ExprId node : nodes) wanted[static_cast<std::size_t>(k_.body[node].index)] = true;
  const std::size_t count = k_.inputs.size();
  const int dim = s_.vectorDim;
  Values addresses(count);
  std::vector<llvm::AllocaInst*> slots(count, nullptr);
  for (std::size_t t = 0; t < count; ++t) {
    if (!wanted[t]) continue;
    addresses[t] = isPanel(t) ? panelAddress(t) : element(t);
    if ((k_.inputs[t].strides[dim] != 1 && !isPanel(t)) || !mayHaveTail()) continue;
    slots[t] = emitSlot(b_, b_.getPtrTy(), "from");
    b_.CreateStore(addresses[t], slots[t]);
  }
  const bool redirect = std::any_of(slots.begin(), slots.end(), [](auto* slot) { return slot; });
  if (redirect)
    emitIf(b_, block_.isTail, [&] {
      for (std::size_t t = 0; t < count; ++t) {
        if (!slots[t]) continue;
        llvm::Type* type = memoryType(k_.inputs[t].dtype);
        if (!buffers_[t])
          buffers_[t] =
              emitSlot(b_, llvm::ArrayType::get(type, static_cast<std::uint64_t>(step())), "tail");
        // Lanes past the end compute on zeros: no denormals, no slow paths, nothing undefined.
        llvm::Type* vector = llvm::FixedVectorType::get(type, static_cast<unsigned>(width()));
        for (std::size_t u = 0; u < interleave(); ++u)
          b_.CreateAlignedStore(llvm::Constant::getNullValue(vector),
                                b_.CreateConstGEP1_64(vector, buffers_[t], u), llvm::Align(4));
        const auto size = static_cast<std::int64_t>(info(k_.inputs[t].dtype).size);
        b_.CreateMemCpy(buffers_[t], llvm::Align(4), addresses[t], llvm::Align(1),
                        b_.CreateMul(block_.remaining, int64(size)));
        b_.CreateStore(buffers_[t], slots[t]);
      }
    });
  std::vector<Pack> values(k_.body.size());
  for (ExprId node : nodes) {
    const auto t = static_cast<std::size_t>(k_.body[node].index);
    Pack& loaded = values[static_cast<std::size_t>(node)];
    const KernelTensor& input = k_.inputs[t];
    const std::int64_t stride = isPanel(t) ? 1 : input.strides[dim];
    if (stride == 0) {
      loaded = loadRepeated(input, addresses[t]);
    } else if (stride == 1) {
      Value* from = slots[t] ? b_.CreateLoad(b_.getPtrTy(), slots[t]) : addresses[t];
      loaded = loadVectors(from, input.dtype);
    } else {
      loaded = loadGathered(input, addresses[t], strides_[t][static_cast<std::size_t>(dim)]);
    }
  }
  return values;
}

Pack KernelWriter::loadVectors(Value* pointer, DType dtype) {
  llvm::Type* type = llvm::FixedVectorType::get(memoryType(dtype), static_cast<unsigned>(width()));
  Pack pack;
  for (std::size_t u = 0; u < interleave(); ++u)
    pack.push_back(fromMemory(b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(type, pointer, u),
                                                   llvm::Align(info(dtype).size)),
                              dtype));
  return pack;
}

Pack KernelWriter::loadRepeated(const KernelTensor& input, Value* pointer) {
  Value* one = fromMemory(b_.CreateLoad(memoryType(input.dtype), pointer), input.dtype);
  return Pack(interleave(), b_.CreateVectorSplat(static_cast<unsigned>(width()), one));
}

/// One load a lane; lanes past the end read the block's last element.
Pack KernelWriter::loadGathered(const KernelTensor& input, Value* base, Value* stride) {
  llvm::Type* type = memoryType(input.dtype);
  Value* last = b_.CreateSub(block_.remaining, int64(1));
  Pack pack;
  for (std::size_t u = 0; u < interleave(); ++u) {
    Value* vector =
        llvm::PoisonValue::get(llvm::FixedVectorType::get(type, static_cast<unsigned>(width())));
    for (std::size_t lane = 0; lane < width(); ++lane) {
      Value* at = int64(static_cast<std::int64_t>(u * width() + lane));
      if (mayHaveTail()) at = b_.CreateSelect(b_.CreateICmpSLT(at, last), at, last);
      Value* from = b_.CreateGEP(type, base, b_.CreateMul(at, stride));
      vector = b_.CreateInsertElement(vector, b_.CreateLoad(type, from), lane);
    }
    pack.push_back(fromMemory(vector, input.dtype));
  }
  return pack;
}

/// Which lanes of a short block exist.
Pack KernelWriter::tailMask() {
  const auto lanes = static_cast<unsigned>(width());
  Value* remaining = b_.CreateVectorSplat(lanes, b_.CreateTrunc(block_.remaining, b_.getInt32Ty()));
  Pack mask;
  for (std::size_t u = 0; u < interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < width(); ++lane)
      numbers.push_back(b_.getInt32(static_cast<std::uint32_t>(u * width() + lane)));
    mask.push_back(b_.CreateICmpULT(llvm::ConstantVector::get(numbers), remaining));
  }
  return mask;
}

/// Stores one block of a result that has an element per lane.
void KernelWriter::storeBlock(std::size_t index, const Pack& vectors) {
  const DType dtype = tensor(index).dtype;
  const std::int64_t stride = tensor(index).strides[s_.vectorDim];
  llvm::Type* type = memoryType(dtype);
  const bool direct = stride == 1;
  const auto align = llvm::Align(info(dtype).size);
  const auto storeAt = [&](Value* to) {
    for (std::size_t u = 0; u < vectors.size(); ++u) {
      Value* stored = toMemory(vectors[u], dtype);
      b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u), align);
    }
  };
  const auto makeBuffer = [&] {
    if (!buffers_[index])
      buffers_[index] =
          emitSlot(b_, llvm::ArrayType::get(type, static_cast<std::uint64_t>(step())), "results");
    return buffers_[index];
  };
  if (isPanel(index)) return storeAt(panelAddress(index));  // a whole block always has room there
  if (direct) {
    Value* to = element(index);
    emitIf(
        b_, block_.isTail,
        [&] {
          storeAt(makeBuffer());
          const auto size = static_cast<std::int64_t>(info(dtype).size);
          b_.CreateMemCpy(to, llvm::Align(1), buffers_[index], align,
                          b_.CreateMul(block_.remaining, int64(size)));
        },
        [&] { storeAt(to); });
    return;
  }
  storeAt(makeBuffer());
  Value* step = strides_[index][static_cast<std::size_t>(s_.vectorDim)];
  emitLoop(b_, int64(0), block_.remaining, int64(1), [&](Value* i) {
    Value* value = b_.CreateLoad(type, b_.CreateGEP(type, buffers_[index], i));
    b_.CreateStore(value, element(index, b_.CreateMul(i, step)));
  });
}

}  // namespace fusebench::cpu
