// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/block_access.h"

#include <algorithm>
#include <vector>

#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

namespace {

/// Mask of the second bfloat16 in a word that holds two.
constexpr std::uint64_t kUpperHalf = 0xffff0000;

}  // namespace

Value* BlockAccess::tileAddress(ExprId node) {
  tiles_.resize(k_.body.size(), nullptr);
  Value*& tile = tiles_[static_cast<std::size_t>(node)];
  llvm::Type* type = scope_.memoryType(storageOf(k_.body[node].type));
  if (!tile) {
    auto* slot =
        emitSlot(b_, llvm::ArrayType::get(type, static_cast<std::uint64_t>(s_.tile)), "tile");
    slot->setAlignment(llvm::Align(64));
    tile = slot;
  }
  return b_.CreateGEP(type, tile, b_.CreateSub(scope_.block.index, tileStart_));
}

Pack BlockAccess::loadTile(ExprId node) {
  return loadVectors(tileAddress(node), storageOf(k_.body[node].type));
}

void BlockAccess::storeTile(ExprId node, const Pack& vectors) {
  Value* to = tileAddress(node);
  const DType dtype = storageOf(k_.body[node].type);
  for (std::size_t u = 0; u < vectors.size(); ++u) {
    Value* stored = scope_.toMemory(vectors[u], dtype);
    b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u),
                          llvm::Align(info(dtype).size));
  }
}

std::vector<Pack> BlockAccess::loadInputs(const std::vector<ExprId>& nodes) {
  std::vector<Pack> values(k_.body.size());
  for (ExprId node : nodes) {
    const auto t = static_cast<std::size_t>(k_.body[node].index);
    Pack& loaded = values[static_cast<std::size_t>(node)];
    const KernelTensor& input = k_.inputs[t];
    const std::int64_t stride = input.strides[s_.vectorDim];
    if (input.counts) {
      loaded = counted(t);
    } else if (panels_.holds(t)) {
      loaded = loadVectors(panels_.address(t), input.dtype);
    } else if (stride == 0) {
      loaded = loadRepeated(input, scope_.element(t));
    } else if (stride == 1) {
      loaded = loadVectors(shorts_.address(t), input.dtype);
    } else {
      loaded = loadGathered(input, scope_.element(t), scope_.vectorStride(t));
    }
  }
  return values;
}

Value* BlockAccess::loadStanding(std::size_t input) {
  if (!k_.inputs[input].counts) return loadOne(k_.inputs[input], scope_.element(input));
  Value* first = b_.CreatePtrToInt(scope_.pointers[input], b_.getInt64Ty());
  return b_.CreateAdd(first, scope_.offsets[input]);
}

Pack BlockAccess::loadVectors(Value* pointer, DType dtype) {
  llvm::Type* type =
      llvm::FixedVectorType::get(scope_.memoryType(dtype), static_cast<unsigned>(scope_.width()));
  Pack pack;
  if (s_.paired && dtype == DType::bfloat16) {
    for (std::size_t u = 0; u < scope_.interleave(); u += 2) {
      Value* pairs = b_.CreateAlignedLoad(words(), b_.CreateConstGEP1_64(words(), pointer, u / 2),
                                          llvm::Align(info(dtype).size));
      pack.push_back(b_.CreateBitCast(b_.CreateShl(pairs, 16), floats()));
      pack.push_back(b_.CreateBitCast(b_.CreateAnd(pairs, kUpperHalf), floats()));
    }
    return pack;
  }
  for (std::size_t u = 0; u < scope_.interleave(); ++u)
    pack.push_back(
        scope_.fromMemory(b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(type, pointer, u),
                                               llvm::Align(info(dtype).size)),
                          dtype));
  return pack;
}

llvm::Type* BlockAccess::words() {
  return llvm::FixedVectorType::get(b_.getInt32Ty(), static_cast<unsigned>(scope_.width()));
}

llvm::Type* BlockAccess::floats() {
  return llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(scope_.width()));
}

Value* BlockAccess::putTogether(Value* lower, Value* upper) {
  return b_.CreateOr(b_.CreateLShr(b_.CreateBitCast(lower, words()), 16),
                     b_.CreateAnd(b_.CreateBitCast(upper, words()), kUpperHalf));
}

Pack BlockAccess::counted(std::size_t index) {
  const auto lanes = static_cast<unsigned>(scope_.width());
  Value* stride = scope_.vectorStride(index);
  Value* first = b_.CreateAdd(b_.CreatePtrToInt(scope_.pointers[index], b_.getInt64Ty()),
                              scope_.offsets[index]);
  first = scope_.advanced(first, scope_.block.index, stride);
  Pack pack;
  for (std::size_t u = 0; u < scope_.interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < scope_.width(); ++lane)
      numbers.push_back(b_.getInt64(static_cast<std::uint64_t>(u * scope_.width() + lane)));
    Value* steps =
        b_.CreateMul(llvm::ConstantVector::get(numbers), b_.CreateVectorSplat(lanes, stride));
    pack.push_back(b_.CreateAdd(b_.CreateVectorSplat(lanes, first), steps));
  }
  return pack;
}

Pack BlockAccess::loadRepeated(const KernelTensor& input, Value* pointer) {
  return Pack(scope_.interleave(),
              b_.CreateVectorSplat(static_cast<unsigned>(scope_.width()), loadOne(input, pointer)));
}

Value* BlockAccess::loadOne(const KernelTensor& input, Value* pointer) {
  return scope_.fromMemory(b_.CreateLoad(scope_.memoryType(input.dtype), pointer), input.dtype);
}

Pack BlockAccess::loadGathered(const KernelTensor& input, Value* base, Value* stride) {
  llvm::Type* type = scope_.memoryType(input.dtype);
  Value* last = b_.CreateSub(scope_.remaining(), scope_.int64(1));
  Pack pack;
  for (std::size_t u = 0; u < scope_.interleave(); ++u) {
    Value* vector = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(type, static_cast<unsigned>(scope_.width())));
    for (std::size_t lane = 0; lane < scope_.width(); ++lane) {
      Value* at = scope_.int64(static_cast<std::int64_t>(u * scope_.width() + lane));
      if (scope_.mayHaveTail()) at = b_.CreateSelect(b_.CreateICmpSLT(at, last), at, last);
      Value* from = b_.CreateGEP(type, base, b_.CreateMul(at, stride));
      vector = b_.CreateInsertElement(vector, b_.CreateLoad(type, from), lane);
    }
    pack.push_back(scope_.fromMemory(vector, input.dtype));
  }
  return pack;
}

Pack BlockAccess::loadAt(std::size_t index, const Pack& places, bool stays) {
  const KernelTensor& input = k_.inputs[index];
  const std::int64_t along = input.strides[s_.vectorDim];
  llvm::Type* type = scope_.memoryType(input.dtype);
  const auto lanes = static_cast<unsigned>(scope_.width());
  if (stays && (along == 0 || along == 1)) {
    Value* place = b_.CreateExtractElement(places.front(), std::uint64_t{0});
    Value* from = scope_.element(index, place);
    return along == 0 ? loadRepeated(input, from) : loadRow(input.dtype, from);
  }
  Value* stride = scope_.vectorStride(index);
  // Lanes past the end read what the last one reads.
  Value* last = b_.CreateVectorSplat(lanes, b_.CreateSub(scope_.remaining(), scope_.int64(1)));
  Value* base = scope_.element(index);
  Pack pack;
  for (std::size_t u = 0; u < scope_.interleave(); ++u) {
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (std::size_t lane = 0; lane < scope_.width(); ++lane)
      numbers.push_back(b_.getInt64(static_cast<std::uint64_t>(u * scope_.width() + lane)));
    Value* at = places[u];
    if (along != 0) {
      Value* step = llvm::ConstantVector::get(numbers);
      if (scope_.mayHaveTail()) step = b_.CreateSelect(b_.CreateICmpSLT(step, last), step, last);
      at = b_.CreateAdd(at, b_.CreateMul(step, b_.CreateVectorSplat(lanes, stride)));
    }
    pack.push_back(scope_.fromMemory(
        b_.CreateMaskedGather(llvm::FixedVectorType::get(type, lanes), b_.CreateGEP(type, base, at),
                              llvm::Align(info(input.dtype).size)),
        input.dtype));
  }
  return pack;
}

/// The block's elements, which are neighbors, starting here.
Pack BlockAccess::loadRow(DType dtype, Value* from) {
  if (!scope_.mayHaveTail()) return loadVectors(from, dtype);
  llvm::Type* type =
      llvm::FixedVectorType::get(scope_.memoryType(dtype), static_cast<unsigned>(scope_.width()));
  const Pack mask = shorts_.mask();
  Pack pack;
  for (std::size_t u = 0; u < scope_.interleave(); ++u)
    pack.push_back(scope_.fromMemory(b_.CreateMaskedLoad(type, b_.CreateConstGEP1_64(type, from, u),
                                                         llvm::Align(info(dtype).size), mask[u],
                                                         llvm::Constant::getNullValue(type)),
                                     dtype));
  return pack;
}

void BlockAccess::store(std::size_t index, const Pack& vectors) {
  const DType dtype = scope_.tensor(index).dtype;
  llvm::Type* type = scope_.memoryType(dtype);
  const auto align = llvm::Align(info(dtype).size);
  // An op's result is rounded when it is made, a reduction's is when it is stored.
  const bool rounded = !k_.outputs[index - k_.inputs.size()].reduces;
  const bool streams = std::ranges::find(s_.streamed, static_cast<int>(index - k_.inputs.size())) !=
                       s_.streamed.end();
  const bool paired = s_.paired && dtype == DType::bfloat16;
  const auto storeAt = [&](Value* to) {
    for (std::size_t u = 0; u < vectors.size() / (paired ? 2 : 1); ++u) {
      Value* stored = paired ? putTogether(vectors[2 * u], vectors[2 * u + 1])
                             : scope_.toMemory(vectors[u], dtype, rounded);
      llvm::StoreInst* store =
          b_.CreateAlignedStore(stored, b_.CreateConstGEP1_64(stored->getType(), to, u), align);
      if (streams) scope_.storePastCaches(*store);
    }
  };
  if (panels_.holds(index))
    return storeAt(panels_.address(index));  // a whole block always has room there
  if (scope_.tensor(index).strides[s_.vectorDim] == 1) {
    storeAt(shorts_.address(index));
    if (!scope_.tailsAroundLoop())
      shorts_.copyAll({index}, scope_.isTail(), scope_.int64(0), scope_.remaining());
    return;
  }
  Value* buffer = shorts_.buffer(index);
  storeAt(buffer);
  Value* step = scope_.vectorStride(index);
  emitLoop(b_, scope_.int64(0), scope_.remaining(), scope_.int64(1), [&](Value* i) {
    Value* value = b_.CreateLoad(type, b_.CreateGEP(type, buffer, i));
    b_.CreateStore(value, scope_.element(index, b_.CreateMul(i, step)));
  });
}

}  // namespace fusebench::cpu
