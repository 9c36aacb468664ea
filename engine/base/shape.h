// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "engine/base/checked_size.h"

namespace fusebench {

/// The maximum number of dimensions of a tensor.
inline constexpr int kMaxRank = 8;

/// A short list of extents or strides, stored inline: eager creates one per op, so it must not
/// allocate.
class Dims {
 public:
  Dims() {}  // NOLINT(modernize-use-equals-default): the values would be set to 0
  Dims(std::initializer_list<std::int64_t> values);
  explicit Dims(std::span<const std::int64_t> values);
  static Dims filled(int rank, std::int64_t value);

  int rank() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  std::int64_t operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  std::int64_t& operator[](int i) { return values_[static_cast<std::size_t>(i)]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + rank_; }
  /// Throws std::length_error past kMaxRank.
  void push(std::int64_t value) {
    if (rank_ == kMaxRank) throwTooMany();
    values_[static_cast<std::size_t>(rank_++)] = value;
  }

  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.rank_ != b.rank_) return false;
    for (int i = 0; i < a.rank_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

 private:
  [[noreturn]] static void throwTooMany();

  std::array<std::int64_t, kMaxRank> values_;  // only the first rank_ are set
  int rank_ = 0;
};

using Shape = Dims;    ///< extents, outermost first, in elements
using Strides = Dims;  ///< steps between adjacent elements along each dimension, in elements

/// Product of the extents; 1 for a scalar (rank 0). Throws SizeOverflow.
inline std::int64_t elementCount(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = checkedMultiply(count, extent);
  return count;
}

/// The same with extents of 0 counted as 1, as strides are computed; nothing if the result exceeds
/// 64 bits.
std::optional<std::int64_t> reachedCount(const Shape& shape);

/// Row-major strides of `shape`. Throws SizeOverflow.
Strides contiguousStrides(const Shape& shape);

/// The same by multiplications only: 0 outside a dimension of extent 0, as for symbolic strides.
/// Throws SizeOverflow.
Strides rowMajorStrides(const Shape& shape);

/// Whether walking `shape` by `strides` visits memory in row-major order without holes
/// (strides of extents 0 and 1 do not matter).
bool isContiguous(const Shape& shape, const Strides& strides);

/// The shape to which both are broadcast by PyTorch's rule, or nothing if they do not match.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// "(8, 16)", "(4,)", "()": as Python prints it.
std::string toString(const Shape& shape);

}  // namespace fusebench
