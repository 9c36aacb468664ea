// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/base/checked_size.h"
#include "engine/base/symbolic.h"

namespace fusebench {

/// How a size is computed from two others if it is not a product.
enum class SizeOperation : std::uint8_t { add, subtract, floorDivide };

/// A relation between two sizes that a plan relies on.
enum class SizeRelation : std::uint8_t { equal, notEqual, less, notLess };

/// A size together with its value for the inputs from which a plan is made. Choices depend on the
/// value, and the relations that they rely on are recorded in SizeFacts.
struct HintedSize {
  SymbolicSize size;
  std::int64_t hint = 1;

  HintedSize(std::int64_t number = 1) : size(number), hint(number) {}  // NOLINT: a number is a size
  HintedSize(const SymbolicSize& symbolic, std::int64_t now) : size(symbolic), hint(now) {}
};

/// Records how sizes are computed, and the relations between them that a plan relies on.
class SizeFacts {
 public:
  /// A size that is not a product of existing ones; the same for the same operands.
  virtual SymbolicSize derive(SizeOperation operation, const SymbolicSize& a,
                              const SymbolicSize& b) = 0;
  /// It is true now, and must be true in every call that the plan serves.
  virtual void rely(const SymbolicSize& a, SizeRelation relation, const SymbolicSize& b) = 0;
  /// Whether the size is 2 or more in every such call.
  virtual bool isMany(const SymbolicSize& size) const = 0;

 protected:
  ~SizeFacts() = default;
};

/// Rounds towards minus infinity; by 0 it is 0.
inline std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return checkedSubtract(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Throws SizeOverflow.
inline std::int64_t applied(SizeOperation operation, std::int64_t a, std::int64_t b) {
  switch (operation) {
    case SizeOperation::add:
      return checkedAdd(a, b);
    case SizeOperation::subtract:
      return checkedSubtract(a, b);
    case SizeOperation::floorDivide:
      return floorDivide(a, b);
  }
  return 0;
}

inline bool holds(std::int64_t a, SizeRelation relation, std::int64_t b) {
  switch (relation) {
    case SizeRelation::equal:
      return a == b;
    case SizeRelation::notEqual:
      return a != b;
    case SizeRelation::less:
      return a < b;
    case SizeRelation::notLess:
      return a >= b;
  }
  return false;
}

/// Arithmetic and comparisons of sizes, for rules that are written once for known sizes and for
/// symbols. Throws SizeOverflow if a result does not fit into 64 bits.
template <class Size>
class SizeMath;

template <>
class SizeMath<std::int64_t> {
 public:
  using Size = std::int64_t;
  static Size add(Size a, Size b) { return checkedAdd(a, b); }
  static Size subtract(Size a, Size b) { return checkedSubtract(a, b); }
  static Size multiply(Size a, Size b) { return checkedMultiply(a, b); }
  static Size floorDivide(Size a, Size b) { return fusebench::floorDivide(a, b); }
  static bool equal(Size a, Size b) { return a == b; }
  static bool less(Size a, Size b) { return a < b; }
  /// Its current value, for messages.
  static std::int64_t now(Size a) { return a; }
};

template <>
class SizeMath<HintedSize> {
 public:
  using Size = HintedSize;
  explicit SizeMath(SizeFacts& facts) : facts_(facts) {}

  Size add(const Size& a, const Size& b) const { return combine(SizeOperation::add, a, b, 1); }
  Size subtract(const Size& a, const Size& b) const {
    return combine(SizeOperation::subtract, a, b, -1);
  }
  Size multiply(const Size& a, const Size& b) const {
    return {a.size * b.size, checkedMultiply(a.hint, b.hint)};
  }
  Size floorDivide(const Size& a, const Size& b) const {
    const std::int64_t hint = fusebench::floorDivide(a.hint, b.hint);
    if (a.size.isConstant() && b.size.isConstant()) return hint;
    if (const auto quotient = exactQuotient(a.size, b.size)) return {*quotient, hint};
    return {facts_.derive(SizeOperation::floorDivide, a.size, b.size), hint};
  }
  bool equal(const Size& a, const Size& b) const {
    if (a.size == b.size) return true;
    const bool are = a.hint == b.hint;
    const bool decided =
        (a.size.isConstant() && b.size.isConstant()) || (!are && (isFew(a, b) || isFew(b, a)));
    if (!decided) facts_.rely(a.size, are ? SizeRelation::equal : SizeRelation::notEqual, b.size);
    return are;
  }
  bool less(const Size& a, const Size& b) const {
    if (a.size == b.size) return false;
    const bool is = a.hint < b.hint;
    const bool decided = (a.size.isConstant() && b.size.isConstant()) || isFew(a, b) || isFew(b, a);
    if (!decided) facts_.rely(a.size, is ? SizeRelation::less : SizeRelation::notLess, b.size);
    return is;
  }
  std::int64_t now(const Size& a) const { return a.hint; }

 private:
  /// Whether a is at most 1 and b never is: then they differ in every call.
  bool isFew(const Size& a, const Size& b) const {
    return a.size.isConstant() && a.hint <= 1 && facts_.isMany(b.size);
  }

  Size combine(SizeOperation operation, const Size& a, const Size& b, std::int64_t sign) const {
    const std::int64_t hint =
        sign > 0 ? checkedAdd(a.hint, b.hint) : checkedSubtract(a.hint, b.hint);
    if (b.size.isConstant() && b.hint == 0) return a;
    if (a.size.isConstant() && b.size.isConstant()) return hint;
    if (a.size.isConstant() && a.hint == 0) return {SymbolicSize(sign) * b.size, hint};
    if (std::ranges::equal(a.size.symbols(), b.size.symbols())) {
      const std::int64_t factor = sign > 0 ? checkedAdd(a.size.factor(), b.size.factor())
                                           : checkedSubtract(a.size.factor(), b.size.factor());
      if (factor == 0) return 0;
      return {SymbolicSize(factor) * withoutFactor(a.size), hint};
    }
    return {facts_.derive(operation, a.size, b.size), hint};
  }

  static SymbolicSize withoutFactor(const SymbolicSize& size) {
    SymbolicSize product(1);
    for (const auto symbol : size.symbols()) product = product * SymbolicSize::symbol(symbol);
    return product;
  }

  /// a / b where b's factor and symbols are among a's.
  static std::optional<SymbolicSize> exactQuotient(const SymbolicSize& a, const SymbolicSize& b) {
    if (b.factor() == 0 || a.factor() % b.factor() != 0) return std::nullopt;
    SymbolicSize quotient(a.factor() / b.factor());
    auto next = b.symbols().begin();
    for (const auto symbol : a.symbols())
      if (next != b.symbols().end() && *next == symbol)
        ++next;
      else
        quotient = quotient * SymbolicSize::symbol(symbol);
    if (next != b.symbols().end()) return std::nullopt;
    return quotient;
  }

  SizeFacts& facts_;
};

}  // namespace fusebench
