// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that lie along another dimension than the vectorised one: a panel of an input is
// transposed in registers into a buffer in the L1 cache, from which rows are read as if they had
// always lain so; rows of a result are written to such a buffer, which is transposed on its way
// out. Each cache line is moved once and used whole; one load a lane would fetch it again and
// again.
#include <algorithm>
#include <cassert>
#include <numeric>

#include "engine/cpu/codegen/kernel_writer.h"
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

/// The loops over panelDim and the vectorised dimension, a panel at a time.
void KernelWriter::panelLoops(int position, Value* begin, Value* end) {
  const auto smaller = [this](Value* a, Value* b) {
    return b_.CreateSelect(b_.CreateICmpSLT(a, b), a, b);
  };
  panels_.resize(offsets_.size(), nullptr);
  emitLoop(b_, begin, end, int64(s_.panelRows), [&](Value* row) {
    Value* rows = smaller(int64(s_.panelRows), b_.CreateSub(end, row));
    Value* length = extents_[static_cast<std::size_t>(s_.vectorDim)];
    emitLoop(b_, int64(0), length, int64(s_.panelColumns), [&](Value* column) {
      Value* columns = smaller(int64(s_.panelColumns), b_.CreateSub(length, column));
      panelRow_ = row;
      panelColumn_ = column;
      panelEnd_ = b_.CreateAdd(column, columns);
      for (const int input : s_.panelInputs)
        fillPanel(static_cast<std::size_t>(input), rows, columns);
      panelRows(position, b_.CreateAdd(row, rows), end);
      for (const int output : s_.panelOutputs)
        drainPanel(outputTensor(static_cast<std::size_t>(output)), rows, columns);
      panelRow_ = panelColumn_ = panelEnd_ = nullptr;
    });
  });
}

/// The panel's rows up to `stop`, in runs after which sums are flushed.
void KernelWriter::panelRows(int position, Value* stop, Value* end) {
  const auto enterAt = [&](Value* index) { enter(position, index, end); };
  if (k_.reducedMask == 0) return emitLoop(b_, panelRow_, stop, int64(1), enterAt);
  const std::int64_t length = std::max(1, kFlushSteps * step() / s_.panelColumns);
  inRuns(panelRow_, stop, length, [&](Value* from, Value* to) {
    emitLoop(b_, from, to, int64(1), enterAt, true);
    flush();
  });
}

Value* KernelWriter::panelPlace(std::size_t tensor, Value* row, Value* column) {
  llvm::Type* type = memoryType(DType::float32);
  if (!panels_[tensor]) {
    auto* slot =
        emitSlot(b_,
                 llvm::ArrayType::get(type, std::uint64_t{static_cast<unsigned>(s_.panelRows)} *
                                                static_cast<unsigned>(s_.panelColumns)),
                 "panel");
    slot->setAlignment(llvm::Align(64));
    panels_[tensor] = slot;
  }
  return b_.CreateGEP(type, panels_[tensor],
                      b_.CreateAdd(b_.CreateMul(row, int64(s_.panelColumns)), column));
}

Value* KernelWriter::panelOrigin(std::size_t tensor) {
  Value* stride = strides_[tensor][static_cast<std::size_t>(s_.vectorDim)];
  return b_.CreateGEP(memoryType(DType::float32), element(tensor),
                      b_.CreateAdd(panelRow_, b_.CreateMul(panelColumn_, stride)));
}

int KernelWriter::panelLanes() const {
  const int lanes = std::min(target_.vector.width, kMostLanes);
  assert(s_.panelRows % lanes == 0);
  return lanes;
}

Value* KernelWriter::wholeColumns(Value* rows, Value* columns) {
  return b_.CreateSelect(b_.CreateICmpEQ(rows, int64(s_.panelRows)),
                         b_.CreateAnd(columns, int64(-panelLanes())), int64(0));
}

/// The rows' last blocks, where the panel's columns do not fill them: lanes past the end compute on
/// zeros, not on what happens to lie there, which may want a slow path.
void KernelWriter::clearPanelTail(std::size_t input, Value* rows, Value* columns) {
  llvm::Type* vector =
      llvm::FixedVectorType::get(memoryType(DType::float32), static_cast<unsigned>(width()));
  Value* count = b_.CreateURem(columns, int64(step()));
  emitIf(b_, b_.CreateIsNotNull(count), [&] {
    Value* last = b_.CreateSub(columns, count);
    emitLoop(b_, int64(0), rows, int64(1), [&](Value* row) {
      for (std::size_t u = 0; u < interleave(); ++u)
        b_.CreateAlignedStore(llvm::Constant::getNullValue(vector),
                              b_.CreateConstGEP1_64(vector, panelPlace(input, row, last), u),
                              llvm::Align(4));
    });
  });
}

/// Blocks of whole vectors are transposed in registers; what is left at the edges goes one by one.
void KernelWriter::fillPanel(std::size_t input, Value* rows, Value* columns) {
  if (mayHaveTail()) clearPanelTail(input, rows, columns);
  llvm::Type* type = memoryType(DType::float32);
  Value* stride = strides_[input][static_cast<std::size_t>(s_.vectorDim)];
  Value* from = panelOrigin(input);
  const int lanes = panelLanes();
  llvm::Type* four = llvm::FixedVectorType::get(type, 4);
  Value* whole = wholeColumns(rows, columns);
  emitLoop(b_, int64(0), whole, int64(lanes), [&](Value* column) {
    // Four columns by so many rows at a time: the loads put each four rows where the transposed
    // block wants them.
    for (int row = 0; row < s_.panelRows; row += 4) {
      Value* block[4];
      for (int i = 0; i < 4; ++i) {
        Vectors fours;
        for (int part = 0; part < lanes; part += 4) {
          Value* at = b_.CreateMul(b_.CreateAdd(column, int64(part + i)), stride);
          fours.push_back(b_.CreateAlignedLoad(
              four, b_.CreateGEP(type, from, b_.CreateAdd(at, int64(row))), llvm::Align(4)));
        }
        block[i] = concatenated(b_, std::move(fours));
      }
      transposeFours(b_, block, lanes);
      for (int i = 0; i < 4; ++i)
        b_.CreateAlignedStore(block[i], panelPlace(input, int64(row + i), column), llvm::Align(4));
    }
  });
  emitLoop(b_, whole, columns, int64(1), [&](Value* column) {
    Value* at = b_.CreateGEP(type, from, b_.CreateMul(column, stride));
    emitLoop(b_, int64(0), rows, int64(1), [&](Value* row) {
      b_.CreateStore(b_.CreateLoad(type, b_.CreateGEP(type, at, row)),
                     panelPlace(input, row, column));
    });
  });
}

/// The same the other way: from the panel to the tensor.
void KernelWriter::drainPanel(std::size_t tensor, Value* rows, Value* columns) {
  llvm::Type* type = memoryType(DType::float32);
  Value* stride = strides_[tensor][static_cast<std::size_t>(s_.vectorDim)];
  Value* to = panelOrigin(tensor);
  const int lanes = panelLanes();
  llvm::Type* vector = llvm::FixedVectorType::get(type, static_cast<unsigned>(lanes));
  Value* whole = wholeColumns(rows, columns);
  emitLoop(b_, int64(0), whole, int64(lanes), [&](Value* column) {
    // As many rows as columns, so that a store takes a whole vector.
    for (int row = 0; row < s_.panelRows; row += lanes) {
      Value* block[kMostLanes];
      for (int i = 0; i < lanes; ++i)
        block[i] = b_.CreateAlignedLoad(vector, panelPlace(tensor, int64(row + i), column),
                                        llvm::Align(4));
      for (int i = 0; i < lanes; i += 4) transposeFours(b_, block + i, lanes);
      for (int i = 0; i < 4; ++i)
        for (int part = 0; part < lanes; part += 4) {
          Vectors fours;
          for (int below = i; below < lanes; below += 4)
            fours.push_back(
                b_.CreateShuffleVector(block[below], {part, part + 1, part + 2, part + 3}));
          Value* at = b_.CreateMul(b_.CreateAdd(column, int64(part + i)), stride);
          b_.CreateAlignedStore(concatenated(b_, std::move(fours)),
                                b_.CreateGEP(type, to, b_.CreateAdd(at, int64(row))),
                                llvm::Align(4));
        }
    }
  });
  emitLoop(b_, whole, columns, int64(1), [&](Value* column) {
    Value* at = b_.CreateGEP(type, to, b_.CreateMul(column, stride));
    emitLoop(b_, int64(0), rows, int64(1), [&](Value* row) {
      b_.CreateStore(b_.CreateLoad(type, panelPlace(tensor, row, column)),
                     b_.CreateGEP(type, at, row));
    });
  });
}

/// Where the current block of a tensor stands in its panel.
Value* KernelWriter::panelAddress(std::size_t tensor) {
  return panelPlace(tensor,
                    b_.CreateSub(indices_[static_cast<std::size_t>(s_.panelDim)], panelRow_),
                    b_.CreateSub(block_.index, panelColumn_));
}

}  // namespace fusebench::cpu
