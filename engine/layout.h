// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "engine/shape.h"
#include "engine/symbolic.h"

namespace fusebench {

/// One size per dimension, at most kMaxRank, kept inline: every value of a program has two such
/// lists. Size is std::int64_t or SymbolicSize.
template <class Size>
class SizeList {
 public:
  SizeList() = default;
  SizeList(std::size_t count, const Size& value) {
    for (std::size_t i = 0; i < count; ++i) push_back(value);
  }
  explicit SizeList(const Dims& dims) {
    for (const std::int64_t size : dims) push_back(size);
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Size& operator[](std::size_t i) const { return sizes_[i]; }
  Size& operator[](std::size_t i) { return sizes_[i]; }
  const Size* begin() const { return sizes_.data(); }
  const Size* end() const { return sizes_.data() + count_; }
  /// Throws std::length_error past kMaxRank.
  void push_back(const Size& size) {
    if (count_ == sizes_.size()) throw std::length_error("a tensor of too many dimensions");
    sizes_[count_++] = size;
  }
  friend bool operator==(const SizeList& a, const SizeList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<Size, kMaxRank> sizes_{};
  std::size_t count_ = 0;
};

/// An index space and how tensors step through it. Size is std::int64_t or SymbolicSize.
template <class Size>
struct Layout {
  SizeList<Size> extents;  ///< outermost first
  std::uint32_t reducedMask = 0;
  std::vector<SizeList<Size>> strides;  ///< per tensor, per dimension

  int rank() const { return static_cast<int>(extents.size()); }
};

inline bool isOne(std::int64_t size) {
  return size == 1;
}
inline bool isOne(const SymbolicSize& size) {
  return size.isConstant() && size.constant() == 1;
}

/// Drops dimensions of extent 1 and merges neighbours that every tensor walks as one: fewer loops,
/// and one kernel for all shapes of a contiguous program. At least one dimension remains, and at
/// least one reduced one if `reduces`.
template <class Size>
Layout<Size> collapse(const Layout<Size>& layout, bool reduces) {
  Layout<Size> result;
  const std::size_t tensors = layout.strides.size();
  result.strides.resize(tensors);
  const auto append = [&](const Size& extent, bool reduced, auto stride) {
    if (reduced) result.reducedMask |= 1u << result.rank();
    result.extents.push_back(extent);
    for (std::size_t t = 0; t < tensors; ++t) result.strides[t].push_back(stride(t));
  };
  for (std::size_t d = 0; d < layout.extents.size(); ++d) {
    if (isOne(layout.extents[d])) continue;
    const bool reduced = (layout.reducedMask >> d) & 1u;
    const auto last = static_cast<std::size_t>(result.rank() - 1);
    bool merge = result.rank() > 0 && ((result.reducedMask >> last) & 1u) == reduced;
    for (std::size_t t = 0; merge && t < tensors; ++t)
      merge = result.strides[t][last] == layout.strides[t][d] * layout.extents[d];
    if (!merge) {
      append(layout.extents[d], reduced, [&](std::size_t t) { return layout.strides[t][d]; });
      continue;
    }
    result.extents[last] = result.extents[last] * layout.extents[d];
    for (std::size_t t = 0; t < tensors; ++t) result.strides[t][last] = layout.strides[t][d];
  }
  if (reduces && result.reducedMask == 0)
    append(Size(1), true, [](std::size_t) { return Size(0); });
  if (result.rank() == 0) append(Size(1), false, [](std::size_t) { return Size(1); });
  return result;
}

/// Row-major strides over the dimensions not in `reducedMask`; 0 along those that are.
template <class Size>
SizeList<Size> outputStrides(const SizeList<Size>& extents, std::uint32_t reducedMask) {
  SizeList<Size> strides(extents.size(), Size(0));
  Size step(1);
  for (std::size_t d = extents.size(); d-- > 0;) {
    if ((reducedMask >> d) & 1u) continue;
    strides[d] = step;
    step = step * extents[d];
  }
  return strides;
}

/// Strides of a tensor of shape `extents` when it is broadcast to a space of shape `space`.
template <class Size>
SizeList<Size> broadcastStrides(const SizeList<Size>& extents, const SizeList<Size>& strides,
                                const SizeList<Size>& space) {
  SizeList<Size> result(space.size(), Size(0));
  const std::size_t missing = space.size() - extents.size();
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (!isOne(extents[d])) result[missing + d] = strides[d];
  return result;
}

}  // namespace fusebench
