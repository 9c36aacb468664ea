// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/guards.h"

#include <algorithm>

#include <fmt/format.h>

namespace fusebench {

Guards::Guards(Forms inputs, Specialize specialize) : specialize_(specialize) {
  const bool symbolic = specialize == Specialize::symbolic;
  inputs_.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Form& input = inputs[i];
    InputGuard& guard = inputs_.emplace_back();
    guard.dtype = input.dtype;
    guard.contiguous = input.contiguous;
    guard.memory = input.memory;
    for (const std::int64_t extent : input.shape) {
      Expected expected{extent};
      if (symbolic && extent > 1) {
        expected.symbol = symbolOf(extent);
        expected.binds = expected.symbol < 0;
        if (expected.binds) expected.symbol = symbolCount_++;
      }
      guard.extents.push_back(expected);
    }
    if (input.contiguous) continue;
    for (const std::int64_t stride : input.strides) {
      const bool open = symbolic && stride != 0 && stride != 1;
      guard.strides.push_back({stride, open ? symbolCount_++ : -1, open});
    }
  }
}

int Guards::symbolOf(std::int64_t extent) const {
  for (const InputGuard& input : inputs_)
    for (const Expected& expected : input.extents)
      if (expected.binds && expected.value == extent) return expected.symbol;
  return -1;
}

bool Guards::meets(const Expected& expected, std::int64_t value, std::int64_t least,
                   std::int64_t* symbols) {
  if (expected.symbol < 0) return value == expected.value;
  if (expected.binds) {
    symbols[expected.symbol] = value;
    return value >= least;
  }
  return value == symbols[expected.symbol];
}

bool Guards::hold(Forms inputs, std::int64_t* symbols) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const InputGuard& guard = inputs_[i];
    const Form& input = inputs[i];
    if (input.dtype != guard.dtype || input.contiguous != guard.contiguous ||
        input.memory != guard.memory ||
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
  if (derived_.empty() && relied_.empty()) return true;
  try {
    return !broken(symbols);
  } catch (const SizeOverflow&) {
    return false;  // a plan for such sizes says what is wrong with them
  }
}

const Guards::Relied* Guards::broken(std::int64_t* symbols) const {
  const std::span<const std::int64_t> known(symbols, static_cast<std::size_t>(symbolCount_));
  for (const Derived& each : derived_)
    symbols[each.symbol] = applied(each.operation, each.a.evaluate(known), each.b.evaluate(known));
  for (const Relied& each : relied_)
    if (!holds(each.a.evaluate(known), each.relation, each.b.evaluate(known))) return &each;
  return nullptr;
}

SymbolicSize Guards::derive(SizeOperation operation, const SymbolicSize& a, const SymbolicSize& b) {
  for (const Derived& each : derived_)
    if (each.operation == operation && each.a == a && each.b == b)
      return SymbolicSize::symbol(each.symbol);
  derived_.push_back({operation, a, b, symbolCount_++});
  return SymbolicSize::symbol(derived_.back().symbol);
}

void Guards::rely(const SymbolicSize& a, SizeRelation relation, const SymbolicSize& b) {
  for (const Relied& each : relied_)
    if (each.relation == relation && each.a == a && each.b == b) return;
  relied_.push_back({a, relation, b});
}

bool Guards::isMany(const SymbolicSize& size) const {
  if (size.isConstant()) return size.constant() > 1;
  if (size.factor() < 1) return false;
  // Symbols of the inputs are 2 or more: 0 and 1 are what plans are made for.
  return std::ranges::none_of(size.symbols(), [this](const SymbolicSize::Symbol symbol) {
    return std::ranges::any_of(derived_,
                               [symbol](const Derived& each) { return each.symbol == symbol; });
  });
}

std::string Guards::failure(Forms inputs, std::span<const std::string> names) const {
  std::vector<std::int64_t> symbols(static_cast<std::size_t>(symbolCount_), 0);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const InputGuard& guard = inputs_[i];
    const Form& input = inputs[i];
    if (input.dtype != guard.dtype)
      return fmt::format("input {}: dtype is {}, compiled for {}", names[i], info(input.dtype).name,
                         info(guard.dtype).name);
    if (input.shape.rank() != static_cast<int>(guard.extents.size()))
      return fmt::format("input {}: {} dims, compiled for {}", names[i], input.shape.rank(),
                         guard.extents.size());
    if (input.memory != guard.memory)
      return fmt::format("input {}: not in the memory that it was compiled for", names[i]);
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
                           expected.value);
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
      if (expected.symbol < 0 ? stride != expected.value : stride == 0 || stride == 1)
        return fmt::format("input {}: stride of dim {} is {}, compiled for {}", names[i], d, stride,
                           expected.symbol < 0 ? fmt::format("{}", expected.value)
                                               : std::string("neither 0 nor 1"));
    }
  }
  const Relied* each = nullptr;
  try {
    each = broken(symbols.data());
  } catch (const SizeOverflow&) {
    return "a size is larger than any memory";
  }
  if (each) {
    const std::int64_t a = each->a.evaluate(symbols), b = each->b.evaluate(symbols);
    const auto words = [](SizeRelation relation) {
      switch (relation) {
        case SizeRelation::equal:
          return "equal to";
        case SizeRelation::notEqual:
          return "other than";
        case SizeRelation::less:
          return "less than";
        case SizeRelation::notLess:
          return "not less than";
      }
      return "?";
    };
    return fmt::format("a size is {}, compiled for {} {}", a, words(each->relation), b);
  }
  return "no guard failed";
}

SymbolicSize Guards::size(std::int64_t extent) const {
  const int symbol = specialize_ == Specialize::symbolic ? symbolOf(extent) : -1;
  return symbol < 0 ? SymbolicSize(extent) : SymbolicSize::symbol(symbol);
}

SizeList<SymbolicSize> Guards::strides(std::size_t input) const {
  SizeList<SymbolicSize> result;
  for (const Expected& stride : inputs_[input].strides)
    result.push_back(stride.symbol < 0 ? SymbolicSize(stride.value)
                                       : SymbolicSize::symbol(stride.symbol));
  return result;
}

}  // namespace fusebench
