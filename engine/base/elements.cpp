// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/elements.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/scalar.h"

namespace fusebench {
namespace {

template <typename Element>
Element read(const void* from) {
  Element element;
  std::memcpy(&element, from, sizeof(element));
  return element;
}
template <typename Element>
void write(void* to, Element element) {
  std::memcpy(to, &element, sizeof(element));
}

}  // namespace

std::uint16_t halfBits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)  // NaN stays itself as far as there is room
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // A multiple of 2^-24: adding 1/2, whose last place that is, rounds to one.
    const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  const std::uint32_t rounded = magnitude + 0xfffu + odd - 0x38000000u;
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

float fromHalfBits(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u)
    return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13) |
                                (magnitude > 0x7c00u ? 0x400000u : 0u));
  if (magnitude < 0x400u) {
    const float small = static_cast<float>(magnitude) * 0x1p-24f;
    return sign != 0 ? -small : small;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
}

std::uint16_t bfloatBits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float fromBfloatBits(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

double loadElement(const void* from, DType dtype) {
  switch (dtype) {
    case DType::float16:
      return static_cast<double>(fromHalfBits(read<std::uint16_t>(from)));
    case DType::bfloat16:
      return static_cast<double>(fromBfloatBits(read<std::uint16_t>(from)));
    case DType::float32:
      return static_cast<double>(read<float>(from));
    case DType::float64:
      return read<double>(from);
    default:
      return static_cast<double>(loadInteger(from, dtype));
  }
}

std::int64_t loadInteger(const void* from, DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return read<std::uint8_t>(from) != 0;
    case DType::uint8:
      return read<std::uint8_t>(from);
    case DType::int8:
      return read<std::int8_t>(from);
    case DType::int32:
      return read<std::int32_t>(from);
    case DType::int64:
      return read<std::int64_t>(from);
    default:
      return truncated(loadElement(from, dtype), TypeClass::int64);
  }
}

void storeElement(void* to, DType dtype, double value) {
  switch (dtype) {
    case DType::boolean:
      return write<std::uint8_t>(to, value != 0);
    case DType::float16:
      return write(to, halfBits(static_cast<float>(value)));
    case DType::bfloat16:
      return write(to, bfloatBits(static_cast<float>(value)));
    case DType::float32:
      return write(to, static_cast<float>(value));
    case DType::float64:
      return write(to, value);
    default:
      return storeElement(to, dtype, truncated(value, classOf(dtype)));
  }
}

void storeElement(void* to, DType dtype, std::int64_t value) {
  switch (dtype) {
    case DType::boolean:
      return write<std::uint8_t>(to, value != 0);
    case DType::uint8:
    case DType::int8:
      return write(to, static_cast<std::uint8_t>(value));
    case DType::int32:
      return write(to, static_cast<std::int32_t>(value));
    case DType::int64:
      return write(to, value);
    default:
      return storeElement(to, dtype, static_cast<double>(value));
  }
}

void divideElements(const void* from, void* to, std::int64_t count, DType dtype, int by) {
  const auto* const source = static_cast<const unsigned char*>(from);
  auto* const target = static_cast<unsigned char*>(to);
  if (dtype == DType::float32) {
    const auto share = static_cast<float>(by);
    for (std::int64_t i = 0; i < count; ++i) {
      float x;
      std::memcpy(&x, source + i * 4, 4);
      x /= share;
      std::memcpy(target + i * 4, &x, 4);
    }
    return;
  }
  const auto size = static_cast<std::int64_t>(info(dtype).size);
  for (std::int64_t i = 0; i < count; ++i)
    if (isFloat(dtype))
      storeElement(target + i * size, dtype, loadElement(source + i * size, dtype) / by);
    else
      storeElement(target + i * size, dtype, loadInteger(source + i * size, dtype) / by);
}

double roundedTo(double value, DType dtype) {
  alignas(8) unsigned char element[8];
  storeElement(element, dtype, value);
  return loadElement(element, dtype);
}

}  // namespace fusebench
