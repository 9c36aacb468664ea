// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fusebench {

/// A number that is not negative, as an index.
inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace fusebench
