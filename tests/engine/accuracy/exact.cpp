// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/accuracy/exact.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace fusebench::test {

double exactUnary(Primitive primitive, float value) {
  const double x = static_cast<double>(value);
  switch (primitive) {
    case Primitive::neg:
      return -x;
    case Primitive::abs:
      return std::abs(x);
    case Primitive::sqrt:
      return std::sqrt(x);
    case Primitive::exp:
      return std::exp(x);
    case Primitive::exp2:
      return std::exp2(x);
    case Primitive::expm1:
      return std::expm1(x);
    case Primitive::log:
      return std::log(x);
    case Primitive::log2:
      return std::log2(x);
    case Primitive::log10:
      return std::log10(x);
    case Primitive::log1p:
      return std::log1p(x);
    case Primitive::sin:
      return std::sin(x);
    case Primitive::cos:
      return std::cos(x);
    case Primitive::tan:
      return std::tan(x);
    case Primitive::asin:
      return std::asin(x);
    case Primitive::acos:
      return std::acos(x);
    case Primitive::atan:
      return std::atan(x);
    case Primitive::sinh:
      return std::sinh(x);
    case Primitive::cosh:
      return std::cosh(x);
    case Primitive::tanh:
      return std::tanh(x);
    case Primitive::asinh:
      return std::asinh(x);
    case Primitive::acosh:
      return std::acosh(x);
    case Primitive::atanh:
      return std::atanh(x);
    case Primitive::erf:
      return std::erf(x);
    case Primitive::erfc:
      return std::erfc(x);
    case Primitive::floor:
      return std::floor(x);
    case Primitive::ceil:
      return std::ceil(x);
    case Primitive::trunc:
      return std::trunc(x);
    case Primitive::round:
      return std::nearbyint(x);
    case Primitive::logicalNot:
      return x == 0 ? 1 : 0;
    case Primitive::toNumber:
    case Primitive::toTruth:
      return x != 0 ? 1 : 0;
    default:
      throw std::logic_error("no unary primitive");
  }
}

double exactBinary(Primitive primitive, float first, float second) {
  const double x = static_cast<double>(first), y = static_cast<double>(second);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (primitive) {
    case Primitive::add:
      return x + y;
    case Primitive::sub:
      return x - y;
    case Primitive::mul:
      return x * y;
    case Primitive::div:
      return x / y;
    case Primitive::fmod:
      return std::fmod(x, y);
    case Primitive::pow:
      return std::pow(x, y);
    case Primitive::atan2:
      return std::atan2(x, y);
    case Primitive::min:
      return std::isunordered(x, y) ? nan : std::min(x, y);
    case Primitive::max:
      return std::isunordered(x, y) ? nan : std::max(x, y);
    case Primitive::copysign:
      return std::copysign(x, y);
    case Primitive::lt:
      return x < y;
    case Primitive::le:
      return x <= y;
    case Primitive::gt:
      return x > y;
    case Primitive::ge:
      return x >= y;
    case Primitive::eq:
      return x == y;
    case Primitive::ne:
      return x != y;
    case Primitive::logicalAnd:
      return x != 0 && y != 0;
    case Primitive::logicalOr:
      return x != 0 || y != 0;
    default:
      throw std::logic_error("no binary primitive");
  }
}

double ulpError(float got, double exact) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0 : kInfinity;
  if (exact == 0) {
    if (got != 0) return std::abs(static_cast<double>(got)) / 0x1p-149;
    return std::signbit(got) == std::signbit(exact) ? 0 : kInfinity;
  }
  if (std::isinf(exact)) return static_cast<double>(got) == exact ? 0 : kInfinity;
  // An infinite result stands for the number that would follow the largest one.
  double value = static_cast<double>(got);
  if (std::isinf(value)) value = std::copysign(0x1p128, value);
  double reference = exact;
  if (std::abs(exact) > kLargest)
    reference = std::copysign(std::min(std::abs(exact), 0x1p128), exact);
  // The exponent's bits: ilogb and ldexp would take most of a sweep's time.
  const auto pattern = std::bit_cast<std::uint64_t>(reference);
  const int exponent = std::clamp(static_cast<int>(pattern >> 52 & 0x7ff) - 1023, -126, 127);
  const auto inverse = static_cast<std::uint64_t>(1023 + 23 - exponent) << 52;
  return std::abs(value - reference) * std::bit_cast<double>(inverse);
}

double bound(Primitive primitive) {
  switch (primitive) {
    case Primitive::exp:
    case Primitive::log:
    case Primitive::sin:
    case Primitive::cos:
    case Primitive::tanh:
      return 2;
    case Primitive::exp2:
    case Primitive::expm1:
    case Primitive::log2:
    case Primitive::log10:
    case Primitive::log1p:
    case Primitive::pow:
    case Primitive::tan:
    case Primitive::asin:
    case Primitive::acos:
    case Primitive::atan:
    case Primitive::atan2:
    case Primitive::sinh:
    case Primitive::cosh:
    case Primitive::asinh:
    case Primitive::acosh:
    case Primitive::atanh:
    case Primitive::erf:
    case Primitive::erfc:
      return 4;
    case Primitive::fmod:
    case Primitive::neg:
    case Primitive::abs:
    case Primitive::floor:
    case Primitive::ceil:
    case Primitive::trunc:
    case Primitive::round:
    case Primitive::min:
    case Primitive::max:
    case Primitive::copysign:
      return 0;
    default:
      return 0.5;  // rounded correctly: add, sub, mul, div, sqrt
  }
}

}  // namespace fusebench::test
