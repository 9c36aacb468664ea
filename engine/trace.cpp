// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace.h"

#include <algorithm>
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

namespace {

/// Gives the results of element-wise ops the order of their operands' dimensions. An order is a
/// choice, not a condition: it holds for every call that the guards let through.
class OrderTracer {
 public:
  OrderTracer(const Program& program, const SharedTypes& types, ProgramTrace& trace)
      : program_(program), types_(types), trace_(trace) {}

  void run(std::span<const Tensor> inputs) {
    for (const Tensor& input : inputs)
      strides_.push_back(input.contiguous ? contiguousStrides(input.shape) : input.strides);
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      const ValueId value = program_.result(static_cast<int>(i));
      const Shape& shape = shapeOf(value);
      strides_.push_back(contiguousStrides(shape));
      if (op.row->kind != OpKind::reduce) setOrder(op, value, shape);
    }
  }

 private:
  const Shape& shapeOf(ValueId value) const {
    return types_
        .shapes[static_cast<std::size_t>(types_.values[static_cast<std::size_t>(value)].shape)];
  }

  void setOrder(const Op& op, ValueId value, const Shape& shape) {
    std::vector<Strides> operands;
    for (const Operand& operand : op.operands)
      if (!operand.isNumber())
        operands.push_back(broadcastTo(shape, shapeOf(operand.value),
                                       strides_[static_cast<std::size_t>(operand.value)]));
    const DimOrder order = resultOrder(shape, operands);
    if (order.isRowMajor()) return;
    const SizeList<std::int64_t> dense = denseStrides(SizeList<std::int64_t>(shape), order);
    for (int d = 0; d < shape.rank(); ++d) strides_.back()[d] = dense[static_cast<std::size_t>(d)];
    TracedValue& traced = trace_.values[static_cast<std::size_t>(value)];
    for (const auto& [space, layout] : made_)
      if (space == traced.space &&
          trace_.layouts[static_cast<std::size_t>(layout)].order == order) {
        traced.layout = layout;
        return;
      }
    const SizeList<SymbolicSize> extents = trace_.extents(traced.space);
    trace_.layouts.push_back({extents, denseStrides(extents, order), order});
    traced.layout = static_cast<int>(trace_.layouts.size()) - 1;
    made_.emplace_back(traced.space, traced.layout);
  }

  const Program& program_;
  const SharedTypes& types_;
  ProgramTrace& trace_;
  std::vector<Strides> strides_;           ///< per value, as seen
  std::vector<std::pair<int, int>> made_;  ///< spaces, and layouts of theirs that are not row-major
};

}  // namespace

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
    layout.order = DimOrder(shape.rank());
  }
  result.values.reserve(types.values.size());
  for (const auto& [dtype, shape] : types.values) result.values.push_back({dtype, shape, shape});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].contiguous) continue;
    result.layouts.push_back({result.extents(result.values[i].space), result.guards.strides(i),
                              DimOrder(inputs[i].shape.rank())});
    result.values[i].layout = static_cast<int>(result.layouts.size()) - 1;
  }
  if (!std::ranges::all_of(inputs, &Tensor::contiguous))
    OrderTracer(program, types, result).run(inputs);
  return result;
}

}  // namespace fusebench
