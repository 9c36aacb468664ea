// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/expr.h"

/// Ordinary notation for expressions, for use in op rows: operators, and functions named as in C.
namespace fusebench::formula {

inline Expr operator+(Expr a, Expr b) {
  return apply(Primitive::add, a, b);
}
inline Expr operator-(Expr a, Expr b) {
  return apply(Primitive::sub, a, b);
}
inline Expr operator*(Expr a, Expr b) {
  return apply(Primitive::mul, a, b);
}
inline Expr operator/(Expr a, Expr b) {
  return apply(Primitive::div, a, b);
}
inline Expr operator-(Expr a) {
  return apply(Primitive::neg, a);
}
inline Expr operator+(Expr a, double b) {
  return a + constant(a, b);
}
inline Expr operator-(Expr a, double b) {
  return a - constant(a, b);
}
inline Expr operator*(Expr a, double b) {
  return a * constant(a, b);
}
inline Expr operator/(Expr a, double b) {
  return a / constant(a, b);
}
inline Expr operator+(double a, Expr b) {
  return constant(b, a) + b;
}
inline Expr operator-(double a, Expr b) {
  return constant(b, a) - b;
}
inline Expr operator*(double a, Expr b) {
  return constant(b, a) * b;
}
inline Expr operator/(double a, Expr b) {
  return constant(b, a) / b;
}

inline Expr operator<(Expr a, Expr b) {
  return apply(Primitive::lt, a, b);
}
inline Expr operator<=(Expr a, Expr b) {
  return apply(Primitive::le, a, b);
}
inline Expr operator>(Expr a, Expr b) {
  return apply(Primitive::gt, a, b);
}
inline Expr operator>=(Expr a, Expr b) {
  return apply(Primitive::ge, a, b);
}
inline Expr operator==(Expr a, Expr b) {
  return apply(Primitive::eq, a, b);
}
inline Expr operator!=(Expr a, Expr b) {
  return apply(Primitive::ne, a, b);
}
inline Expr operator<(Expr a, double b) {
  return a < constant(a, b);
}
inline Expr operator<=(Expr a, double b) {
  return a <= constant(a, b);
}
inline Expr operator>(Expr a, double b) {
  return a > constant(a, b);
}
inline Expr operator>=(Expr a, double b) {
  return a >= constant(a, b);
}
inline Expr operator==(Expr a, double b) {
  return a == constant(a, b);
}
inline Expr operator!=(Expr a, double b) {
  return a != constant(a, b);
}
inline Expr operator&&(Expr a, Expr b) {
  return apply(Primitive::logicalAnd, a, b);
}
inline Expr operator||(Expr a, Expr b) {
  return apply(Primitive::logicalOr, a, b);
}
inline Expr operator!(Expr a) {
  return apply(Primitive::logicalNot, a);
}

inline Expr fma(Expr a, Expr b, Expr c) {
  return apply(Primitive::fma, a, b, c);
}
inline Expr select(Expr condition, Expr a, Expr b) {
  return apply(Primitive::select, condition, a, b);
}
inline Expr select(Expr condition, Expr a, double b) {
  return select(condition, a, constant(a, b));
}
inline Expr select(Expr condition, double a, Expr b) {
  return select(condition, constant(b, a), b);
}
inline Expr abs(Expr a) {
  return apply(Primitive::abs, a);
}
inline Expr sqrt(Expr a) {
  return apply(Primitive::sqrt, a);
}
inline Expr fmod(Expr a, Expr b) {
  return apply(Primitive::fmod, a, b);
}
inline Expr exp(Expr a) {
  return apply(Primitive::exp, a);
}
inline Expr exp2(Expr a) {
  return apply(Primitive::exp2, a);
}
inline Expr expm1(Expr a) {
  return apply(Primitive::expm1, a);
}
inline Expr log(Expr a) {
  return apply(Primitive::log, a);
}
inline Expr log2(Expr a) {
  return apply(Primitive::log2, a);
}
inline Expr log10(Expr a) {
  return apply(Primitive::log10, a);
}
inline Expr log1p(Expr a) {
  return apply(Primitive::log1p, a);
}
inline Expr pow(Expr a, Expr b) {
  return apply(Primitive::pow, a, b);
}
inline Expr sin(Expr a) {
  return apply(Primitive::sin, a);
}
inline Expr cos(Expr a) {
  return apply(Primitive::cos, a);
}
inline Expr tan(Expr a) {
  return apply(Primitive::tan, a);
}
inline Expr asin(Expr a) {
  return apply(Primitive::asin, a);
}
inline Expr acos(Expr a) {
  return apply(Primitive::acos, a);
}
inline Expr atan(Expr a) {
  return apply(Primitive::atan, a);
}
inline Expr atan2(Expr a, Expr b) {
  return apply(Primitive::atan2, a, b);
}
inline Expr sinh(Expr a) {
  return apply(Primitive::sinh, a);
}
inline Expr cosh(Expr a) {
  return apply(Primitive::cosh, a);
}
inline Expr tanh(Expr a) {
  return apply(Primitive::tanh, a);
}
inline Expr asinh(Expr a) {
  return apply(Primitive::asinh, a);
}
inline Expr acosh(Expr a) {
  return apply(Primitive::acosh, a);
}
inline Expr atanh(Expr a) {
  return apply(Primitive::atanh, a);
}
inline Expr erf(Expr a) {
  return apply(Primitive::erf, a);
}
inline Expr erfc(Expr a) {
  return apply(Primitive::erfc, a);
}
inline Expr floor(Expr a) {
  return apply(Primitive::floor, a);
}
inline Expr ceil(Expr a) {
  return apply(Primitive::ceil, a);
}
inline Expr trunc(Expr a) {
  return apply(Primitive::trunc, a);
}
inline Expr round(Expr a) {
  return apply(Primitive::round, a);
}
inline Expr min(Expr a, Expr b) {
  return apply(Primitive::min, a, b);
}
inline Expr max(Expr a, Expr b) {
  return apply(Primitive::max, a, b);
}
inline Expr min(Expr a, double b) {
  return min(a, constant(a, b));
}
inline Expr max(Expr a, double b) {
  return max(a, constant(a, b));
}
inline Expr copysign(Expr a, Expr b) {
  return apply(Primitive::copysign, a, b);
}
inline Expr toNumber(Expr a) {
  return apply(Primitive::toNumber, a);
}
inline Expr toTruth(Expr a) {
  return apply(Primitive::toTruth, a);
}

}  // namespace fusebench::formula
