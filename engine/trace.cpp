// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace.h"

#include <array>

#include <fmt/format.h>

namespace fusebench {

Guards::Guards(std::span<const Tensor> inputs, Specialise specialise) : specialise_(specialise) {
  const bool symbolic = specialise == Specialise::symbolic;
  for (const Tensor& input : inputs) {
    InputGuard guard{input.dtype, input.contiguous, {}, {}};
    for (std::int64_t extent : input.shape)
      guard.extents.push_back(expect(extent, symbolic && extent > 1, /*shared=*/true));
    if (!input.contiguous)
      for (std::int64_t stride : input.strides)
        guard.strides.push_back(expect(stride, symbolic && stride != 0 && stride != 1, false));
    inputs_.push_back(std::move(guard));
  }
}

Guards::Expected Guards::expect(std::int64_t value, bool symbolic, bool shared) {
  if (!symbolic) return {value, -1, false, value};
  if (shared)
    for (const auto& [extent, symbol] : symbolOfExtent_)
      if (extent == value) return {0, symbol, false, value};
  if (shared) symbolOfExtent_.emplace_back(value, symbolCount_);
  return {0, symbolCount_++, true, value};
}

bool Guards::meets(const Expected& expected, std::int64_t value, std::int64_t least,
                   std::int64_t* symbols) {
  if (expected.symbol < 0) return value == expected.exact;
  if (expected.binds) {
    symbols[expected.symbol] = value;
    return value >= least;
  }
  return value == symbols[expected.symbol];
}

bool Guards::hold(std::span<const Tensor> inputs, std::int64_t* symbols) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const InputGuard& guard = inputs_[i];
    const Tensor& input = inputs[i];
    if (input.dtype != guard.dtype || input.contiguous != guard.contiguous ||
        input.shape.rank() != static_cast<int>(guard.extents.size()))
      return false;
    for (std::size_t d = 0; d < guard.extents.size(); ++d)
      if (!meets(guard.extents[d], input.shape[static_cast<int>(d)], 2, symbols)) return false;
    for (std::size_t d = 0; d < guard.strides.size(); ++d) {
      const std::int64_t stride = input.strides[static_cast<int>(d)];
      if (guard.strides[d].symbol >= 0 && (stride == 0 || stride == 1)) return false;
      if (!meets(guard.strides[d], stride, stride, symbols)) return false;
    }
  }
  return true;
}

std::string Guards::failure(std::span<const Tensor> inputs,
                            std::span<const std::string> names) const {
  std::vector<std::int64_t> symbols(static_cast<std::size_t>(symbolCount_), 0);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const InputGuard& guard = inputs_[i];
    const Tensor& input = inputs[i];
    if (input.dtype != guard.dtype)
      return fmt::format("input {}: dtype is {}, compiled for {}", names[i], info(input.dtype).name,
                         info(guard.dtype).name);
    if (input.shape.rank() != static_cast<int>(guard.extents.size()))
      return fmt::format("input {}: {} dims, compiled for {}", names[i], input.shape.rank(),
                         guard.extents.size());
    if (input.contiguous != guard.contiguous)
      return fmt::format("input {}: {}, compiled for {}", names[i],
                         input.contiguous ? "contiguous" : "strided",
                         guard.contiguous ? "contiguous" : "strided");
    for (std::size_t d = 0; d < guard.extents.size(); ++d) {
      const std::int64_t extent = input.shape[static_cast<int>(d)];
      const Expected& expected = guard.extents[d];
      if (meets(expected, extent, 2, symbols.data())) continue;
      if (expected.symbol < 0)
        return fmt::format("input {}: size of dim {} is {}, compiled for {}", names[i], d, extent,
                           expected.exact);
      if (expected.binds)
        return fmt::format("input {}: size of dim {} is {}, compiled for 2 or more", names[i], d,
                           extent);
      return fmt::format(
          "input {}: size of dim {} is {}, compiled for equal to an earlier dim ({})", names[i], d,
          extent, symbols[static_cast<std::size_t>(expected.symbol)]);
    }
    for (std::size_t d = 0; d < guard.strides.size(); ++d) {
      const std::int64_t stride = input.strides[static_cast<int>(d)];
      const Expected& expected = guard.strides[d];
      if (expected.symbol < 0 ? stride != expected.exact : stride == 0 || stride == 1)
        return fmt::format("input {}: stride of dim {} is {}, compiled for {}", names[i], d, stride,
                           expected.symbol < 0 ? fmt::format("{}", expected.exact)
                                               : std::string("neither 0 nor 1"));
    }
  }
  return "no guard failed";
}

SymbolicSize Guards::size(std::int64_t extent) const {
  if (specialise_ == Specialise::symbolic)
    for (const auto& [value, symbol] : symbolOfExtent_)
      if (value == extent) return SymbolicSize::symbol(symbol);
  return SymbolicSize(extent);
}

SizeList<SymbolicSize> Guards::strides(std::size_t input) const {
  SizeList<SymbolicSize> result;
  for (const Expected& stride : inputs_[input].strides)
    result.push_back(stride.symbol < 0 ? SymbolicSize(stride.exact)
                                       : SymbolicSize::symbol(stride.symbol));
  return result;
}

ProgramTrace trace(const Program& program, std::span<const Tensor> inputs, Specialise specialise) {
  std::vector<ValueType> inputTypes;
  inputTypes.reserve(inputs.size());
  for (const Tensor& input : inputs) inputTypes.push_back({input.shape, input.dtype});
  const SharedTypes types = inferSharedTypes(program, inputTypes);
  ProgramTrace result{Guards(inputs, specialise), {}, {}};
  result.layouts.reserve(types.shapes.size() + inputs.size());
  for (const Shape& shape : types.shapes) {
    TracedLayout& layout = result.layouts.emplace_back();
    for (std::int64_t extent : shape) layout.extents.push_back(result.guards.size(extent));
    layout.strides = outputStrides(layout.extents, 0);
  }
  result.values.reserve(types.values.size());
  for (const auto& [dtype, shape] : types.values) result.values.push_back({dtype, shape, shape});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].contiguous) continue;
    result.layouts.push_back({result.extents(result.values[i].space), result.guards.strides(i)});
    result.values[i].layout = static_cast<int>(result.layouts.size()) - 1;
  }
  return result;
}

}  // namespace fusebench
