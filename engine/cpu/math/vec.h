// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>

#include "engine/cpu/math/vector_math.h"

namespace fusebench::cpu {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The tools with which a Vec writes code.
struct VecContext {
  llvm::IRBuilder<>& b;
  VectorTarget target;
};

/// Interleaved vectors with ordinary notation: each operation is written for all of them, side by
/// side. Lanes are float, double, int32 (bit patterns of floats), int64, or i1; an operand that is
/// a plain number becomes a constant of the other operand's type.
class Vec {
 public:
  Vec(VecContext& context, Pack vectors) : context_(&context), vectors_(std::move(vectors)) {}

  VecContext& context() const { return *context_; }
  llvm::IRBuilder<>& builder() const { return context_->b; }
  const Pack& pack() const { return vectors_; }
  std::size_t size() const { return vectors_.size(); }
  llvm::Value* operator[](std::size_t i) const { return vectors_[i]; }
  llvm::Type* type() const { return vectors_[0]->getType(); }

  /// The same constant in every lane, of this Vec's type.
  Vec splat(double value) const;
  Vec splatInt(std::int64_t value) const;

  /// A new Vec from a function of the index of a vector.
  template <typename F>
  Vec each(F&& make) const {
    Pack made;
    for (std::size_t i = 0; i < vectors_.size(); ++i) made.push_back(make(i));
    return {*context_, std::move(made)};
  }

 private:
  VecContext* context_;
  Pack vectors_;
};

Vec operator+(const Vec& a, const Vec& b);
Vec operator-(const Vec& a, const Vec& b);
Vec operator*(const Vec& a, const Vec& b);
Vec operator/(const Vec& a, const Vec& b);
Vec operator-(const Vec& a);
inline Vec operator+(const Vec& a, double b) {
  return a + a.splat(b);
}
inline Vec operator-(const Vec& a, double b) {
  return a - a.splat(b);
}
inline Vec operator*(const Vec& a, double b) {
  return a * a.splat(b);
}
inline Vec operator+(double a, const Vec& b) {
  return b.splat(a) + b;
}
inline Vec operator-(double a, const Vec& b) {
  return b.splat(a) - b;
}
inline Vec operator*(double a, const Vec& b) {
  return b.splat(a) * b;
}
inline Vec operator/(double a, const Vec& b) {
  return b.splat(a) / b;
}

/// a * b + c: fused if the hardware supports it, otherwise rounded twice.
Vec mad(const Vec& a, const Vec& b, const Vec& c);
inline Vec mad(const Vec& a, double b, const Vec& c) {
  return mad(a, a.splat(b), c);
}
inline Vec mad(const Vec& a, const Vec& b, double c) {
  return mad(a, b, a.splat(c));
}
inline Vec mad(const Vec& a, double b, double c) {
  return mad(a, a.splat(b), a.splat(c));
}

/// Polynomials, lowest power first. Horner's scheme has the fewest operations; the paired one, two
/// chains in x^2, has half the latency for one or two more.
Vec horner(const Vec& x, std::span<const double> coefficients);
Vec paired(const Vec& x, std::span<const double> coefficients);

Vec abs(const Vec& a);
Vec sqrt(const Vec& a);
Vec copysign(const Vec& magnitude, const Vec& sign);
/// Toward zero, and to nearest even; exact whenever the type is float or double.
Vec trunc(const Vec& a);
Vec round(const Vec& a);
Vec floor(const Vec& a);
Vec ceil(const Vec& a);

/// Ordered comparisons: false with NaN. isNan is the unordered one.
Vec lt(const Vec& a, const Vec& b);
Vec le(const Vec& a, const Vec& b);
Vec gt(const Vec& a, const Vec& b);
Vec ge(const Vec& a, const Vec& b);
Vec eq(const Vec& a, const Vec& b);
Vec ne(const Vec& a, const Vec& b);  ///< true with NaN
Vec isNan(const Vec& a);
inline Vec lt(const Vec& a, double b) {
  return lt(a, a.splat(b));
}
inline Vec gt(const Vec& a, double b) {
  return gt(a, a.splat(b));
}
inline Vec ge(const Vec& a, double b) {
  return ge(a, a.splat(b));
}
inline Vec eq(const Vec& a, double b) {
  return eq(a, a.splat(b));
}

Vec select(const Vec& condition, const Vec& a, const Vec& b);
inline Vec select(const Vec& condition, const Vec& a, double b) {
  return select(condition, a, a.splat(b));
}
inline Vec select(const Vec& condition, double a, const Vec& b) {
  return select(condition, b.splat(a), b);
}
/// The lesser or greater; b if they are equal or either is NaN. One x86 instruction.
Vec lesserElse(const Vec& a, const Vec& b);
Vec greaterElse(const Vec& a, const Vec& b);

/// Bit patterns.
Vec bits(const Vec& a);      ///< float -> int32, double -> int64
Vec fromBits(const Vec& a);  ///< and back
Vec operator&(const Vec& a, const Vec& b);
Vec operator|(const Vec& a, const Vec& b);
Vec operator^(const Vec& a, const Vec& b);
Vec operator~(const Vec& a);
Vec addInt(const Vec& a, const Vec& b);
Vec subInt(const Vec& a, const Vec& b);
inline Vec addInt(const Vec& a, std::int64_t b) {
  return addInt(a, a.splatInt(b));
}
inline Vec subInt(const Vec& a, std::int64_t b) {
  return subInt(a, a.splatInt(b));
}
inline Vec operator&(const Vec& a, std::int64_t b) {
  return a & a.splatInt(b);
}
Vec shiftLeft(const Vec& a, int count);
Vec shiftRight(const Vec& a, int count);  ///< arithmetic
Vec shiftRightLogical(const Vec& a, int count);
Vec toInt32(const Vec& a);  ///< the low half of int64 lanes
Vec eqInt(const Vec& a, std::int64_t b);
Vec neInt(const Vec& a, std::int64_t b);
Vec lessInt(const Vec& a, std::int64_t b);  ///< signed
Vec lesserInt(const Vec& a, std::int64_t b);
Vec greaterInt(const Vec& a, const Vec& b);
Vec gtInt(const Vec& a, std::int64_t b);
Vec intToFloat(const Vec& a);  ///< int32 -> float

Vec widen(const Vec& a);   ///< float -> double
Vec narrow(const Vec& a);  ///< double -> float

/// An i1: whether any lane of any vector is true.
llvm::Value* any(const Vec& truth);
/// An i1: whether any lane is NaN or has a magnitude above a limit. Float lanes.
llvm::Value* anyBeyondOrNan(const Vec& a, double limit);
/// An i1: whether any lane is not a positive normal number. Float lanes.
llvm::Value* anyNotPositiveNormal(const Vec& a);

using VectorFunction = std::function<Vec(std::span<const Vec>)>;

/// How operands that the usual code cannot handle are handled.
struct RarePath {
  const char* name;      ///< name of the module's function that handles them
  VectorFunction whole;  ///< one vector of results; lanes that `host` sets are arbitrary
  const char* host =
      nullptr;  ///< if set: a host function that then corrects results, see slow_paths.h
};

/// `near(operands)`, or, if `rare` (an i1) holds, the rare path's result for all lanes, which must
/// be the same for those that `near` can handle. The test comes before any computation, so that the
/// usual code is contiguous and keeps nothing alive for the rare path. Splits the current basic
/// block.
Vec rarely(llvm::Value* rare, const RarePath& path, std::span<const Vec> operands,
           const VectorFunction& near);

}  // namespace fusebench::cpu
