// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

/// a - b * trunc(a / b), then adjusted to the sign of the divisor, like Python's %.
inline Expr pythonRemainder(Expr a, Expr b) {
  const Expr rest = fmod(a, b);
  return select(rest != 0 && (rest < 0) != (b < 0), rest + b, rest);
}

/// floor(a / b). The quotient is computed from a - remainder, so that it is whole before it is
/// rounded.
inline Expr pythonFloorDivide(Expr a, Expr b) {
  const Expr rest = fmod(a, b);
  if (isInteger(rest.type())) {
    const Expr towardsZero = a / b;
    return select(rest != 0 && (rest < 0) != (b < 0), towardsZero - 1, towardsZero);
  }
  const Expr whole = round((a - rest) / b);
  const Expr lowered = select(rest != 0 && (rest < 0) != (b < 0), whole - 1, whole);
  return select(b == 0, a / b, select(lowered == 0, copysign(constant(a, 0), a / b), lowered));
}

/// trunc(a / b), computed in the same way.
inline Expr truncDivide(Expr a, Expr b) {
  if (isInteger(a.type()) && isInteger(b.type())) return a / b;
  const Expr whole = copysign(round((a - fmod(a, b)) / b), a / b);
  return select(b == 0 || isInfinite(a), a / b, whole);
}

inline constexpr Parameter kAlpha{
    .name = "alpha", .fallback = 1, .doc = "factor of the second operand"};
inline constexpr Parameter kValue{
    .name = "value", .fallback = 1, .doc = "factor of the product or quotient"};

// addcmul, addcdiv and lerp round more than once: where their terms cancel, the error is relative
// to the terms, not to the result. Their test domains are operands that do not cancel.
inline const OpRow kArithmetic[] = {
    {.name = "add",
     .spellings = {"+", "torch.add", "x.add"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::any,
     .meaning = [](Args x) { return x[0] + x[1]; },
     .tail = Tail::add,
     .bound = kRounded,
     .doc = "Sum of two tensors, or of a tensor and a number"},
    {.name = "sub",
     .spellings = {"-", "torch.sub", "torch.subtract", "x.sub", "x.subtract"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return x[0] - x[1]; },
     .bound = kRounded,
     .doc = "First operand minus the second"},
    {.name = "mul",
     .spellings = {"*", "torch.mul", "torch.multiply", "x.mul", "x.multiply"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::any,
     .meaning = [](Args x) { return x[0] * x[1]; },
     .tail = Tail::scale,
     .bound = kRounded,
     .doc = "Product"},
    {.name = "div",
     .spellings = {"/", "torch.div", "torch.divide", "torch.true_divide", "x.div", "x.divide",
                   "x.true_divide"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return x[0] / x[1]; },
     .bound = kRounded,
     .doc = "Quotient; x / 0 is an infinity or NaN"},
    {.name = "floor_divide",
     .spellings = {"//", "torch.floor_divide", "x.floor_divide"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return pythonFloorDivide(x[0], x[1]); },
     .differentiable = false,
     .dividesWhole = true,
     .bound = kTwoUlp,
     .doc = "Quotient rounded down, as Python's //"},
    {.name = "trunc_divide",
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return truncDivide(x[0], x[1]); },
     .derivative = [](const Flow& f) { return constant(f.gradient, 0); },
     .dividesWhole = true,
     .bound = kTwoUlp,
     .doc = "Quotient rounded towards zero, as C's / of integers"},
    {.name = "remainder",
     .spellings = {"%", "torch.remainder", "x.remainder"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return pythonRemainder(x[0], x[1]); },
     .roundsNumbers = true,
     .dividesWhole = true,
     .bound = kRounded,
     .doc = "Remainder with the sign of the divisor, as Python's %"},
    {.name = "fmod",
     .spellings = {"torch.fmod", "x.fmod"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return fmod(x[0], x[1]); },
     .roundsNumbers = true,
     .dividesWhole = true,
     .bound = kExact,
     .doc = "Remainder with the sign of the dividend, as C's fmod"},
    {.name = "neg",
     .spellings = {"unary -", "torch.neg", "torch.negative", "x.neg", "x.negative"},
     .category = arithmetic,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return -x[0]; },
     .bound = kExact,
     .doc = "Negative"},
    {.name = "abs",
     .spellings = {"torch.abs", "torch.absolute", "x.abs", "x.absolute"},
     .category = arithmetic,
     .takes = AcceptedTypes::numbers,
     .meaning = [](Args x) { return abs(x[0]); },
     .bound = kExact,
     .doc = "Absolute value"},
    {.name = "sign",
     .spellings = {"torch.sign", "torch.sgn", "x.sign", "x.sgn"},
     .category = arithmetic,
     .takes = AcceptedTypes::any,
     .meaning = [](Args x) { return number(x[0] > 0) - number(x[0] < 0); },
     .bound = kExact,
     .doc = "-1, 0 or 1 by sign; 0 for NaN"},
    {.name = "copysign",
     .spellings = {"torch.copysign", "x.copysign"},
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::promoted,
     .meaning = [](Args x) { return copysign(x[0], x[1]); },
     .bound = kExact,
     .doc = "Magnitude of the first operand with the sign of the second"},
    {.name = "add_scaled",
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::any,
     .parameters = {kAlpha},
     .meaning = [](Args x) { return fma(x.parameter(0), x[1], x[0]); },
     .bound = kRounded,
     .doc = "First operand plus alpha times the second, rounded once"},
    {.name = "sub_scaled",
     .category = arithmetic,
     .arity = 2,
     .numberOperands = 0b11,
     .takes = AcceptedTypes::numbers,
     .parameters = {kAlpha},
     .meaning = [](Args x) { return fma(-x.parameter(0), x[1], x[0]); },
     .bound = kRounded,
     .doc = "First operand minus alpha times the second, rounded once"},
    {.name = "addcmul",
     .spellings = {"torch.addcmul", "x.addcmul"},
     .category = arithmetic,
     .arity = 3,
     .operands = {"input", "tensor1", "tensor2"},
     .takes = AcceptedTypes::numbers,
     .parameters = {kValue},
     .meaning = [](Args x) { return fma(x.parameter(0) * x[1], x[2], x[0]); },
     .autocast = kWidestOnCuda,
     .bound = kTwoUlp,
     .domain = {{1e-3, 1e3}, {1e-3, 1e3}, {1e-3, 1e3}},
     .doc = "First operand plus value times the product of the others"},
    {.name = "addcdiv",
     .spellings = {"torch.addcdiv", "x.addcdiv"},
     .category = arithmetic,
     .arity = 3,
     .operands = {"input", "tensor1", "tensor2"},
     .parameters = {kValue},
     .meaning = [](Args x) { return x[0] + x.parameter(0) * x[1] / x[2]; },
     .autocast = kWidestOnCuda,
     .bound = kTwoUlp,
     .domain = {{1e-3, 1e3}, {1e-3, 1e3}, {1e-3, 1e3}},
     .doc = "First operand plus value times the quotient of the others"},
    {.name = "lerp",
     .spellings = {"torch.lerp", "x.lerp"},
     .category = arithmetic,
     .arity = 3,
     .operands = {"input", "end", "weight"},
     .numberOperands = 0b100,
     .meaning =
         [](Args x) {
           const Expr way = x[1] - x[0];
           return select(x[2] < 0.5, fma(x[2], way, x[0]), x[1] - way * (1 - x[2]));
         },
     .derivative =
         [](const Flow& f) {
           if (f.operand == 2) return f.gradient * (f.x[1] - f.x[0]);
           return f.operand == 1 ? f.gradient * f.x[2] : f.gradient * (1 - f.x[2]);
         },
     .bound = kFourUlp,
     .domain = {{1e-3, 1e3}, {1e-3, 1e3}, {0, 1}},
     .doc = "Linear interpolation from the first operand to the second: a + weight * (b - a)"},
    {.name = "clone",
     .spellings = {"torch.clone", "x.clone"},
     .category = arithmetic,
     .takes = AcceptedTypes::any,
     .meaning = [](Args x) { return x[0]; },
     .bound = kExact,
     .doc = "A copy"},
    {.name = "float",
     .spellings = {"x.float"},
     .category = arithmetic,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::float32,
     .meaning = [](Args x) { return number(x[0]); },
     .bound = kExact,
     .doc = "The truth values True and False as the numbers 1 and 0; numbers as they are"},
};

}  // namespace fusebench::rows
