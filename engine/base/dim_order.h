// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/base/index_space.h"
#include "engine/base/shape.h"

namespace fusebench {

/// The order in memory of the dimensions of a tensor without gaps.
class DimOrder {
 public:
  /// Row-major.
  explicit DimOrder(int rank = 0) : rank_(rank) {
    for (int d = 0; d < kMaxRank; ++d) dims_[static_cast<std::size_t>(d)] = d;
  }
  int rank() const { return rank_; }
  /// The dimension that is the `place`-th slowest to change.
  int& operator[](int place) { return dims_[static_cast<std::size_t>(place)]; }
  int operator[](int place) const { return dims_[static_cast<std::size_t>(place)]; }
  bool isRowMajor() const { return *this == DimOrder(rank_); }
  friend bool operator==(const DimOrder&, const DimOrder&) = default;

 private:
  std::array<int, kMaxRank> dims_{};
  int rank_;
};

/// The order of the dimensions of an element-wise op's result, which is that of its operands: the
/// first operand that distinguishes two dimensions decides. `strides`: those of each operand,
/// broadcast to the result's shape, 0 along broadcast dimensions. The rule of PyTorch's
/// TensorIterator (reorder_dimensions), so that a program moves the same data here as there.
DimOrder resultOrder(const Shape& shape, std::span<const Strides> strides);

/// Whether the elements fill one contiguous range of memory, whatever the order of their
/// dimensions.
bool isGapless(const Shape& shape, const Strides& strides);

/// Strides of an operand along the dimensions of a shape that it is broadcast to.
Strides broadcastTo(const Shape& shape, const Shape& operand, const Strides& strides);

/// Strides of a tensor without gaps.
template <class Size>
SizeList<Size> denseStrides(const SizeList<Size>& extents, const DimOrder& order) {
  SizeList<Size> strides(extents.size(), Size(0));
  Size step(1);
  for (int place = order.rank(); place-- > 0;) {
    const auto dim = static_cast<std::size_t>(order[place]);
    strides[dim] = step;
    step = productOf(step, extents[dim]);
  }
  return strides;
}

/// The same index space with its dimensions in this order.
template <class Size>
IndexSpace<Size> reordered(const IndexSpace<Size>& layout, const DimOrder& order) {
  IndexSpace<Size> result;
  result.strides.resize(layout.strides.size());
  for (int place = 0; place < order.rank(); ++place) {
    const auto dim = static_cast<std::size_t>(order[place]);
    if ((layout.reducedMask >> dim) & 1u) result.reducedMask |= 1u << place;
    result.extents.push_back(layout.extents[dim]);
    for (std::size_t t = 0; t < layout.strides.size(); ++t)
      result.strides[t].push_back(layout.strides[t][dim]);
  }
  return result;
}

}  // namespace fusebench
