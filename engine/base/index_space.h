// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/shape.h"
#include "engine/base/symbolic.h"

namespace fusebench {

/// One size per dimension, at most kMaxRank, stored inline: a program has many such lists. Only
/// existing entries are set and copied. Size needs no destructor.
template <class Size>
class SizeList {
 public:
  SizeList() {}  // NOLINT(modernize-use-equals-default): would set all of them
  SizeList(std::size_t count, const Size& value) {
    for (std::size_t i = 0; i < count; ++i) push_back(value);
  }
  explicit SizeList(const Dims& dims) {
    for (const std::int64_t size : dims) push_back(size);
  }
  SizeList(const SizeList& other) noexcept : count_(other.count_) {
    std::uninitialized_copy_n(other.sizes_, count_, sizes_);
  }
  SizeList& operator=(const SizeList& other) noexcept {
    if (this != &other) std::uninitialized_copy_n(other.sizes_, other.count_, sizes_);
    count_ = other.count_;
    return *this;
  }
  ~SizeList() = default;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const Size& operator[](std::size_t i) const { return sizes_[i]; }
  Size& operator[](std::size_t i) { return sizes_[i]; }
  const Size* begin() const { return sizes_; }
  const Size* end() const { return sizes_ + count_; }
  /// Throws std::length_error past kMaxRank.
  void push_back(const Size& size) {
    if (count_ == kMaxRank) throw std::length_error("a tensor of too many dimensions");
    std::construct_at(sizes_ + count_, size);
    ++count_;
  }
  /// Keeps the first `count` entries.
  void truncate(std::size_t count) { count_ = count; }
  friend bool operator==(const SizeList& a, const SizeList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static_assert(std::is_trivially_destructible_v<Size>);
  std::size_t count_ = 0;
  union {
    Size sizes_[kMaxRank];
  };
};

/// An index space and how tensors step through it. Size is std::int64_t or SymbolicSize.
template <class Size>
struct IndexSpace {
  SizeList<Size> extents;  ///< outermost first
  std::uint32_t reducedMask = 0;
  std::vector<SizeList<Size>> strides;  ///< per tensor, per dimension

  int rank() const { return static_cast<int>(extents.size()); }
};

/// Throws SizeOverflow.
inline std::int64_t productOf(std::int64_t a, std::int64_t b) {
  return checkedMultiply(a, b);
}
inline SymbolicSize productOf(const SymbolicSize& a, const SymbolicSize& b) {
  return a * b;
}

inline bool isOne(std::int64_t size) {
  return size == 1;
}
inline bool isOne(const SymbolicSize& size) {
  return size.isConstant() && size.constant() == 1;
}

/// Drops dimensions of extent 1 and merges adjacent dimensions that every tensor traverses as one:
/// this gives fewer loops, and one kernel for all shapes of a contiguous program. At least one
/// dimension remains, and at least one reduced one if `reduces`. Done in place.
template <class Size>
void collapse(IndexSpace<Size>& layout, bool reduces) {
  const std::uint32_t reducedMask = std::exchange(layout.reducedMask, 0);
  std::size_t count = 0;  // number of dimensions that remain; they move to the front
  for (std::size_t d = 0; d < layout.extents.size(); ++d) {
    if (isOne(layout.extents[d])) continue;
    const bool reduced = (reducedMask >> d) & 1u;
    bool merge = count > 0 && ((layout.reducedMask >> (count - 1)) & 1u) == reduced;
    for (std::size_t t = 0; merge && t < layout.strides.size(); ++t)
      merge = layout.strides[t][count - 1] == productOf(layout.strides[t][d], layout.extents[d]);
    if (merge) {
      layout.extents[count - 1] = productOf(layout.extents[count - 1], layout.extents[d]);
    } else {
      if (reduced) layout.reducedMask |= 1u << count;
      if (count != d) layout.extents[count] = layout.extents[d];
      ++count;
    }
    if (count - 1 == d) continue;
    for (SizeList<Size>& strides : layout.strides) strides[count - 1] = strides[d];
  }
  layout.extents.truncate(count);
  for (SizeList<Size>& strides : layout.strides) strides.truncate(count);
  const auto appendOne = [&layout](const Size& stride) {
    layout.extents.push_back(Size(1));
    for (SizeList<Size>& strides : layout.strides) strides.push_back(stride);
  };
  if (reduces && layout.reducedMask == 0) {
    layout.reducedMask = 1u << layout.rank();
    appendOne(/*stride=*/Size(0));
  }
  if (layout.rank() == 0) appendOne(/*stride=*/Size(1));
}

/// Row-major strides over the dimensions not in `reducedMask`; 0 along those that are.
template <class Size>
SizeList<Size> outputStrides(const SizeList<Size>& extents, std::uint32_t reducedMask) {
  SizeList<Size> strides(extents.size(), Size(0));
  Size step(1);
  for (std::size_t d = extents.size(); d-- > 0;) {
    if ((reducedMask >> d) & 1u) continue;
    strides[d] = step;
    step = productOf(step, extents[d]);
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
