// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/chain_walk.h"

#include <functional>
#include <numeric>

namespace fusebench::cpu {
namespace {

std::int64_t product(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Which loop each dimension of a kernel belongs to.
enum class Loop : std::uint8_t { outer, middle, row };

std::vector<Loop> loopsOf(const Kernel& kernel) {
  const int rank = kernel.rank();
  std::vector<Loop> loops(static_cast<std::size_t>(rank), Loop::row);
  if (kernel.reducedMask == 0) return loops;
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

bool isDense(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
  std::int64_t expected = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] != 1 && strides[d] != expected) return false;
    expected *= extents[d];
  }
  return true;
}

}  // namespace

std::int64_t ChainWalk::outerCount() const {
  return product(outer);
}
std::int64_t ChainWalk::middleCount() const {
  return product(middle);
}
std::int64_t ChainWalk::rowLength() const {
  return product(row);
}

bool alwaysRepeated(const Kernel& kernel, const KernelTensor& tensor) {
  const std::vector<Loop> loops = loopsOf(kernel);
  for (int d = 0; d < kernel.rank(); ++d)
    if (loops[static_cast<std::size_t>(d)] == Loop::row && tensor.strides[d] != 0) return false;
  return true;
}

ChainWalk walkOf(const Kernel& kernel, const std::int64_t* integers) {
  ChainWalk walk;
  const std::vector<Loop> loops = loopsOf(kernel);
  walk.reducesRow = kernel.reducedMask != 0 && kernel.reduced(kernel.rank() - 1);
  walk.lanes = kernel.reducedMask != 0 && !walk.reducesRow;
  const auto known = [&](std::int64_t value) { return value == kAtLaunch ? *integers++ : value; };
  const auto deal = [&](const Dims& values, std::vector<std::int64_t>& outer,
                        std::vector<std::int64_t>& middle, std::vector<std::int64_t>& row) {
    for (int d = 0; d < values.rank(); ++d) {
      const Loop loop = loops[static_cast<std::size_t>(d)];
      (loop == Loop::outer    ? outer
       : loop == Loop::middle ? middle
                              : row)
          .push_back(known(values[d]));
    }
  };
  deal(kernel.extents, walk.outer, walk.middle, walk.row);
  const auto add = [&](const KernelTensor& tensor) {
    TensorWalk steps;
    steps.elementBytes = info(tensor.dtype).size;
    deal(tensor.strides, steps.outer, steps.middle, steps.row);
    steps.dense = isDense(walk.row, steps.row);
    walk.tensors.push_back(std::move(steps));
  };
  for (const KernelTensor& input : kernel.inputs) add(input);
  for (const KernelOutput& output : kernel.outputs) add(output.tensor);
  return walk;
}

void Odometer::goTo(std::int64_t number) {
  offset_ = 0;
  for (std::size_t d = extents_.size(); d-- > 0;) {
    at_[d] = number % extents_[d];
    number /= extents_[d];
    offset_ += at_[d] * strides_[d];
  }
}

void Odometer::advance(std::int64_t steps) {
  if (extents_.empty()) return;
  std::size_t d = extents_.size() - 1;
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
