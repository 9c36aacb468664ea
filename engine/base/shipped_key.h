// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// The identity of shipped code: a hash of the text that it was compiled from, so that the texts
/// themselves need not ship.
struct ShippedKey {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const ShippedKey&, const ShippedKey&) = default;
};

/// The first 128 bits of the text's SHA-256.
ShippedKey shippedKey(std::string_view text);

}  // namespace fusebench
