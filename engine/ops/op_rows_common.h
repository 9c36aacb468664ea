// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include "engine/ops/formula.h"
#include "engine/ops/ops.h"

/// Helpers that op rows share: bounds, constants, small formulas.
namespace fusebench::rows {

using namespace formula;
using enum Category;

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kFloat32Max = std::numeric_limits<float>::max();
inline constexpr double kPi = 3.141592653589793238462643;
inline constexpr double kRoot1Of2 = 0.7071067811865475244008444;
inline constexpr double kRootPi = 1.772453850905516027298167;
inline constexpr double kRoot2OverPi = 0.7978845608028653558798921;
inline constexpr double kLn2 = 0.6931471805599453094172321;

inline constexpr ErrorBound kExact{0, 0};
/// Correctly rounded; the extra thousandth allows for a test's own rounding of the exact value.
inline constexpr ErrorBound kRounded{0.501, 0};
inline constexpr ErrorBound kTwoUlp{2, 0};
inline constexpr ErrorBound kFourUlp{4, 0};
/// Formulas that divide by 1 + exp(-x) return 0 where exp(-x) overflows, although the exact result
/// there is a number of up to 3e-37, in float64 of up to 4e-306. PyTorch's formulas do the same.
inline constexpr ErrorBound kFourUlpOrTiny{4, 3e-37, 4e-306};

inline Expr isNan(Expr a) {
  return a != a;
}
inline Expr isInfinite(Expr a) {
  return abs(a) == constant(a, kInf);
}

/// Unlike max and min, these keep the sign of a zero, as PyTorch does: relu(-0.0) is -0.0. NaN on
/// either side returns NaN.
inline Expr atLeast(Expr a, Expr low) {
  return select(a < low || isNan(low), low, a);
}
inline Expr atMost(Expr a, Expr high) {
  return select(a > high || isNan(high), high, a);
}
inline Expr between(Expr a, double low, double high) {
  return atMost(atLeast(a, constant(a, low)), constant(a, high));
}
inline Expr sign(Expr a) {
  return toNumber(a > 0) - toNumber(a < 0);
}
inline Expr number(Expr a) {
  return a.isTruth() ? toNumber(a) : a;
}

}  // namespace fusebench::rows
