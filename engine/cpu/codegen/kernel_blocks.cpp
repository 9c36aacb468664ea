// SPDX-License-Identifier: GPL-3.0-or-later
// Reading inputs and storing pointwise results, one block of the vectorised loop at a time.
#include "engine/cpu/codegen/kernel_writer.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

llvm::Type* KernelWriter::memoryType(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
    case DType::int8:
      return b_.getInt8Ty();
    case DType::int32:
      return b_.getInt32Ty();
    case DType::int64:
      return b_.getInt64Ty();
    case DType::float16:
      return b_.getHalfTy();
    case DType::bfloat16:
      return b_.getInt16Ty();
    case DType::float32:
      return b_.getFloatTy();
    case DType::float64:
      return b_.getDoubleTy();
  }
  return nullptr;
}

Value* KernelWriter::fromMemory(Value* value, DType dtype) {
  if (dtype == DType::boolean)
    return b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  return isRounded(dtype) ? math_.widened(value, dtype) : value;
}

Value* KernelWriter::toMemory(Value* value, DType dtype, bool rounded) {
  if (dtype == DType::bfloat16 && !rounded) value = math_.rounded(value, dtype);
  if (isRounded(dtype)) return math_.kept(value, dtype);
  if (dtype != DType::boolean) return value;
  llvm::Type* bytes = b_.getInt8Ty();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType()))
    bytes = llvm::FixedVectorType::get(bytes, vector->getNumElements());
  return b_.CreateZExt(value, bytes);
}

/// Address of a tensor's current element, `extra` elements on.
Value* KernelWriter::element(std::size_t index, Value* extra) {
  Value* offset = offsets_[index];
  if (block_.index)
    offset =
        advanced(offset, block_.index, strides_[index][static_cast<std::size_t>(s_.vectorDim)]);
  if (extra) offset = advanced(offset, extra, int64(1));
  return b_.CreateGEP(memoryType(tensor(index).dtype), pointers_[index], offset);
}

/// Where a value of the current block stands in the tile.
Value* KernelWriter::tileAddress(ExprId node) {
  Value*& tile = tiles_[static_cast<std::size_t>(node)];
  llvm::Type* type = memoryType(storageOf(k_.body[node].type));
  if (!tile) {
    auto* slot =
        emitSlot(b_, llvm::ArrayType::get(type, static_cast<std::uint64_t>(s_.tile)), "tile");
    slot->setAlignment(llvm::Align(64));
    tile = slot;
  }
  return b_.CreateGEP(type, tile, b_.CreateSub(block_.index, tileStart_));
}

Pack KernelWriter::loadTile(ExprId node) {
  return loadVectors(tileAddress(node), storageOf(k_.body[node].type));
}

void KernelWriter::storeTile(ExprId node, const Pack& vectors) {
  Value* to = tileAddress(node);
  const DType dtype = storageOf(k_.body[node].type);
  for (std::size_t u = 0; u < vectors.size(); ++u) {
    Value* stored = toMemory(vectors[u], dtype);
    b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u),
                          llvm::Align(info(dtype).size));
  }
}

/// Values of some input nodes, at their places among all nodes.
std::vector<Pack> KernelWriter::loadInputs(const std::vector<ExprId>& nodes) {
  std::vector<Pack> values(k_.body.size());
  for (ExprId node : nodes) {
    const auto t = static_cast<std::size_t>(k_.body[node].index);
    Pack& loaded = values[static_cast<std::size_t>(node)];
    const KernelTensor& input = k_.inputs[t];
    const std::int64_t stride = input.strides[s_.vectorDim];
    if (input.counts) {
      loaded = counted(t);
    } else if (isPanel(t)) {
      loaded = loadVectors(panelAddress(t), input.dtype);
    } else if (stride == 0) {
      loaded = loadRepeated(input, element(t));
    } else if (stride == 1) {
      loaded = loadVectors(blockAddress(t), input.dtype);
    } else {
      loaded = loadGathered(input, element(t), strides_[t][static_cast<std::size_t>(s_.vectorDim)]);
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

/// Where the elements of an input that counts would be.
Pack KernelWriter::counted(std::size_t index) {
  const auto lanes = static_cast<unsigned>(width());
  Value* stride = strides_[index][static_cast<std::size_t>(s_.vectorDim)];
  Value* first =
      b_.CreateAdd(b_.CreatePtrToInt(pointers_[index], b_.getInt64Ty()), offsets_[index]);
  first = advanced(first, block_.index, stride);
  Pack pack;
  for (std::size_t u = 0; u < interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < width(); ++lane)
      numbers.push_back(b_.getInt64(static_cast<std::uint64_t>(u * width() + lane)));
    Value* steps =
        b_.CreateMul(llvm::ConstantVector::get(numbers), b_.CreateVectorSplat(lanes, stride));
    pack.push_back(b_.CreateAdd(b_.CreateVectorSplat(lanes, first), steps));
  }
  return pack;
}

Pack KernelWriter::loadRepeated(const KernelTensor& input, Value* pointer) {
  Value* one = fromMemory(b_.CreateLoad(memoryType(input.dtype), pointer), input.dtype);
  return Pack(interleave(), b_.CreateVectorSplat(static_cast<unsigned>(width()), one));
}

/// One load a lane; lanes past the end read the block's last element.
Pack KernelWriter::loadGathered(const KernelTensor& input, Value* base, Value* stride) {
  llvm::Type* type = memoryType(input.dtype);
  Value* last = b_.CreateSub(remaining(), int64(1));
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

/// Stores one block of a result that has an element per lane.
void KernelWriter::storeBlock(std::size_t index, const Pack& vectors) {
  const DType dtype = tensor(index).dtype;
  llvm::Type* type = memoryType(dtype);
  const auto align = llvm::Align(info(dtype).size);
  // An op's result is rounded when it is made, a reduction's is when it is stored.
  const bool rounded = !k_.outputs[index - k_.inputs.size()].reduces;
  const auto storeAt = [&](Value* to) {
    for (std::size_t u = 0; u < vectors.size(); ++u) {
      Value* stored = toMemory(vectors[u], dtype, rounded);
      b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u), align);
    }
  };
  if (isPanel(index)) return storeAt(panelAddress(index));  // a whole block always has room there
  if (tensor(index).strides[s_.vectorDim] == 1) {
    storeAt(blockAddress(index));
    if (!tailsAroundLoop()) copyTails({index}, isTail(), int64(0), remaining());
    return;
  }
  Value* buffer = blockBuffer(index);
  storeAt(buffer);
  Value* step = strides_[index][static_cast<std::size_t>(s_.vectorDim)];
  emitLoop(b_, int64(0), remaining(), int64(1), [&](Value* i) {
    Value* value = b_.CreateLoad(type, b_.CreateGEP(type, buffer, i));
    b_.CreateStore(value, element(index, b_.CreateMul(i, step)));
  });
}

}  // namespace fusebench::cpu
