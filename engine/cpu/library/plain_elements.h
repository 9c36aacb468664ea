// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"
#include "engine/base/elements.h"

namespace fusebench::cpu {

/// How loops of our own load and store a dtype's elements: they compute in double.
template <DType kDType>
struct PlainElement;
template <>
struct PlainElement<DType::float32> {
  using Type = float;
  static double load(float value) { return static_cast<double>(value); }
  static float store(double value) { return static_cast<float>(value); }
};
template <>
struct PlainElement<DType::float64> {
  using Type = double;
  static double load(double value) { return value; }
  static double store(double value) { return value; }
};
template <>
struct PlainElement<DType::float16> {
  using Type = std::uint16_t;
  static double load(Type bits) { return static_cast<double>(fromHalfBits(bits)); }
  static Type store(double value) { return halfBits(static_cast<float>(value)); }
};
template <>
struct PlainElement<DType::bfloat16> {
  using Type = std::uint16_t;
  static double load(Type bits) { return static_cast<double>(fromBfloatBits(bits)); }
  static Type store(double value) { return bfloatBits(static_cast<float>(value)); }
};

}  // namespace fusebench::cpu
