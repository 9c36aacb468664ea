// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The element type of a tensor: how a value is stored. Data, not a template parameter.
enum class DType : std::uint8_t {
  boolean,
  uint8,
  int8,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64
};
/// How many there are.
inline constexpr std::size_t kDTypes = static_cast<std::size_t>(DType::float64) + 1;

/// The type that a value is computed in. Storage may be narrower: 16-bit floats are computed in
/// float32 and rounded after each op.
enum class TypeClass : std::uint8_t { truth, uint8, int8, int32, int64, float32, float64 };

struct DTypeInfo {
  std::string_view name;  ///< as in PyTorch, without the "torch." prefix
  std::size_t size;       ///< bytes of one element
  TypeClass computed;     ///< the type class that it is computed in
};

/// By dtype; the last entry is for values that are not a DType.
inline constexpr DTypeInfo kDTypeInfos[kDTypes + 1] = {
    {"bool", 1, TypeClass::truth},       {"uint8", 1, TypeClass::uint8},
    {"int8", 1, TypeClass::int8},        {"int32", 4, TypeClass::int32},
    {"int64", 8, TypeClass::int64},      {"float16", 2, TypeClass::float32},
    {"bfloat16", 2, TypeClass::float32}, {"float32", 4, TypeClass::float32},
    {"float64", 8, TypeClass::float64},  {"?", 0, TypeClass::truth}};

/// Facts about one dtype; every DType has an entry. A table, because eager looks them up at each
/// op.
constexpr const DTypeInfo& info(DType dtype) {
  const auto at = static_cast<std::size_t>(dtype);
  return kDTypeInfos[at < kDTypes ? at : kDTypes];
}

constexpr TypeClass classOf(DType dtype) {
  return info(dtype).computed;
}
/// The dtype that stores all values of a class.
constexpr DType storageOf(TypeClass type) {
  switch (type) {
    case TypeClass::truth:
      return DType::boolean;
    case TypeClass::uint8:
      return DType::uint8;
    case TypeClass::int8:
      return DType::int8;
    case TypeClass::int32:
      return DType::int32;
    case TypeClass::int64:
      return DType::int64;
    case TypeClass::float32:
      return DType::float32;
    case TypeClass::float64:
      break;
  }
  return DType::float64;
}
constexpr bool isInteger(TypeClass type) {
  return type >= TypeClass::uint8 && type <= TypeClass::int64;
}
constexpr bool isFloat(TypeClass type) {
  return type >= TypeClass::float32;
}
constexpr bool isFloat(DType dtype) {
  return dtype >= DType::float16;
}
/// A 16-bit float: computed values are rounded to it.
constexpr bool isRounded(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16;
}
/// Bits of an integer class.
constexpr int bitsOf(TypeClass type) {
  return 8 * static_cast<int>(info(storageOf(type)).size);
}

/// The dtype of this name ("float32"), with or without "torch.", or of one of PyTorch's other names
/// for it ("torch.half"); null if there is none.
const DType* findDType(std::string_view name);

}  // namespace fusebench
