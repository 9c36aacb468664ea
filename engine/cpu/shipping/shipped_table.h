// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fusebench::cpu {

/// What identifies code that ships: a hash of its text, so that the texts themselves need not be
/// there.
struct ShippedKey {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const ShippedKey&, const ShippedKey&) = default;
};

/// `text`: a kernel's canonicalText(), or Stencil::text().
ShippedKey shippedKey(std::string_view text);

/// What ships for one level of processors, as the build writes it: keys in order, and where each
/// one's code begins, counted in bytes from the first of these numbers.
struct ShippedTable {
  std::string_view level;  ///< see ShippedLevel
  const ShippedKey* keys = nullptr;
  const std::int32_t* places = nullptr;
  std::size_t count = 0;
};

}  // namespace fusebench::cpu
