// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/promotion.h"

#include <array>

namespace fusebench {
namespace {

constexpr DType b1 = DType::boolean, u1 = DType::uint8, i1 = DType::int8, i4 = DType::int32,
                i8 = DType::int64, f2 = DType::float16, bf = DType::bfloat16, f4 = DType::float32,
                f8 = DType::float64;

/// By the enumerators of both.
constexpr std::array<std::array<DType, kDTypes>, kDTypes> kPromoted = {{
    // b1  u1  i1  i4  i8  f2  bf  f4  f8
    {b1, u1, i1, i4, i8, f2, bf, f4, f8},            // bool
    {u1, u1, DType::int32, i4, i8, f2, bf, f4, f8},  // uint8; with int8 PyTorch has int16
    {i1, DType::int32, i1, i4, i8, f2, bf, f4, f8},  // int8
    {i4, i4, i4, i4, i8, f2, bf, f4, f8},            // int32
    {i8, i8, i8, i8, i8, f2, bf, f4, f8},            // int64
    {f2, f2, f2, f2, f2, f2, f4, f4, f8},            // float16
    {bf, bf, bf, bf, bf, f4, bf, f4, f8},            // bfloat16
    {f4, f4, f4, f4, f4, f4, f4, f4, f8},            // float32
    {f8, f8, f8, f8, f8, f8, f8, f8, f8},            // float64
}};

}  // namespace

DType promoted(DType a, DType b) {
  return kPromoted[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

DType resultType(std::span<const OperandType> operands) {
  // The promoted dtype of each weight, and whether there is any.
  std::array<DType, 3> of{};
  std::array<bool, 3> any{};
  for (const OperandType& operand : operands) {
    const auto weight = static_cast<std::size_t>(operand.weight);
    of[weight] = any[weight] ? promoted(of[weight], operand.dtype) : operand.dtype;
    any[weight] = true;
  }
  DType result = DType::boolean;
  bool found = false;
  for (std::size_t weight = of.size(); weight-- > 0;) {
    if (!any[weight]) continue;
    const DType lower = of[weight];
    if (!found)
      result = lower;
    else if (!isFloat(result) && (result == DType::boolean || isFloat(lower)))
      result = promoted(result, lower);
    found = true;
  }
  return result;
}

}  // namespace fusebench
