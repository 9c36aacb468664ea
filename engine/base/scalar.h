// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/base/dtype.h"

namespace fusebench {

/// Floats below this value are valid integers of that class.
inline double integerLimit(TypeClass type) {
  return type == TypeClass::int64 ? 0x1p63 : 0x1p31;
}
/// The lowest bits of an integer as an integer of that class.
inline std::int64_t wrapped(std::int64_t value, TypeClass type) {
  switch (type) {
    case TypeClass::uint8:
      return static_cast<std::uint8_t>(value);
    case TypeClass::int8:
      return static_cast<std::int8_t>(value);
    case TypeClass::int32:
      return static_cast<std::int32_t>(value);
    default:
      return value;
  }
}
/// A float as an integer, as PyTorch casts on x86: towards zero. A value outside the range of an
/// int64, or for narrower classes of an int32, becomes the smallest one, of which the lowest bits
/// are kept.
inline std::int64_t truncated(double value, TypeClass type) {
  const double limit = integerLimit(type);
  if (value >= -limit && value < limit) return wrapped(static_cast<std::int64_t>(value), type);
  return wrapped(type == TypeClass::int64 ? std::numeric_limits<std::int64_t>::min()
                                          : std::numeric_limits<std::int32_t>::min(),
                 type);
}
/// A number as an integer of the class, clamped to the class's range, so that an infinite bound has
/// no effect.
inline std::int64_t saturated(double value, TypeClass type) {
  const bool isUnsigned = type == TypeClass::uint8;
  const int bits = bitsOf(type) - (isUnsigned ? 0 : 1);
  const std::int64_t most =
      bits == 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
  const std::int64_t least = isUnsigned ? 0 : -most - 1;
  if (std::isnan(value)) return 0;
  if (value >= std::ldexp(1.0, bits)) return most;
  if (value < static_cast<double>(least)) return least;
  return static_cast<std::int64_t>(value);
}

/// A number that is passed to a kernel at its launch, as an element of its class in the first of
/// these bytes.
struct Scalar {
  alignas(8) unsigned char bytes[8] = {};

  static Scalar of(double value, TypeClass type) {
    Scalar made;
    const auto set = [&made](const auto& element) {
      std::memcpy(made.bytes, &element, sizeof(element));
    };
    if (type == TypeClass::float32)
      set(static_cast<float>(value));
    else if (type == TypeClass::float64)
      set(value);
    else if (type == TypeClass::truth)
      set(static_cast<std::uint8_t>(value != 0));
    else  // little-endian: the lowest bytes are the narrower integer
      set(saturated(value, type));
    return made;
  }
};

}  // namespace fusebench
