// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/ops/op_rows_common.h"

namespace fusebench::rows {

inline Expr itself(Args x) {
  return x[0];
}

// x.to(dtype) is one of these, and so are x.float() and x.bool().
inline const OpRow kCasts[] = {
    {.name = "double",
     .spellings = {"x.double"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::float64,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as float64"},
    {.name = "half",
     .spellings = {"x.half"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::float16,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as float16: 11 bits of precision, up to 65504"},
    {.name = "bfloat16",
     .spellings = {"x.bfloat16"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::bfloat16,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as bfloat16: float32's range with 8 bits of precision"},
    {.name = "long",
     .spellings = {"x.long"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::int64,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as int64, rounded toward zero"},
    {.name = "int",
     .spellings = {"x.int"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::int32,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as int32, rounded toward zero"},
    {.name = "char",
     .spellings = {"x.char"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::int8,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as int8, rounded toward zero; larger values keep their lowest 8 bits"},
    {.name = "byte",
     .spellings = {"x.byte"},
     .category = casting,
     .takes = AcceptedTypes::any,
     .result = ResultType::cast,
     .castTo = DType::uint8,
     .meaning = itself,
     .bound = kExact,
     .doc = "The operand as uint8, rounded toward zero; larger values keep their lowest 8 bits"},
};

/// round(x / scale) + zero point, clamped between two bounds. NaN becomes the upper bound, as in
/// PyTorch's quantized tensors.
inline Expr quantized(Args x) {
  const Expr level = round(x[0] * (1 / x[1])) + x[2];
  const Expr low = x.parameter(0), high = x.parameter(1);
  return select(level < high, select(level > low, level, low), high);
}

inline constexpr Parameter kQuantMin{.name = "quant_min",
                                     .required = true,
                                     .low = -128,
                                     .high = 255,
                                     .doc = "the smallest quantized value"};
inline constexpr Parameter kQuantMax{.name = "quant_max",
                                     .required = true,
                                     .low = -128,
                                     .high = 255,
                                     .doc = "the largest quantized value"};

// Levels of a scale with a zero point: value = (level - zero point) * scale.
inline const OpRow kQuantizing[] = {
    {.name = "quantize_per_tensor",
     .spellings = {"torch.ops.quantized_decomposed.quantize_per_tensor"},
     .category = casting,
     .arity = 3,
     .operands = {"input", "scale", "zero_point"},
     .numberOperands = 0b110,
     .parameters = {kQuantMin, kQuantMax},
     .result = ResultType::cast,
     .castTo = DType::int8,
     .meaning = quantized,
     .differentiable = false,
     .bound = kExact,
     .doc = "The nearest quantized value for a scale and a zero point, ties to even, as int8"},
    {.name = "quantize_per_tensor_uint8",
     .category = casting,
     .arity = 3,
     .operands = {"input", "scale", "zero_point"},
     .numberOperands = 0b110,
     .parameters = {kQuantMin, kQuantMax},
     .result = ResultType::cast,
     .castTo = DType::uint8,
     .meaning = quantized,
     .differentiable = false,
     .bound = kExact,
     .doc = "The nearest quantized value for a scale and a zero point, ties to even, as uint8"},
};

inline const OpRow kBits[] = {
    {.name = "bitwise_and",
     .spellings = {"torch.bitwise_and", "x.bitwise_and"},
     .category = bits,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::whole,
     .meaning = [](Args x) { return apply(Primitive::bitAnd, x[0], x[1]); },
     .bound = kExact,
     .doc = "Bitwise and; for bool, whether both are true"},
    {.name = "bitwise_or",
     .spellings = {"torch.bitwise_or", "x.bitwise_or"},
     .category = bits,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::whole,
     .meaning = [](Args x) { return apply(Primitive::bitOr, x[0], x[1]); },
     .bound = kExact,
     .doc = "Bitwise or; for bool, whether one is true"},
    {.name = "bitwise_xor",
     .spellings = {"torch.bitwise_xor", "x.bitwise_xor"},
     .category = bits,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::whole,
     .meaning =
         [](Args x) {
           return x[0].isTruth() && x[1].isTruth() ? x[0] != x[1]
                                                   : apply(Primitive::bitXor, x[0], x[1]);
         },
     .bound = kExact,
     .doc = "Bitwise exclusive or; for bool, whether they differ"},
    {.name = "bitwise_not",
     .spellings = {"torch.bitwise_not", "x.bitwise_not"},
     .category = bits,
     .takes = AcceptedTypes::whole,
     .meaning = [](Args x) { return apply(Primitive::bitNot, x[0]); },
     .bound = kExact,
     .doc = "Bitwise not; for bool, whether it is false"},
    {.name = "bitwise_left_shift",
     .spellings = {"torch.bitwise_left_shift", "x.bitwise_left_shift"},
     .category = bits,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::integers,
     .meaning = [](Args x) { return apply(Primitive::shiftLeft, x[0], x[1]); },
     .bound = kExact,
     .doc = "Left shift: the first operand times 2 to the power of the second, in the bits of its "
            "dtype"},
    {.name = "bitwise_right_shift",
     .spellings = {"torch.bitwise_right_shift", "x.bitwise_right_shift"},
     .category = bits,
     .arity = 2,
     .numberOperands = 0b10,
     .takes = AcceptedTypes::integers,
     .meaning = [](Args x) { return apply(Primitive::shiftRight, x[0], x[1]); },
     .bound = kExact,
     .doc = "Right shift: the first operand divided by 2 to the power of the second, rounded down"},
};

}  // namespace fusebench::rows
