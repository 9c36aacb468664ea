// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/cpu/instant/op_list_walk.h"

namespace fusebench::cpu {

/// Up to this many elements, copying a run costs less than setting it up.
inline constexpr std::int64_t kShortRun = 8;

/// The elements of a row one after another: `count` of them from strided memory.
template <typename Copy>
void alongRow(const OpListWalk& walk, const TensorWalk& tensor, std::int64_t from, std::int64_t to,
              Copy&& copy) {
  Odometer odometer(walk.row, tensor.row);
  odometer.goTo(from);
  for (std::int64_t at = from; at < to;) {
    const std::int64_t count = std::min(odometer.run(), to - at);
    copy(at - from, odometer.offset(), odometer.lastStride(), count);
    odometer.advance(count);
    at += count;
  }
}

/// The same if runs along the last loop are short: `copy` receives the first elements of several
/// runs at once, then all second ones, and so on. `step`: the distance between them in the row.
template <typename Copy>
void acrossRuns(const OpListWalk& walk, const TensorWalk& tensor, std::int64_t from,
                std::int64_t to, Copy&& copy) {
  const int last = walk.row.rank() - 1;
  const std::int64_t width = last < 1 ? 0 : walk.row[last];
  if (width < 2 || width > kShortRun || to - from < 2 * width)
    return alongRow(walk, tensor, from, to,
                    [&](std::int64_t at, std::int64_t offset, std::int64_t stride,
                        std::int64_t count) { copy(at, 1, offset, stride, count); });
  // Single runs until the start of one, then full runs together, then the remainder.
  const std::int64_t first = (from + width - 1) / width, end = to / width;
  const auto rest = [&](std::int64_t begin, std::int64_t stop) {
    alongRow(walk, tensor, begin, stop,
             [&](std::int64_t at, std::int64_t offset, std::int64_t stride, std::int64_t count) {
               copy(begin - from + at, 1, offset, stride, count);
             });
  };
  rest(from, first * width);
  Dims extents;
  Strides strides;
  for (int d = 0; d < last; ++d) {
    extents.push(walk.row[d]);
    strides.push(tensor.row[d]);
  }
  Odometer odometer(extents, strides);
  odometer.goTo(first);
  for (std::int64_t run = first; run < end;) {
    const std::int64_t count = std::min(odometer.run(), end - run);
    for (std::int64_t i = 0; i < width; ++i)
      copy(run * width + i - from, width, odometer.offset() + i * tensor.row[last],
           odometer.lastStride(), count);
    odometer.advance(count);
    run += count;
  }
  rest(end * width, to);
}

/// With a stride that the compiler knows, so that it can vectorize. `kReads`: it is the source's,
/// otherwise the destination's.
template <bool kReads, std::int64_t kStride, typename Element>
void copyBy(Element* __restrict to, const Element* __restrict from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    if constexpr (kReads)
      to[i] = from[i * kStride];
    else
      to[i * kStride] = from[i];
}

template <bool kReads, typename Element>
void copyApart(Element* to, const Element* from, std::int64_t stride, std::int64_t count) {
  if (stride == 2) return copyBy<kReads, 2>(to, from, count);
  if (stride == 3) return copyBy<kReads, 3>(to, from, count);
  if (stride == 4) return copyBy<kReads, 4>(to, from, count);
  for (std::int64_t i = 0; i < count; ++i)
    to[kReads ? i : i * stride] = from[kReads ? i * stride : i];
}

template <typename Element>
void copyStrided(Element* to, std::int64_t toStride, const Element* from, std::int64_t fromStride,
                 std::int64_t count) {
  if (toStride == 1 && fromStride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Element));
    return;
  }
  if (toStride == 1 && fromStride == 0) {  // a column, spread over its row
    std::fill_n(to, count, *from);
    return;
  }
  if (toStride == 1 && fromStride <= 4) return copyApart<true>(to, from, fromStride, count);
  if (fromStride == 1 && toStride <= 4) return copyApart<false>(to, from, toStride, count);
  for (std::int64_t i = 0; i < count; ++i) to[i * toStride] = from[i * fromStride];
}

inline void copyStrided(std::byte* to, std::int64_t toStride, const std::byte* from,
                        std::int64_t fromStride, std::int64_t count, std::size_t bytes) {
  if (bytes == 1)
    return copyStrided(reinterpret_cast<std::uint8_t*>(to), toStride,
                       reinterpret_cast<const std::uint8_t*>(from), fromStride, count);
  if (bytes == 2)
    return copyStrided(reinterpret_cast<std::uint16_t*>(to), toStride,
                       reinterpret_cast<const std::uint16_t*>(from), fromStride, count);
  if (bytes == 4)
    return copyStrided(reinterpret_cast<std::uint32_t*>(to), toStride,
                       reinterpret_cast<const std::uint32_t*>(from), fromStride, count);
  copyStrided(reinterpret_cast<std::uint64_t*>(to), toStride,
              reinterpret_cast<const std::uint64_t*>(from), fromStride, count);
}

}  // namespace fusebench::cpu
