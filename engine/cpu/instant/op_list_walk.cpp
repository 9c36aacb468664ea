// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/instant/op_list_walk.h"

#include <array>

namespace fusebench::cpu {
namespace {

/// Which loop each dimension of a kernel belongs to.
enum class Loop : std::uint8_t { outer, middle, row };
using Loops = std::array<Loop, kMaxRank>;

Loops loopsOf(const LoopNest& kernel) {
  Loops loops;
  loops.fill(Loop::row);
  if (kernel.reducedMask == 0) return loops;
  const int rank = kernel.rank();
  const bool lanes = !kernel.reduced(rank - 1);
  bool trailing = true;  // still among the innermost kept dimensions
  for (int d = rank; d-- > 0;) {
    Loop& loop = loops[static_cast<std::size_t>(d)];
    if (kernel.reduced(d)) {
      trailing = false;
      loop = lanes ? Loop::middle : Loop::row;
    } else {
      loop = lanes && trailing ? Loop::row : Loop::outer;
    }
  }
  return loops;
}

bool isDense(const Dims& extents, const Strides& strides) {
  std::int64_t expected = 1;
  for (int d = extents.rank(); d-- > 0;) {
    if (extents[d] != 1 && strides[d] != expected) return false;
    expected *= extents[d];
  }
  return true;
}

}  // namespace

std::int64_t OpListWalk::outerCount() const {
  return elementCount(outer);
}
std::int64_t OpListWalk::middleCount() const {
  return elementCount(middle);
}
std::int64_t OpListWalk::rowLength() const {
  return elementCount(row);
}

bool alwaysRepeated(const LoopNest& kernel, const KernelTensor& tensor) {
  const Loops loops = loopsOf(kernel);
  for (int d = 0; d < kernel.rank(); ++d)
    if (loops[static_cast<std::size_t>(d)] == Loop::row && tensor.strides[d] != 0) return false;
  return true;
}

void walkOf(const LoopNest& kernel, const std::int64_t* integers, OpListWalk& walk) {
  const auto known = [&](std::int64_t value) { return value == kAtLaunch ? *integers++ : value; };
  walk.tensors.reserve(kernel.inputs.size() + kernel.outputs.size());
  if (kernel.rank() == 1) {  // as most are
    walk.reducesRow = kernel.reducedMask != 0;
    const std::int64_t length = known(kernel.extents[0]);
    walk.row.push(length);
    const auto add = [&](const KernelTensor& tensor) {
      TensorWalk& steps = walk.tensors.emplace_back();
      steps.elementBytes = info(tensor.dtype).size;
      const std::int64_t stride = known(tensor.strides[0]);
      steps.row.push(stride);
      steps.dense = length == 1 || stride == 1;
    };
    for (const KernelTensor& input : kernel.inputs) add(input);
    for (const KernelOutput& output : kernel.outputs) add(output.tensor);
    return;
  }
  const Loops loops = loopsOf(kernel);
  walk.reducesRow = kernel.reducedMask != 0 && kernel.reduced(kernel.rank() - 1);
  walk.lanes = kernel.reducedMask != 0 && !walk.reducesRow;
  const auto deal = [&](const Dims& values, Dims& outer, Dims& middle, Dims& row) {
    for (int d = 0; d < values.rank(); ++d) {
      const Loop loop = loops[static_cast<std::size_t>(d)];
      (loop == Loop::outer ? outer : loop == Loop::middle ? middle : row).push(known(values[d]));
    }
  };
  deal(kernel.extents, walk.outer, walk.middle, walk.row);
  const auto add = [&](const KernelTensor& tensor) {
    TensorWalk& steps = walk.tensors.emplace_back();
    steps.elementBytes = info(tensor.dtype).size;
    deal(tensor.strides, steps.outer, steps.middle, steps.row);
    steps.dense = isDense(walk.row, steps.row);
  };
  for (const KernelTensor& input : kernel.inputs) add(input);
  for (const KernelOutput& output : kernel.outputs) add(output.tensor);
}

void Odometer::goTo(std::int64_t number) {
  offset_ = 0;
  for (int d = rank(); d-- > 0;) {
    at_[d] = number % extents_[d];
    number /= extents_[d];
    offset_ += at_[d] * strides_[d];
  }
}

void Odometer::advance(std::int64_t steps) {
  if (rank() == 0) return;
  int d = rank() - 1;
  at_[d] += steps;
  offset_ += steps * strides_[d];
  while (at_[d] == extents_[d]) {
    offset_ -= at_[d] * strides_[d];
    at_[d] = 0;
    if (d-- == 0) return;
    ++at_[d];
    offset_ += strides_[d];
  }
}

}  // namespace fusebench::cpu
