// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/shipped_key.h"

namespace fusebench::cpu {

/// What ships for one level of processors, as the build writes it: keys in order, and where each
/// one's code begins, in bytes from the first of these numbers.
struct ShippedTable {
  std::string_view level;  ///< see ShippedLevel
  const ShippedKey* keys = nullptr;
  const std::int32_t* places = nullptr;
  std::size_t count = 0;
};

}  // namespace fusebench::cpu
