// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/row_writer.h"

#include <cmath>
#include <cstdlib>

#include "engine/cpu/codegen/constant_pool.h"
#include "engine/cpu/codegen/kernel_writer.h"
#include "engine/cpu/math/loops.h"

namespace fusebench::cpu {

using llvm::Value;

KernelPhases phasesFor(const Kernel& kernel) {
  return phasesOf(kernel, instructionCount);
}

RowWriter::RowWriter(const Kernel& kernel, const Schedule& schedule, const Target& target,
                     llvm::Module& module)
    : module_(module),
      scope_(kernel, schedule, target, module),
      k_(kernel),
      s_(schedule),
      b_(scope_.b),
      phases_(phasesFor(kernel)),
      rowTarget_(targetOfRow(kernel, target, schedule)) {}

void RowWriter::write(OpMarks* marks) {
  beginEntry(scope_, module_, marks);
  scope_.readArguments();
  length_ = scope_.int64(1);
  for (int dim = 0; dim < k_.rank(); ++dim)
    if (k_.reduced(dim))
      length_ = b_.CreateMul(length_, scope_.extents[static_cast<std::size_t>(dim)]);
  if (s_.partials)
    loneRow();
  else if (!k_.totals.empty())
    withTotals();
  else
    rows(0);
  if (streams_) scope_.orderStores();
  b_.CreateRetVoid();
  promoteSlots(*scope_.function);
  if (s_.pooledConstants) poolConstants(*scope_.function);
}

void RowWriter::rows(int position) {
  if (position == s_.firstReduced) return row();
  const auto d = static_cast<std::size_t>(s_.order[static_cast<std::size_t>(position)]);
  const bool isPart = position == 0 && s_.splits;
  Value* begin = isPart ? scope_.function->getArg(3) : scope_.int64(0);
  Value* end = isPart ? scope_.function->getArg(4) : scope_.extents[d];
  emitLoop(b_, begin, end, scope_.int64(1), [&](Value* index) {
    const KernelScope::Values saved = scope_.offsets;
    scope_.indices[d] = index;
    for (std::size_t t = 0; t < scope_.offsets.size(); ++t)
      scope_.offsets[t] = scope_.advanced(scope_.offsets[t], index, scope_.strides[t][d]);
    rows(position + 1);
    scope_.offsets = saved;
    scope_.indices[d] = nullptr;
  });
}

/// Where the tensor of a phase is; see KernelPhase::tensors.
Value* RowWriter::pointer(int tensor) {
  if (tensor == KernelPhase::kNowhere) return nullptr;
  if (tensor >= 0) return scope_.pointers[static_cast<std::size_t>(tensor)];
  Value* bytes =
      b_.CreateAnd(b_.CreateAdd(b_.CreateMul(length_, scope_.int64(8)), scope_.int64(63)),
                   scope_.int64(~std::int64_t{63}));
  return b_.CreateGEP(b_.getInt8Ty(), scope_.function->getArg(5),
                      b_.CreateAdd(b_.CreateMul(bytes, scope_.int64(-1 - tensor)),
                                   scope_.int64(totalsBytes(k_.totals.size()))));
}

/// Tells a phase's writer where the row is.
void RowWriter::place(const KernelPhase& phase, KernelWriter& writer) {
  KernelScope& inside = writer.scope();
  inside.function = scope_.function;
  inside.marks = scope_.marks;
  inside.extents = scope_.extents;
  inside.indices = scope_.indices;
  const std::size_t rank = scope_.extents.size();
  for (const int tensor : phase.tensors) {
    inside.pointers.push_back(pointer(tensor));
    const bool given = tensor >= 0 && tensor != KernelPhase::kNowhere;
    const auto whole = static_cast<std::size_t>(tensor);
    inside.offsets.push_back(given ? scope_.offsets[whole] : scope_.int64(0));
    if (given) {
      inside.strides.push_back(scope_.strides[whole]);
      continue;
    }
    KernelScope::Values& strides = inside.strides.emplace_back(rank, scope_.int64(0));
    Value* step = scope_.int64(1);
    for (std::size_t d = rank; d-- > 0;) {
      if (tensor == KernelPhase::kNowhere || !k_.reduced(static_cast<int>(d))) continue;
      strides[d] = step;
      step = b_.CreateMul(step, scope_.extents[d]);
    }
  }
  inside.b.SetInsertPoint(b_.GetInsertBlock());
}

template <class Write>
void RowWriter::phase(const KernelPhase& phase, const Schedule& whole, const Write& write) {
  const Schedule own = scheduleOfPhase(phase.kernel, rowTarget_, whole);
  streams_ |= !own.streamed.empty();
  KernelWriter writer(phase.kernel, own, rowTarget_, module_);
  place(phase, writer);
  write(writer);
  b_.SetInsertPoint(writer.scope().b.GetInsertBlock());
}

void RowWriter::setCarried(const KernelPhase& phase, const KernelScope::Values& made) {
  for (std::size_t o = 0; o < made.size(); ++o)
    if (phase.carried[o] >= 0) carried_[static_cast<std::size_t>(phase.carried[o])] = made[o];
}

void RowWriter::storeLast(const Schedule& whole) {
  if (!phases_.last.kernel.outputs.empty())
    phase(phases_.last, whole, [&](KernelWriter& writer) { writer.storeRow(carried_); });
}

/// A row of unknown length may be shorter than a step of vectors side by side, and a phase is then
/// little but the end that is not full. So there is a way of one vector a step for short rows.
void RowWriter::row() {
  constexpr int kShortVectors = 8;
  if (s_.chosenInterleave > 0 || k_.extents[s_.vectorDim] != kAtLaunch) return row(s_);
  Schedule narrow = s_;
  narrow.chosenInterleave = 1;
  const std::int64_t few = std::int64_t{kShortVectors} * scope_.target.vector.width;
  Value* length = scope_.extents[static_cast<std::size_t>(s_.vectorDim)];
  emitIf(
      b_, b_.CreateICmpSLT(length, scope_.int64(few)), [&] { row(narrow); }, [&] { row(s_); });
}

/// Only the first phase waits for memory. To use the memory during the others as well, the second
/// phase prefetches the next row, if that comes from memory.
void RowWriter::fetchNextRow(KernelWriter& writer) {
  constexpr std::int64_t kMostBytes =
      1 << 17;  // largest row; the cache needs room for other data, too
  if (s_.firstReduced == 0) return;
  const int dim = s_.order[static_cast<std::size_t>(s_.firstReduced) - 1];
  for (std::size_t input = 0; input < k_.inputs.size(); ++input) {
    const KernelTensor& tensor = k_.inputs[input];
    const std::int64_t step = tensor.strides[dim];
    if (tensor.counts || step == 0 || step == kAtLaunch || tensor.strides[s_.vectorDim] != 1 ||
        std::abs(step) * static_cast<std::int64_t>(info(tensor.dtype).size) > kMostBytes ||
        !isBeyondCaches(k_, tensor))
      continue;
    writer.fetchAhead(input, scope_.int64(step));
  }
}

void RowWriter::row(const Schedule& whole) {
  carried_.assign(k_.carried.size(), nullptr);
  for (const KernelPhase& each : phases_.loops)
    phase(each, whole, [&](KernelWriter& writer) {
      if (&each == &phases_.loops.front() + 1) fetchNextRow(writer);
      setCarried(each, writer.writeRow(carried_));
    });
  storeLast(whole);
  addUp(whole);
}

/// Rows, and what they add up to in the memory before the buffers. With a negative beginning the
/// function is asked for what is computed of that.
void RowWriter::withTotals() {
  Value* isEnd = b_.CreateICmpSLT(scope_.function->getArg(3), scope_.int64(0));
  const auto word = [&](std::size_t total) {
    return b_.CreateConstGEP1_64(b_.getInt64Ty(), scope_.function->getArg(5),
                                 total * kPartialWords);
  };
  for (std::size_t t = 0; t < k_.totals.size(); ++t)
    sums_.push_back(emitSlot(b_, b_.getDoubleTy(), "total"));
  emitIf(
      b_, isEnd,
      [&] {
        phase(phases_.end, s_, [&](KernelWriter& writer) {
          writer.storeRow(totalResults(scope_, scope_.function->getArg(5)));
        });
      },
      [&] {
        for (Value* sum : sums_) b_.CreateStore(llvm::ConstantFP::get(b_.getDoubleTy(), 0), sum);
        rows(0);
        for (std::size_t t = 0; t < sums_.size(); ++t)
          b_.CreateStore(b_.CreateLoad(b_.getDoubleTy(), sums_[t]), word(t));
      });
}

void RowWriter::addUp(const Schedule& whole) {
  if (sums_.empty()) return;
  phase(phases_.added, whole, [&](KernelWriter& writer) {
    const KernelScope::Values values = writer.rowValues(carried_);
    llvm::IRBuilder<>& b = writer.scope().b;
    for (std::size_t t = 0; t < sums_.size(); ++t)
      b.CreateStore(b.CreateFAdd(b.CreateLoad(b.getDoubleTy(), sums_[t]),
                                 b.CreateFPExt(values[t], b.getDoubleTy())),
                    sums_[t]);
  });
}

/// A single row that threads may share: the states of the parts are in memory, where the end of the
/// function reads them. A call with a negative begin does the end alone.
void RowWriter::loneRow() {
  carried_.assign(k_.carried.size(), nullptr);
  const KernelPhase& loop = phases_.loops.front();
  Value* given = scope_.function->getArg(5);
  Value* own = emitSlot(
      b_, llvm::ArrayType::get(b_.getInt64Ty(), loop.kernel.outputs.size() * kPartialWords),
      "states");
  Value* words = b_.CreateSelect(b_.CreateIsNull(given), own, given);
  Value* isEnd = b_.CreateICmpSLT(scope_.function->getArg(3), scope_.int64(0));
  emitIf(b_, b_.CreateNot(isEnd),
         [&] { phase(loop, s_, [&](KernelWriter& writer) { writer.writePartOfRow(words); }); });
  emitIf(b_, b_.CreateOr(b_.CreateIsNull(given), isEnd), [&] {
    phase(loop, s_,
          [&](KernelWriter& writer) { setCarried(loop, rowResults(writer.scope(), words)); });
    storeLast(s_);
  });
}

}  // namespace fusebench::cpu
