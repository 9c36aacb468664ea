// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>

#include "engine/base/checked_size.h"

namespace fusebench {

/// A size that may be known only at launch: a constant times symbols. Extents of dynamic programs
/// and the strides derived from them are such products, so that dimensions can be merged
/// symbolically. Stored inline, because planning a program creates hundreds of them.
class SymbolicSize {
 public:
  /// Symbols in a product: the extents of a tensor and a stride are fewer.
  static constexpr std::size_t kMostSymbols = 11;

  SymbolicSize(std::int64_t constant = 1) : constant_(constant) {}  // NOLINT: a number is a size
  /// Most have no symbols: only existing ones are copied.
  SymbolicSize(const SymbolicSize& other) noexcept
      : constant_(other.constant_), count_(other.count_) {
    if (count_ > 0) symbols_ = other.symbols_;
  }
  SymbolicSize& operator=(const SymbolicSize& other) noexcept {
    constant_ = other.constant_;
    count_ = other.count_;
    if (count_ > 0) symbols_ = other.symbols_;
    return *this;
  }
  ~SymbolicSize() = default;
  /// Throws std::length_error past the 65,535th.
  static SymbolicSize symbol(int index) {
    if (index < 0 || index > std::numeric_limits<Symbol>::max())
      throw std::length_error("too many sizes that are known only at launch");
    SymbolicSize size;
    size.symbols_[size.count_++] = static_cast<Symbol>(index);
    return size;
  }

  bool isConstant() const { return count_ == 0; }
  /// Only if isConstant().
  std::int64_t constant() const { return constant_; }
  /// Throws SizeOverflow.
  std::int64_t evaluate(std::span<const std::int64_t> symbols) const {
    std::int64_t value = constant_;
    for (const Symbol symbol : this->symbols()) value = checkedMultiply(value, symbols[symbol]);
    return value;
  }

  /// Throws std::length_error past kMostSymbols, SizeOverflow for constants.
  friend SymbolicSize operator*(const SymbolicSize& a, const SymbolicSize& b) {
    SymbolicSize product(checkedMultiply(a.constant_, b.constant_));
    if (product.constant_ == 0) return product;
    const std::size_t count = std::size_t{a.count_} + b.count_;
    if (count > kMostSymbols) throw std::length_error("a product of too many symbolic sizes");
    const auto ofA = a.symbols(), ofB = b.symbols();
    std::merge(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), product.symbols_.begin());
    product.count_ = static_cast<std::uint8_t>(count);
    return product;
  }
  friend bool operator==(const SymbolicSize& a, const SymbolicSize& b) {
    const auto ofA = a.symbols(), ofB = b.symbols();
    return a.constant_ == b.constant_ && std::equal(ofA.begin(), ofA.end(), ofB.begin(), ofB.end());
  }

  using Symbol = std::uint16_t;
  /// The symbols of the product, sorted, with repeats.
  std::span<const Symbol> symbols() const { return {symbols_.data(), count_}; }
  /// The constant of the product.
  std::int64_t factor() const { return constant_; }

 private:
  std::int64_t constant_;
  std::array<Symbol, kMostSymbols>
      symbols_;  ///< sorted, with repeats; only the first count_ are set
  std::uint8_t count_ = 0;
};

}  // namespace fusebench
