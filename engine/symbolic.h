// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace fusebench {

/// A size that may be known only at launch: a constant times symbols. Extents of dynamic programs
/// and the strides that follow from them are such products, so that dimensions can be merged
/// symbolically.
class SymbolicSize {
 public:
  SymbolicSize(std::int64_t constant = 1) : constant_(constant) {}  // NOLINT: a number is a size
  static SymbolicSize symbol(int index) {
    SymbolicSize size;
    size.symbols_ = {index};
    return size;
  }

  bool isConstant() const { return symbols_.empty(); }
  /// Only if isConstant().
  std::int64_t constant() const { return constant_; }
  std::int64_t evaluate(std::span<const std::int64_t> symbols) const {
    std::int64_t value = constant_;
    for (int s : symbols_) value *= symbols[static_cast<std::size_t>(s)];
    return value;
  }

  friend SymbolicSize operator*(const SymbolicSize& a, const SymbolicSize& b) {
    SymbolicSize product(a.constant_ * b.constant_);
    if (product.constant_ == 0) return product;
    product.symbols_.resize(a.symbols_.size() + b.symbols_.size());
    std::merge(a.symbols_.begin(), a.symbols_.end(), b.symbols_.begin(), b.symbols_.end(),
               product.symbols_.begin());
    return product;
  }
  friend bool operator==(const SymbolicSize&, const SymbolicSize&) = default;

 private:
  std::int64_t constant_;
  std::vector<int> symbols_;  // sorted, with repeats
};

}  // namespace fusebench
