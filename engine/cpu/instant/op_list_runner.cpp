// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/op_list_runner.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/elements.h"
#include "engine/cpu/codegen/accumulators.h"
#include "engine/cpu/instant/row_copies.h"

namespace fusebench::cpu {

/// The buffers of a launch, kept from launch to launch.
struct OpListRunner::Scratch {
  std::vector<std::byte> bytes;
  std::vector<std::byte*> bases, buffers;
  std::vector<void*> pointers;
  std::vector<std::uint64_t> words;

  /// At least so many bytes, aligned as an op list wants them.
  std::byte* room(std::size_t wanted) {
    if (bytes.size() < wanted + kOpListAlign) bytes.resize(wanted + kOpListAlign);
    std::byte* start = bytes.data();
    start += (kOpListAlign - reinterpret_cast<std::uintptr_t>(start) % kOpListAlign) % kOpListAlign;
    latestRoom = start;
    latestBytes = bytes.size() - kOpListAlign;
    return start;
  }
  ~Scratch() { latestBytes = 0; }

  /// The same of this thread, without the look at whether its scratch exists yet.
  static std::byte* roomHere(std::size_t wanted) {
    return wanted <= latestBytes ? latestRoom : scratch().room(wanted);
  }

 private:
  static constinit thread_local std::byte* latestRoom;
  static constinit thread_local std::size_t latestBytes;
};

constinit thread_local std::byte* OpListRunner::Scratch::latestRoom = nullptr;
constinit thread_local std::size_t OpListRunner::Scratch::latestBytes = 0;

OpListRunner::Scratch& OpListRunner::scratch() {
  static thread_local Scratch ofThisThread;
  return ofThisThread;
}

OpListRunner::OpListRunner(const OpListExecutable& list, const OpListPlan& plan,
                           void* const* pointers)
    : OpListRunner(list, plan, pointers, scratch()) {}

OpListRunner::OpListRunner(const OpListExecutable& list, const OpListPlan& plan,
                           void* const* pointers, Scratch& memory)
    : list_(list),
      plan_(plan),
      walk_(plan.walk),
      given_(pointers),
      inputs_(list.inputs_),
      block_(list.block_),
      tile_(kTileBlocks * list.block_),
      bases_(memory.bases),
      pointers_(memory.pointers),
      buffers_(memory.buffers),
      words_(memory.words) {
  const std::size_t tensors = walk_.tensors.size();
  buffers_.resize(tensors);
  bases_.resize(tensors);
  pointers_.resize(tensors);
  std::byte* start = memory.room(plan.bytes);
  slots_ = start;
  std::byte* buffer = start + plan.buffers;
  for (std::size_t t = 0; t < tensors; ++t) {
    buffers_[t] = buffer;
    if (streams(t)) buffer += list.bufferBytes(walk_.tensors[t]);
  }
  state_.slots = slots_;
  state_.accumulators = accumulators_ = start + plan.accumulators;
  state_.pointers = pointers_.data();
}

void OpListRunner::reset(const OpListExecutable& list, std::byte* accumulators) {
  for (const OpListExecutable::Reduction& result : list.reductions_)
    result.reset(accumulators + result.accumulator);
}

void OpListRunner::flush(const OpListExecutable& list, std::byte* accumulators) {
  for (const OpListExecutable::Reduction& result : list.reductions_)
    result.flush(accumulators + result.accumulator);
}

template <typename Pointer>
void OpListRunner::finish(const OpListExecutable& list, std::byte* accumulators, std::int64_t count,
                          std::uint64_t* partials, const Pointer* outputs) {
  for (const OpListExecutable::Reduction& result : list.reductions_) {
    std::array<std::uint64_t, kPartialWords> words{};
    std::uint64_t* to = partials ? partials + result.output * kPartialWords : words.data();
    result.finish(accumulators + result.accumulator, to);
    if (!partials) result.formula.store(to, static_cast<double>(count), outputs[result.output]);
  }
}

/// A row of dense tensors that nothing interrupts. If something is reduced, it is one block, and
/// the states come whole from the list.
void OpListRunner::runOnce(const OpListExecutable& list, const OpListPlan& plan,
                           void* const* pointers, std::uint64_t* partials) {
  OpListState state;
  state.slots = Scratch::roomHere(plan.bytes);
  state.accumulators = state.slots + plan.accumulators;
  state.pointers = pointers;
  state.first = plan.once;
  state.end = plan.rowLength;
  list.enter_(plan.once, &state, 0);
  for (const OpListExecutable::Reduction& result : list.reductions_) {
    const auto* words =
        reinterpret_cast<const std::uint64_t*>(state.accumulators + result.accumulator);
    if (partials)
      std::copy_n(words, kPartialWords, partials + result.output * kPartialWords);
    else
      result.formula.store(words, static_cast<double>(plan.rowLength),
                           pointers[list.inputs_ + result.output]);
  }
}

/// Runs a part of one row of contiguous tensors, in whole blocks: there is nothing to place, to
/// gather or to fill. It runs the list, with a flush now and then.
void OpListRunner::runDirect(const OpListExecutable& list, const OpListPlan& plan,
                             void* const* pointers, std::int64_t begin, std::int64_t end,
                             std::uint64_t* partials) {
  OpListState state;
  std::byte* start = Scratch::roomHere(plan.bytes);
  std::byte* accumulators = start + plan.accumulators;
  state.slots = start;
  state.accumulators = accumulators;
  state.pointers = pointers;
  state.first = list.instructions(OpListCode::Ending::none);
  reset(list, accumulators);
  const bool reduces = !list.reductions_.empty();
  const std::int64_t step = reduces ? kTileBlocks * list.block_ : end - begin;
  for (std::int64_t from = begin; from < end; from += step) {
    if (from > begin) flush(list, accumulators);
    state.end = std::min(from + step, end);
    list.enter_(state.first, &state, from);
  }
  finish(list, accumulators, plan.rowLength, partials, pointers + list.inputs_);
}

void OpListRunner::run(std::int64_t begin, std::int64_t end, std::uint64_t* partials) {
  const bool oneRow = list_.splitsRow(plan_);
  const std::int64_t rows = oneRow ? 1 : end;
  for (std::int64_t outer = oneRow ? 0 : begin; outer < rows; ++outer) {
    const std::int64_t from = oneRow ? begin : 0, to = oneRow ? end : plan_.rowLength;
    if (walk_.lanes) {
      lanesOf(outer, from, to);
      continue;
    }
    placeRow(outer, 0);
    reset(list_, accumulators_);
    rowPart(from, to);
    finish(list_, accumulators_, plan_.rowLength, partials, bases_.data() + inputs_);
  }
}

/// Points everything at the row of these loops' turns, and fills the slots of what is repeated.
void OpListRunner::placeRow(std::int64_t outer, std::int64_t middle) {
  for (std::size_t t = 0; t < walk_.tensors.size(); ++t) {
    const TensorWalk& tensor = walk_.tensors[t];
    std::int64_t offset = 0;
    if (outer > 0 && walk_.outer.rank() == 1) {
      offset = outer * tensor.outer[0];
    } else if (outer > 0) {
      Odometer odometer(walk_.outer, tensor.outer);
      odometer.goTo(outer);
      offset += odometer.offset();
    }
    if (middle > 0) {
      Odometer odometer(walk_.middle, tensor.middle);
      odometer.goTo(middle);
      offset += odometer.offset();
    }
    bases_[t] = static_cast<std::byte*>(given_[t]) +
                offset * static_cast<std::int64_t>(tensor.elementBytes);
    if (!isInput(t) || streams(t)) continue;
    if (list_.program_.lanes != TypeClass::float32) {
      fillSlot(t);
      continue;
    }
    const auto value = static_cast<float>(loadElement(bases_[t], list_.kernel_.inputs[t].dtype));
    auto* slot = reinterpret_cast<float*>(slots_ + list_.program_.inputs[t].slot);
    std::fill(slot, slot + block_, value);
  }
}

/// Fills the slot of an input that is one element with it, in a list of other numbers than float32.
void OpListRunner::fillSlot(std::size_t t) {
  const TypeClass lanes = computedOf(list_.program_.lanes);
  const auto size = static_cast<std::size_t>(bitsOf(lanes)) / 8;
  const DType dtype = list_.kernel_.inputs[t].dtype;
  Scalar scalar;
  if (dtype == DType::boolean)
    scalar = Scalar::of(*bases_[t] != std::byte{0} ? 1 : 0, lanes);
  else if (info(dtype).size < size)
    scalar = Scalar::of(loadElement(bases_[t], dtype), lanes);
  else
    std::memcpy(scalar.bytes, bases_[t], size);
  std::byte* to = slots_ + list_.program_.inputs[t].slot;
  for (std::int64_t i = 0; i < block_; ++i, to += size) std::memcpy(to, scalar.bytes, size);
}

/// Elements [from, to) of the row through the list, a tile at a time where something has to be
/// gathered or flushed in between.
void OpListRunner::rowPart(std::int64_t from, std::int64_t to) {
  const std::int64_t step = plan_.tiles ? tile_ : std::max<std::int64_t>(to - from, 1);
  for (std::int64_t start = from; start < to; start += step) {
    const std::int64_t stop = std::min(start + step, to);
    if (start > from) flush(list_, accumulators_);
    for (std::size_t t = 0; t < walk_.tensors.size(); ++t) {
      if (!streams(t)) continue;
      pointers_[t] = bases_[t];
      if (walk_.tensors[t].dense) continue;
      if (isInput(t)) gather(t, start, stop);
      pointers_[t] = buffers_[t] - start * static_cast<std::int64_t>(walk_.tensors[t].elementBytes);
    }
    const std::int64_t whole = (stop - start) / block_ * block_;
    if (whole > 0) {
      state_.first = list_.instructions(OpListCode::Ending::none);
      state_.end = start + whole;
      list_.enter_(state_.first, &state_, start);
    }
    if (start + whole < stop) lastBlock(start + whole, stop - start - whole);
    for (std::size_t t = inputs_; t < walk_.tensors.size(); ++t)
      if (streams(t) && !walk_.tensors[t].dense) scatter(t, start, stop);
  }
}

/// A block that is not full: from and to buffers, so that nothing past the tensors' ends is
/// touched. Lanes without an element compute on zeros.
void OpListRunner::lastBlock(std::int64_t at, std::int64_t count) {
  for (std::size_t t = 0; t < walk_.tensors.size(); ++t) {
    const TensorWalk& tensor = walk_.tensors[t];
    if (!streams(t)) continue;
    const auto size = static_cast<std::int64_t>(tensor.elementBytes);
    const std::size_t bytes = static_cast<std::size_t>(count * size);
    // A gathered tile has room for a whole block behind its last element.
    if (tensor.dense) {
      if (isInput(t)) std::memcpy(buffers_[t], bases_[t] + at * size, bytes);
      pointers_[t] = buffers_[t] - at * size;
    }
    if (isInput(t))
      std::memset(static_cast<std::byte*>(pointers_[t]) + (at + count) * size, 0,
                  static_cast<std::size_t>((block_ - count) * size));
  }
  state_.first = list_.instructions(list_.hasEndings() ? OpListCode::Ending::masked
                                                       : OpListCode::Ending::none);
  state_.end = at;
  state_.remaining = count;
  list_.enter_(state_.first, &state_, at);
  for (std::size_t t = inputs_; t < walk_.tensors.size(); ++t) {
    const TensorWalk& tensor = walk_.tensors[t];
    if (!streams(t) || !tensor.dense) continue;
    const auto size = static_cast<std::int64_t>(tensor.elementBytes);
    std::memcpy(bases_[t] + at * size, buffers_[t], static_cast<std::size_t>(count * size));
  }
}

void OpListRunner::gather(std::size_t t, std::int64_t from, std::int64_t to) {
  const TensorWalk& tensor = walk_.tensors[t];
  const auto size = static_cast<std::int64_t>(tensor.elementBytes);
  acrossRuns(walk_, tensor, from, to,
             [&](std::int64_t at, std::int64_t step, std::int64_t offset, std::int64_t stride,
                 std::int64_t count) {
               copyStrided(buffers_[t] + at * size, step, bases_[t] + offset * size, stride, count,
                           tensor.elementBytes);
             });
}

void OpListRunner::scatter(std::size_t t, std::int64_t from, std::int64_t to) {
  const TensorWalk& tensor = walk_.tensors[t];
  const auto size = static_cast<std::int64_t>(tensor.elementBytes);
  acrossRuns(walk_, tensor, from, to,
             [&](std::int64_t at, std::int64_t step, std::int64_t offset, std::int64_t stride,
                 std::int64_t count) {
               copyStrided(bases_[t] + offset * size, stride, buffers_[t] + at * size, step, count,
                           tensor.elementBytes);
             });
}

/// Results of the row's elements [from, to), each reduced over the middle loops.
void OpListRunner::lanesOf(std::int64_t outer, std::int64_t from, std::int64_t to) {
  const std::int64_t middles = plan_.middleCount;
  words_.resize(static_cast<std::size_t>(block_) * kPartialWords);
  for (std::int64_t start = from; start < to; start += block_) {
    const std::int64_t stop = std::min(start + block_, to);
    reset(list_, accumulators_);
    for (std::int64_t middle = 0; middle < middles; ++middle) {
      placeRow(outer, middle);
      state_.reducedIndex = middle;
      for (std::size_t t = 0; t < walk_.tensors.size(); ++t) {
        if (!streams(t)) continue;
        pointers_[t] = bases_[t];
        if (walk_.tensors[t].dense) continue;
        if (isInput(t)) gather(t, start, stop);
        pointers_[t] =
            buffers_[t] - start * static_cast<std::int64_t>(walk_.tensors[t].elementBytes);
      }
      if (stop - start == block_) {
        state_.first = list_.instructions(OpListCode::Ending::none);
        state_.end = start;
        list_.enter_(state_.first, &state_, start);
      } else {
        lastBlock(start, stop - start);
      }
      for (std::size_t t = inputs_; t < walk_.tensors.size(); ++t)
        if (streams(t) && !walk_.tensors[t].dense) scatter(t, start, stop);
      if (middle % kTileBlocks == kTileBlocks - 1) flush(list_, accumulators_);
    }
    placeRow(outer, 0);
    for (const OpListExecutable::Reduction& result : list_.reductions_) {
      result.finish(accumulators_ + result.accumulator, words_.data());
      const std::size_t tensor = inputs_ + result.output;
      const TensorWalk& steps = walk_.tensors[tensor];
      alongRow(
          walk_, steps, start, stop,
          [&](std::int64_t at, std::int64_t offset, std::int64_t stride, std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) {
              std::array<std::uint64_t, kPartialWords> lane{};
              for (std::size_t w = 0; w < lane.size(); ++w)
                lane[w] =
                    words_[w * static_cast<std::size_t>(block_) + static_cast<std::size_t>(at + i)];
              result.formula.store(
                  lane.data(), static_cast<double>(middles),
                  bases_[tensor] +
                      (offset + i * stride) * static_cast<std::int64_t>(steps.elementBytes));
            }
          });
    }
  }
}

}  // namespace fusebench::cpu
