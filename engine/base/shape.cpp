// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shape.h"

#include <algorithm>
#include <stdexcept>

namespace fusebench {

void Dims::throwTooMany() {
  throw std::length_error("a tensor has at most " + std::to_string(kMaxRank) + " dimensions");
}

Dims::Dims(std::initializer_list<std::int64_t> values)
    : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}

Dims::Dims(std::span<const std::int64_t> values) {
  if (values.size() > static_cast<std::size_t>(kMaxRank)) throwTooMany();
  std::copy(values.begin(), values.end(), values_.begin());
  rank_ = static_cast<int>(values.size());
}

Dims Dims::filled(int rank, std::int64_t value) {
  Dims dims;
  for (int i = 0; i < rank; ++i) dims.push(value);
  return dims;
}

std::optional<std::int64_t> reachedCount(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape)
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(extent, 1), &count))
      return std::nullopt;
  return count;
}

Strides contiguousStrides(const Shape& shape) {
  Strides strides = Dims::filled(shape.rank(), 1);
  for (int i = shape.rank() - 2; i >= 0; --i)
    strides[i] = checkedMultiply(strides[i + 1], std::max<std::int64_t>(shape[i + 1], 1));
  return strides;
}

Strides rowMajorStrides(const Shape& shape) {
  Strides strides = Strides::filled(shape.rank(), 1);
  for (int d = shape.rank() - 2; d >= 0; --d)
    strides[d] = checkedMultiply(strides[d + 1], shape[d + 1]);
  return strides;
}

bool isContiguous(const Shape& shape, const Strides& strides) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  std::int64_t expected = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected = checkedMultiply(expected, shape[i]);
  }
  return true;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  const int missing = longer.rank() - shorter.rank();
  Shape result = longer;
  for (int i = 0; i < shorter.rank(); ++i) {
    const std::int64_t x = longer[i + missing], y = shorter[i];
    if (x == y || y == 1) continue;
    if (x != 1) return std::nullopt;
    result[i + missing] = y;
  }
  return result;
}

std::string toString(const Shape& shape) {
  std::string text = "(";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  if (shape.rank() == 1) text += ",";
  return text + ")";
}

}  // namespace fusebench
