// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/symbolic.h"

namespace fusebench {

/// An index space and how tensors step through it. Size is std::int64_t or SymbolicSize.
template <class Size>
struct Layout {
  std::vector<Size> extents;  ///< outermost first
  std::uint32_t reducedMask = 0;
  std::vector<std::vector<Size>> strides;  ///< per tensor, per dimension

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
std::vector<Size> outputStrides(const std::vector<Size>& extents, std::uint32_t reducedMask) {
  std::vector<Size> strides(extents.size(), Size(0));
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
std::vector<Size> broadcastStrides(const std::vector<Size>& extents,
                                   const std::vector<Size>& strides,
                                   const std::vector<Size>& space) {
  std::vector<Size> result(space.size(), Size(0));
  const std::size_t missing = space.size() - extents.size();
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (!isOne(extents[d])) result[missing + d] = strides[d];
  return result;
}

}  // namespace fusebench
