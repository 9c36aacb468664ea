// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

/// sqrt(a^2 + b^2), with both operands scaled by a power of two where their squares would overflow
/// or lose bits.
inline Expr hypotenuse(Expr a, Expr b) {
  const bool wide = std::max(a.type(), b.type()) == TypeClass::float64;
  const double great = wide ? 0x1p510 : 0x1p62, down = wide ? 0x1p-600 : 0x1p-70;
  const double small = wide ? 0x1p-450 : 0x1p-50, up = wide ? 0x1p600 : 0x1p80;
  const Expr greater = max(abs(a), abs(b));
  const Expr scale = select(greater > great, constant(a, down),
                            select(greater < small, constant(a, up), constant(a, 1)));
  const Expr p = a * scale, q = b * scale;
  const Expr length = sqrt(fma(p, p, q * q)) / scale;
  return select(isInfinite(a) || isInfinite(b), constant(a, kInf), length);
}

/// greater + log(1 + exp(lesser - greater)); for equal infinities, whose difference is NaN, the
/// result is that infinity.
inline Expr logAddExp(Expr a, Expr b) {
  const Expr sum = max(a, b) + log1p(exp(-abs(a - b)));
  return select(a == b && isInfinite(a), a, sum);
}

inline Expr logAddExp2(Expr a, Expr b) {
  const Expr sum = max(a, b) + log1p(exp2(-abs(a - b))) * (1 / kLn2);
  return select(a == b && isInfinite(a), a, sum);
}

/// log(x / (1 - x)). Around 1/2, where this cancels, log1p of (2x - 1) / (1 - x), whose
/// subtractions are exact there.
inline Expr logOdds(Expr x) {
  const Expr middle = log1p((2 * x - 1) / (1 - x));
  return select(x > 0.25 && x < 0.75, middle, log(x / (1 - x)));
}

/// sin(pi x) / (pi x), with multiples of the period subtracted exactly before the multiplication by
/// pi.
inline Expr sinc(Expr x) {
  const Expr turns = round(x);
  const Expr odd = turns - 2 * floor(turns * 0.5);
  const Expr sine = sin((x - turns) * kPi) * (1 - 2 * odd);
  return select(x == 0, 1, sine / (x * kPi));
}

inline const OpRow kPowers[] = {
    {.name = "pow",
     .spellings = {"**", "torch.pow", "x.pow"},
     .category = powers,
     .arity = 2,
     .operands = {"input", "exponent"},
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return pow(x[0], x[1]); },
     .roundsNumbers = true,
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "First operand to the power of the second"},
    {.name = "square",
     .spellings = {"torch.square", "x.square"},
     .category = powers,
     .takes = AcceptedTypes::counted,
     .meaning = [](Args x) { return x[0] * x[0]; },
     .autocast = kSingleOnCuda,
     .bound = kRounded,
     .doc = "x * x, the same as x ** 2"},
    {.name = "cube",
     .category = powers,
     .takes = AcceptedTypes::counted,
     .meaning = [](Args x) { return x[0] * x[0] * x[0]; },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "x * x * x, the same as x ** 3"},
    {.name = "sqrt",
     .spellings = {"torch.sqrt", "x.sqrt"},
     .category = powers,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return sqrt(x[0]); },
     .bound = kRounded,
     .doc = "Square root, the same as x ** 0.5"},
    {.name = "rsqrt",
     .spellings = {"torch.rsqrt", "x.rsqrt"},
     .category = powers,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return 1 / sqrt(x[0]); },
     .derivative =
         [](const Flow& f) { return f.gradient * -0.5 * (f.result * f.result * f.result); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "1 / sqrt(x), the same as x ** -0.5"},
    {.name = "reciprocal",
     .spellings = {"torch.reciprocal", "x.reciprocal"},
     .category = powers,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return 1 / x[0]; },
     .derivative = [](const Flow& f) { return -f.gradient * (f.result * f.result); },
     .autocast = kSingleOnCuda,
     .bound = kRounded,
     .doc = "1 / x, the same as x ** -1"},
    {.name = "hypot",
     .spellings = {"torch.hypot", "x.hypot"},
     .category = powers,
     .arity = 2,
     .meaning = [](Args x) { return hypotenuse(x[0], x[1]); },
     .derivative = [](const Flow& f) { return f.gradient * (f.x[f.operand] / f.result); },
     .bound = kTwoUlp,
     .doc = "sqrt(a^2 + b^2) without intermediate overflow"},
};

inline const OpRow kExponentials[] = {
    {.name = "exp",
     .spellings = {"torch.exp", "x.exp"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return exp(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "e to the power of x"},
    {.name = "exp2",
     .spellings = {"torch.exp2", "torch.special.exp2", "x.exp2"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return exp2(x[0]); },
     .bound = kTwoUlp,
     .doc = "2 to the power of x"},
    {.name = "expm1",
     .spellings = {"torch.expm1", "torch.special.expm1", "x.expm1"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return expm1(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "exp(x) - 1, accurate near 0"},
    {.name = "log",
     .spellings = {"torch.log", "x.log"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return log(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "Natural logarithm"},
    {.name = "log2",
     .spellings = {"torch.log2", "x.log2"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return log2(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "Logarithm to base 2"},
    {.name = "log10",
     .spellings = {"torch.log10", "x.log10"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return log10(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "Logarithm to base 10"},
    {.name = "log1p",
     .spellings = {"torch.log1p", "torch.special.log1p", "x.log1p"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return log1p(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kTwoUlp,
     .doc = "log(1 + x), accurate near 0"},
    {.name = "logaddexp",
     .spellings = {"torch.logaddexp", "x.logaddexp"},
     .category = exponential,
     .arity = 2,
     .meaning = [](Args x) { return logAddExp(x[0], x[1]); },
     .derivative =
         [](const Flow& f) { return f.gradient / (exp(f.x[1 - f.operand] - f.x[f.operand]) + 1); },
     .inPlace = false,
     .bound = {4, 3e-7},
     .doc = "log(exp(a) + exp(b)) without intermediate overflow"},
    {.name = "logaddexp2",
     .spellings = {"torch.logaddexp2", "x.logaddexp2"},
     .category = exponential,
     .arity = 2,
     .meaning = [](Args x) { return logAddExp2(x[0], x[1]); },
     .derivative =
         [](const Flow& f) { return f.gradient / (exp2(f.x[1 - f.operand] - f.x[f.operand]) + 1); },
     .inPlace = false,
     .bound = {4, 4e-7},
     .doc = "log2(2^a + 2^b) without intermediate overflow"},
    {.name = "logit",
     .spellings = {"torch.logit", "torch.special.logit", "x.logit"},
     .category = exponential,
     .takes = AcceptedTypes::promoted,
     .parameters = {{.name = "eps",
                     .fallback = -kInf,
                     .low = 0,
                     .high = 1,
                     .doc = "the operand is first clamped to the range from eps to 1 - eps "
                            "(default: not clamped)"}},
     .meaning = [](Args x) { return logOdds(max(min(x[0], 1 - x.parameter(0)), x.parameter(0))); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], low = f.x.parameter(0);
           const Expr slope = f.gradient / (x * (1 - x));
           // Without bounds there is no gradient outside of [0, 1].
           if ((*low.graph)[low.id].value < 0)
             return select(x < 0 || x > 1, std::numeric_limits<double>::quiet_NaN(), slope);
           return select(x < low || x > 1 - low, 0, slope);
         },
     .bound = kFourUlp,
     .doc = "log(x / (1 - x)), the inverse of sigmoid"},
    {.name = "xlogy",
     .spellings = {"torch.xlogy", "torch.special.xlogy", "x.xlogy"},
     .category = exponential,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return select(x[0] == 0 && !isNan(x[1]), 0, x[0] * log(x[1])); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], y = f.x[1];
           if (f.operand == 1) return f.gradient * x / y;
           return select(x == 0 && y <= 0, 0, f.gradient * log(y));
         },
     .bound = kFourUlp,
     .doc = "a * log(b); 0 where a is 0"},
};

inline const OpRow kTrigonometry[] = {
    {.name = "sin",
     .spellings = {"torch.sin", "x.sin"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return sin(x[0]); },
     .bound = kTwoUlp,
     .doc = "Sine of an angle in radians"},
    {.name = "cos",
     .spellings = {"torch.cos", "x.cos"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return cos(x[0]); },
     .bound = kTwoUlp,
     .doc = "Cosine of an angle in radians"},
    {.name = "tan",
     .spellings = {"torch.tan", "x.tan"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return tan(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "Tangent of an angle in radians"},
    {.name = "asin",
     .spellings = {"torch.asin", "torch.arcsin", "x.asin", "x.arcsin"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return asin(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "Angle in radians whose sine is x"},
    {.name = "acos",
     .spellings = {"torch.acos", "torch.arccos", "x.acos", "x.arccos"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return acos(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "Angle in radians whose cosine is x"},
    {.name = "atan",
     .spellings = {"torch.atan", "torch.arctan", "x.atan", "x.arctan"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return atan(x[0]); },
     .bound = kFourUlp,
     .doc = "Angle in radians whose tangent is x"},
    {.name = "atan2",
     .spellings = {"torch.atan2", "torch.arctan2", "x.atan2", "x.arctan2"},
     .category = trigonometric,
     .arity = 2,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return atan2(x[0], x[1]); },
     .autocast = kWidestOnCuda,
     .bound = kFourUlp,
     .doc = "Angle in radians of the point (second operand, first operand)"},
    {.name = "sinc",
     .spellings = {"torch.sinc", "torch.special.sinc", "x.sinc"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return sinc(x[0]); },
     .derivative =
         [](const Flow& f) {
           const Expr x = f.x[0], turned = x * kPi;
           return select(x == 0, 0, f.gradient * ((cos(turned) - f.result) / x));
         },
     .bound = kFourUlp,
     .doc = "sin(pi x) / (pi x), 1 at 0"},
    {.name = "deg2rad",
     .spellings = {"torch.deg2rad", "x.deg2rad"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return x[0] * (kPi / 180); },
     .bound = kTwoUlp,
     .doc = "Degrees to radians"},
    {.name = "rad2deg",
     .spellings = {"torch.rad2deg", "x.rad2deg"},
     .category = trigonometric,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return x[0] * (180 / kPi); },
     .bound = kTwoUlp,
     .doc = "Radians to degrees"},
};

inline const OpRow kHyperbolics[] = {
    {.name = "sinh",
     .spellings = {"torch.sinh", "x.sinh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return sinh(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "Hyperbolic sine"},
    {.name = "cosh",
     .spellings = {"torch.cosh", "x.cosh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return cosh(x[0]); },
     .autocast = kSingleOnCuda,
     .bound = kFourUlp,
     .doc = "Hyperbolic cosine"},
    {.name = "tanh",
     .spellings = {"torch.tanh", "F.tanh", "x.tanh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return tanh(x[0]); },
     .bound = kTwoUlp,
     .doc = "Hyperbolic tangent"},
    {.name = "asinh",
     .spellings = {"torch.asinh", "torch.arcsinh", "x.asinh", "x.arcsinh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return asinh(x[0]); },
     .bound = kFourUlp,
     .doc = "Inverse hyperbolic sine"},
    {.name = "acosh",
     .spellings = {"torch.acosh", "torch.arccosh", "x.acosh", "x.arccosh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return acosh(x[0]); },
     .bound = kFourUlp,
     .doc = "Inverse hyperbolic cosine"},
    {.name = "atanh",
     .spellings = {"torch.atanh", "torch.arctanh", "x.atanh", "x.arctanh"},
     .category = hyperbolic,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return atanh(x[0]); },
     .bound = kFourUlp,
     .doc = "Inverse hyperbolic tangent"},
};

inline const OpRow kSpecials[] = {
    {.name = "erf",
     .spellings = {"torch.erf", "torch.special.erf", "x.erf"},
     .category = special,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return erf(x[0]); },
     .bound = kFourUlp,
     .doc = "Error function"},
    {.name = "erfc",
     .spellings = {"torch.erfc", "torch.special.erfc", "x.erfc"},
     .category = special,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return erfc(x[0]); },
     .bound = kFourUlp,
     .doc = "1 - erf(x), accurate for large x"},
};

inline const OpRow kRoundings[] = {
    {.name = "floor",
     .spellings = {"torch.floor", "x.floor"},
     .category = rounding,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return floor(x[0]); },
     .bound = kExact,
     .doc = "Largest integer not above x"},
    {.name = "ceil",
     .spellings = {"torch.ceil", "x.ceil"},
     .category = rounding,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return ceil(x[0]); },
     .bound = kExact,
     .doc = "Smallest integer not below x"},
    {.name = "trunc",
     .spellings = {"torch.trunc", "torch.fix", "x.trunc", "x.fix"},
     .category = rounding,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return trunc(x[0]); },
     .bound = kExact,
     .doc = "Nearest integer toward 0"},
    {.name = "round",
     .spellings = {"torch.round", "x.round"},
     .category = rounding,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return round(x[0]); },
     .bound = kExact,
     .doc = "Nearest integer, ties to even"},
    {.name = "frac",
     .spellings = {"torch.frac", "x.frac"},
     .category = rounding,
     .meaning = [](Args x) { return x[0] - trunc(x[0]); },
     .bound = kExact,
     .doc = "The part of x after the decimal point: x - trunc(x)"},
};

}  // namespace fusebench::rows
