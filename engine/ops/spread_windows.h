// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/ops/contract_rule.h"

namespace fusebench {

/// One dimension of windows, seen from the positions that they cover.
struct SpreadWindow {
  WindowSettings settings;
  std::int64_t size = 1;     ///< elements of a window
  std::int64_t places = 0;   ///< number of positions in the dimension
  std::int64_t windows = 0;  ///< number of windows that cover it
};
inline constexpr std::size_t kMostWindows = 2;

/// Which element of a window is the greatest, counted in row-major order through the window: the
/// first of several equal ones, and the last NaN if there is one, as PyTorch's pooling chooses it.
/// `at`: the window, one number per dimension. `valueAt(places)`: the element there.
template <class ValueAt>
std::int64_t greatestOf(std::span<const SpreadWindow> dims, std::span<const std::int64_t> at,
                        const ValueAt& valueAt) {
  std::int64_t count = 1;
  for (const SpreadWindow& dim : dims) count *= dim.size;
  std::int64_t found = -1;
  double greatest = -std::numeric_limits<double>::infinity();
  for (std::int64_t element = 0; element < count; ++element) {
    std::array<std::int64_t, kMostWindows> places{};
    std::int64_t rest = element;
    bool inside = true;
    for (std::size_t d = dims.size(); d-- > 0;) {
      places[d] = dims[d].settings.place(at[d], rest % dims[d].size);
      rest /= dims[d].size;
      inside &= places[d] >= 0 && places[d] < dims[d].places;
    }
    if (!inside) continue;
    const double value = valueAt(std::span(places).first(dims.size()));
    if (found >= 0 && !(value > greatest) && !std::isnan(value)) continue;
    found = element;
    greatest = value;
  }
  return found;
}

}  // namespace fusebench
