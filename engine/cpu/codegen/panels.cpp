// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/panels.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {
namespace {

using llvm::Value;
using Vectors = std::vector<Value*>;

/// Lanes that are transposed at a time. Zen 4 shuffles and stores wider vectors in two halves, and
/// they are more work to put together: a block of 16 by 16 takes it 58 cycles by eights, and 74 by
/// sixteens.
constexpr int kMostLanes = 8;

/// Lanes of two vectors in a new order; numbers from the width on are the second one's.
template <typename Place>
Value* shuffled(llvm::IRBuilder<>& b, Value* first, Value* second, int width, Place&& place) {
  llvm::SmallVector<int, 16> mask;
  for (int lane = 0; lane < width; ++lane) mask.push_back(place(lane));
  return b.CreateShuffleVector(first, second, mask);
}

/// Four vectors, seen as 4 x 4 blocks side by side, with each block transposed. x86 does each
/// shuffle in one instruction.
void transposeFours(llvm::IRBuilder<>& b, Value** rows, int width) {
  const auto interleaved = [width](int lane) {
    return lane / 4 * 4 + lane % 4 / 2 + lane % 2 * width;
  };
  const auto paired = [width](int lane) { return lane / 4 * 4 + lane % 2 + lane % 4 / 2 * width; };
  const auto later = [](const auto& place) {
    return [place](int lane) { return place(lane) + 2; };
  };
  Value* low = shuffled(b, rows[0], rows[1], width, interleaved);
  Value* high = shuffled(b, rows[0], rows[1], width, later(interleaved));
  Value* nextLow = shuffled(b, rows[2], rows[3], width, interleaved);
  Value* nextHigh = shuffled(b, rows[2], rows[3], width, later(interleaved));
  rows[0] = shuffled(b, low, nextLow, width, paired);
  rows[1] = shuffled(b, low, nextLow, width, later(paired));
  rows[2] = shuffled(b, high, nextHigh, width, paired);
  rows[3] = shuffled(b, high, nextHigh, width, later(paired));
}

/// One vector of several.
Value* concatenated(llvm::IRBuilder<>& b, Vectors parts) {
  while (parts.size() > 1) {
    Vectors wider;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      auto* type = llvm::cast<llvm::FixedVectorType>(parts[i]->getType());
      llvm::SmallVector<int, 16> mask(2 * type->getNumElements());
      std::iota(mask.begin(), mask.end(), 0);
      wider.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = std::move(wider);
  }
  return parts.front();
}

}  // namespace

bool Panels::holds(std::size_t tensor) const {
  const bool input = tensor < k_.inputs.size();
  const std::vector<int>& held = input ? s_.panelInputs : s_.panelOutputs;
  return std::find(held.begin(), held.end(),
                   static_cast<int>(input ? tensor : tensor - k_.inputs.size())) != held.end();
}

void Panels::enter(Value* row, Value* column, Value* rows, Value* columns) {
  buffers_.resize(scope_.offsets.size(), nullptr);
  row_ = row;
  column_ = column;
  end_ = b_.CreateAdd(column, columns);
  for (const int input : s_.panelInputs) fill(static_cast<std::size_t>(input), rows, columns);
}

void Panels::leave(Value* rows, Value* columns) {
  for (const int output : s_.panelOutputs)
    drain(scope_.outputTensor(static_cast<std::size_t>(output)), rows, columns);
  row_ = column_ = end_ = nullptr;
}

Value* Panels::place(std::size_t tensor, Value* row, Value* column) {
  llvm::Type* type = scope_.memoryType(DType::float32);
  if (!buffers_[tensor]) {
    auto* slot =
        emitSlot(b_,
                 llvm::ArrayType::get(type, std::uint64_t{static_cast<unsigned>(s_.panelRows)} *
                                                static_cast<unsigned>(s_.panelColumns)),
                 "panel");
    slot->setAlignment(llvm::Align(64));
    buffers_[tensor] = slot;
  }
  return b_.CreateGEP(type, buffers_[tensor],
                      b_.CreateAdd(b_.CreateMul(row, scope_.int64(s_.panelColumns)), column));
}

Value* Panels::origin(std::size_t tensor) {
  Value* stride = scope_.vectorStride(tensor);
  return b_.CreateGEP(scope_.memoryType(DType::float32), scope_.element(tensor),
                      b_.CreateAdd(row_, b_.CreateMul(column_, stride)));
}

int Panels::lanes() const {
  const int lanes = std::min(scope_.target.vector.width, kMostLanes);
  assert(s_.panelRows % lanes == 0);
  return lanes;
}

Value* Panels::wholeColumns(Value* rows, Value* columns) {
  return b_.CreateSelect(b_.CreateICmpEQ(rows, scope_.int64(s_.panelRows)),
                         b_.CreateAnd(columns, scope_.int64(-lanes())), scope_.int64(0));
}

/// Clears the rows' last blocks, where the panel's columns do not fill them: lanes past the end
/// compute on zeros, not on leftover values, which may need a slow path.
void Panels::clearTail(std::size_t input, Value* rows, Value* columns) {
  llvm::Type* vector = llvm::FixedVectorType::get(scope_.memoryType(DType::float32),
                                                  static_cast<unsigned>(scope_.width()));
  Value* count = b_.CreateURem(columns, scope_.int64(scope_.step()));
  emitIf(b_, b_.CreateIsNotNull(count), [&] {
    Value* last = b_.CreateSub(columns, count);
    emitLoop(b_, scope_.int64(0), rows, scope_.int64(1), [&](Value* row) {
      for (std::size_t u = 0; u < scope_.interleave(); ++u)
        b_.CreateAlignedStore(llvm::Constant::getNullValue(vector),
                              b_.CreateConstGEP1_64(vector, place(input, row, last), u),
                              llvm::Align(4));
    });
  });
}

/// Blocks of whole vectors are transposed in registers; what is left at the edges goes one by one.
void Panels::fill(std::size_t input, Value* rows, Value* columns) {
  if (scope_.mayHaveTail()) clearTail(input, rows, columns);
  llvm::Type* type = scope_.memoryType(DType::float32);
  Value* stride = scope_.vectorStride(input);
  Value* from = origin(input);
  const int lanes = this->lanes();
  llvm::Type* four = llvm::FixedVectorType::get(type, 4);
  Value* whole = wholeColumns(rows, columns);
  emitLoop(b_, scope_.int64(0), whole, scope_.int64(lanes), [&](Value* column) {
    // Four columns by so many rows at a time: the loads put each four rows where the transposed
    // block wants them.
    for (int row = 0; row < s_.panelRows; row += 4) {
      Value* block[4];
      for (int i = 0; i < 4; ++i) {
        Vectors fours;
        for (int part = 0; part < lanes; part += 4) {
          Value* at = b_.CreateMul(b_.CreateAdd(column, scope_.int64(part + i)), stride);
          fours.push_back(b_.CreateAlignedLoad(
              four, b_.CreateGEP(type, from, b_.CreateAdd(at, scope_.int64(row))), llvm::Align(4)));
        }
        block[i] = concatenated(b_, std::move(fours));
      }
      transposeFours(b_, block, lanes);
      for (int i = 0; i < 4; ++i)
        b_.CreateAlignedStore(block[i], place(input, scope_.int64(row + i), column),
                              llvm::Align(4));
    }
  });
  emitLoop(b_, whole, columns, scope_.int64(1), [&](Value* column) {
    Value* at = b_.CreateGEP(type, from, b_.CreateMul(column, stride));
    emitLoop(b_, scope_.int64(0), rows, scope_.int64(1), [&](Value* row) {
      b_.CreateStore(b_.CreateLoad(type, b_.CreateGEP(type, at, row)), place(input, row, column));
    });
  });
}

/// The same the other way: from the panel to the tensor.
void Panels::drain(std::size_t tensor, Value* rows, Value* columns) {
  llvm::Type* type = scope_.memoryType(DType::float32);
  Value* stride = scope_.vectorStride(tensor);
  Value* to = origin(tensor);
  const int lanes = this->lanes();
  llvm::Type* vector = llvm::FixedVectorType::get(type, static_cast<unsigned>(lanes));
  Value* whole = wholeColumns(rows, columns);
  emitLoop(b_, scope_.int64(0), whole, scope_.int64(lanes), [&](Value* column) {
    // As many rows as columns, so that a store takes a whole vector.
    for (int row = 0; row < s_.panelRows; row += lanes) {
      Value* block[kMostLanes];
      for (int i = 0; i < lanes; ++i)
        block[i] = b_.CreateAlignedLoad(vector, place(tensor, scope_.int64(row + i), column),
                                        llvm::Align(4));
      for (int i = 0; i < lanes; i += 4) transposeFours(b_, block + i, lanes);
      for (int i = 0; i < 4; ++i)
        for (int part = 0; part < lanes; part += 4) {
          Vectors fours;
          for (int below = i; below < lanes; below += 4)
            fours.push_back(
                b_.CreateShuffleVector(block[below], {part, part + 1, part + 2, part + 3}));
          Value* at = b_.CreateMul(b_.CreateAdd(column, scope_.int64(part + i)), stride);
          b_.CreateAlignedStore(concatenated(b_, std::move(fours)),
                                b_.CreateGEP(type, to, b_.CreateAdd(at, scope_.int64(row))),
                                llvm::Align(4));
        }
    }
  });
  emitLoop(b_, whole, columns, scope_.int64(1), [&](Value* column) {
    Value* at = b_.CreateGEP(type, to, b_.CreateMul(column, stride));
    emitLoop(b_, scope_.int64(0), rows, scope_.int64(1), [&](Value* row) {
      b_.CreateStore(b_.CreateLoad(type, place(tensor, row, column)), b_.CreateGEP(type, at, row));
    });
  });
}

Value* Panels::address(std::size_t tensor) {
  return place(tensor, b_.CreateSub(scope_.indices[static_cast<std::size_t>(s_.panelDim)], row_),
               b_.CreateSub(scope_.block.index, column_));
}

}  // namespace fusebench::cpu
