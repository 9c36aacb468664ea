// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/kernel_traffic.h"

#include <algorithm>

#include "engine/base/checked_size.h"
#include "engine/plan/kernel.h"

namespace fusebench {

KernelTraffic::KernelTraffic(const LoopNest& kernel) : known_(true), inputs_(kernel.inputs.size()) {
  int next = 0;
  const auto number = [&next](std::int64_t value) {
    return value == kAtLaunch ? Number{0, next++} : Number{value, -1};
  };
  SizeList<Number> extents;
  for (int dim = 0; dim < kernel.rank(); ++dim) extents.push_back(number(kernel.extents[dim]));
  const auto add = [&](const KernelTensor& tensor) {
    Operand operand{tensor.counts ? 0 : static_cast<std::int64_t>(info(tensor.dtype).size),
                    tensor.indexed,
                    extents,
                    {}};
    for (int dim = 0; dim < kernel.rank(); ++dim) {
      const Number stride = number(tensor.strides[dim]);
      // One element per element that is computed from it, at any position.
      operand.strides.push_back(tensor.indexed ? Number{1, -1} : stride);
    }
    operands_.push_back(std::move(operand));
  };
  for (const KernelTensor& input : kernel.inputs) add(input);
  for (const KernelOutput& output : kernel.outputs) add(output.tensor);
}

KernelTraffic KernelTraffic::ofTensors(std::span<const DType> dtypes,
                                       std::span<const std::size_t> ranks, std::size_t inputs,
                                       const ScatteredTraffic& scattered) {
  KernelTraffic traffic;
  traffic.known_ = true;
  traffic.scattered_ = scattered;
  traffic.inputs_ = inputs;
  int next = 0;
  for (std::size_t t = 0; t < dtypes.size(); ++t) {
    Operand& operand = traffic.operands_.emplace_back();
    operand.elementBytes = static_cast<std::int64_t>(info(dtypes[t]).size);
    for (std::size_t d = 0; d < ranks[t]; ++d) operand.extents.push_back({0, next++});
    for (std::size_t d = 0; d < ranks[t]; ++d) operand.strides.push_back({0, next++});
  }
  return traffic;
}

void KernelTraffic::addPass(const LoopNest& pass, std::size_t integers) {
  std::vector<Operand> more = KernelTraffic(pass).operands_;
  const auto move = [&](SizeList<Number>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i].position >= 0) numbers[i].position += static_cast<int>(integers);
  };
  for (std::size_t input = 1; input < pass.inputs.size(); ++input) {
    move(more[input].extents);
    move(more[input].strides);
    operands_.insert(operands_.begin() + static_cast<std::ptrdiff_t>(inputs_++),
                     std::move(more[input]));
  }
}

std::int64_t KernelTraffic::bytesOf(const Operand& operand, const std::int64_t* integers) const {
  std::int64_t bytes = operand.elementBytes;
  for (std::size_t dim = 0; dim < operand.extents.size(); ++dim) {
    const std::int64_t extent = operand.extents[dim].of(integers);
    // Along a stride of 0, the same element is read again and again.
    if (extent == 0 || operand.strides[dim].of(integers) != 0)
      bytes = checkedMultiply(bytes, extent);
  }
  return bytes;
}

bool KernelTraffic::walksInOrder(const std::int64_t* integers) const {
  if (operands_.empty()) return true;
  const SizeList<Number>& extents = operands_.front().extents;
  bool several = false;
  for (std::size_t dim = 0; dim < extents.size(); ++dim) {
    if (extents[dim].of(integers) <= 1) continue;
    several = true;
    const bool inOrder = std::ranges::all_of(operands_, [&](const Operand& operand) {
      if (operand.anywhere || operand.elementBytes == 0) return true;
      const std::int64_t stride = operand.strides[dim].of(integers);
      return stride >= -1 && stride <= 1;
    });
    if (inOrder) return true;
  }
  return !several;
}

/// If the result is the memory that is written to, nothing else in it is accessed.
KernelBytes KernelTraffic::scatteredInPlace(const std::int64_t* integers) const {
  const Operand& into = operands_[0];
  std::int64_t named = 1, all = 1;
  for (const Number& extent : operands_[1].extents)
    named = checkedMultiply(named, extent.of(integers));
  for (std::size_t dim = 0; dim < into.extents.size(); ++dim) {
    const std::int64_t extent = into.extents[dim].of(integers);
    all = checkedMultiply(all, extent);
    const int apart = static_cast<int>(dim) - scattered_.dim;
    if (scattered_.slices && (apart < 0 || apart >= scattered_.over))
      named = checkedMultiply(named, extent);
  }
  const std::int64_t touched = checkedMultiply(std::min(named, all), into.elementBytes);
  const std::int64_t given =
      checkedAdd(bytesOf(operands_[1], integers), bytesOf(operands_[2], integers));
  return {checkedAdd(given, scattered_.reads ? touched : 0), touched};
}

KernelBytes KernelTraffic::of(const std::int64_t* integers, void* const* pointers) const {
  if (!known_) return {};
  if (scattered_.is && pointers[0] == pointers[3]) return scatteredInPlace(integers);
  KernelBytes bytes{0, 0};
  for (std::size_t o = 0; o < operands_.size(); ++o) {
    const std::int64_t touched = bytesOf(operands_[o], integers);
    if (o >= inputs_) {
      bytes.written = checkedAdd(bytes.written, touched);
      continue;
    }
    if (std::find(pointers, pointers + o, pointers[o]) == pointers + o)
      bytes.read = checkedAdd(bytes.read, touched);
  }
  return bytes;
}

}  // namespace fusebench
