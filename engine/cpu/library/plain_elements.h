// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/base/dtype.h"
#include "engine/base/elements.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// How our own loops load and store a dtype's elements: they compute in double.
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

template <>
struct PlainElement<DType::int8> {
  using Type = std::int8_t;
  static double load(Type value) { return value; }
};
template <>
struct PlainElement<DType::uint8> {
  using Type = std::uint8_t;
  static double load(Type value) { return value; }
};
/// Sums of products of bytes are exact in double; results beyond 32 bits wrap.
template <>
struct PlainElement<DType::int32> {
  using Type = std::int32_t;
  static double load(Type value) { return value; }
  static Type store(double value) {
    return static_cast<Type>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
  }
};

/// Calls visit.operator()<dtype>() with the dtype of the call. Throws std::runtime_error if it is
/// not a float.
template <class Visit>
void ofPlainElements(const LibraryCall& call, const Visit& visit) {
  switch (call.result) {
    case DType::float32:
      return visit.template operator()<DType::float32>();
    case DType::float64:
      return visit.template operator()<DType::float64>();
    case DType::float16:
      return visit.template operator()<DType::float16>();
    case DType::bfloat16:
      return visit.template operator()<DType::bfloat16>();
    default:
      throw std::runtime_error(call.name + " of " + std::string(info(call.result).name) +
                               " is not there; make floats of the operands");
  }
}

}  // namespace fusebench::cpu
