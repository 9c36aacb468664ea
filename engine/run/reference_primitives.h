// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>

#include "engine/ops/expr.h"

namespace fusebench {

/// NaN if either is NaN; among equal zeros the positive one.
template <typename Real>
Real greaterOf(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Real>::quiet_NaN();
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// The result of a comparing primitive for two numbers of one kind.
template <typename Number>
bool compared(Primitive primitive, Number a, Number b) {
  switch (primitive) {
    case Primitive::lt:
      return a < b;
    case Primitive::le:
      return a <= b;
    case Primitive::gt:
      return a > b;
    case Primitive::ge:
      return a >= b;
    case Primitive::eq:
      return a == b;
    default:
      return a != b;
  }
}

/// One primitive (not a leaf) on floats; bools are 0 or 1.
template <typename Real>
Real primitiveOf(Primitive primitive, Real a, Real b, Real c) {
  switch (primitive) {
    case Primitive::input:
    case Primitive::scalar:
    case Primitive::constant:
    case Primitive::carried:
      break;
    case Primitive::add:
      return a + b;
    case Primitive::sub:
      return a - b;
    case Primitive::mul:
      return a * b;
    case Primitive::div:
      return a / b;
    case Primitive::fma:
      return std::fma(a, b, c);
    case Primitive::neg:
      return -a;
    case Primitive::abs:
      return std::fabs(a);
    case Primitive::sqrt:
      return std::sqrt(a);
    case Primitive::fmod:
      return std::fmod(a, b);
    case Primitive::exp:
      return std::exp(a);
    case Primitive::exp2:
      return std::exp2(a);
    case Primitive::expm1:
      return std::expm1(a);
    case Primitive::log:
      return std::log(a);
    case Primitive::log2:
      return std::log2(a);
    case Primitive::log10:
      return std::log10(a);
    case Primitive::log1p:
      return std::log1p(a);
    case Primitive::pow:
      return std::pow(a, b);
    case Primitive::sin:
      return std::sin(a);
    case Primitive::cos:
      return std::cos(a);
    case Primitive::tan:
      return std::tan(a);
    case Primitive::asin:
      return std::asin(a);
    case Primitive::acos:
      return std::acos(a);
    case Primitive::atan:
      return std::atan(a);
    case Primitive::atan2:
      return std::atan2(a, b);
    case Primitive::sinh:
      return std::sinh(a);
    case Primitive::cosh:
      return std::cosh(a);
    case Primitive::tanh:
      return std::tanh(a);
    case Primitive::asinh:
      return std::asinh(a);
    case Primitive::acosh:
      return std::acosh(a);
    case Primitive::atanh:
      return std::atanh(a);
    case Primitive::erf:
      return std::erf(a);
    case Primitive::erfc:
      return std::erfc(a);
    case Primitive::floor:
      return std::floor(a);
    case Primitive::ceil:
      return std::ceil(a);
    case Primitive::trunc:
      return std::trunc(a);
    case Primitive::round:
      return std::nearbyint(a);
    case Primitive::min:
      return -greaterOf(-a, -b);
    case Primitive::max:
      return greaterOf(a, b);
    case Primitive::copysign:
      return std::copysign(a, b);
    case Primitive::lt:
    case Primitive::le:
    case Primitive::gt:
    case Primitive::ge:
    case Primitive::eq:
    case Primitive::ne:
      return compared(primitive, a, b);
    case Primitive::logicalAnd:
      return a != 0 && b != 0;
    case Primitive::logicalOr:
      return a != 0 || b != 0;
    case Primitive::logicalNot:
      return a == 0;
    case Primitive::select:
      return a != 0 ? b : c;
    case Primitive::toNumber:
      return a;
    case Primitive::toTruth:
      return a != 0;
    case Primitive::convert:
      return a;
    case Primitive::bitAnd:
    case Primitive::bitOr:
    case Primitive::bitXor:
    case Primitive::bitNot:
    case Primitive::shiftLeft:
    case Primitive::shiftRight:
    case Primitive::narrow:
    case Primitive::at:
      break;  // not of a float alone
  }
  return std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace fusebench
