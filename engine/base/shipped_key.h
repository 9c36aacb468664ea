// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace fusebench {

/// What identifies code that ships: a hash of the text that it was made of, so that the texts
/// themselves need not be there.
struct ShippedKey {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const ShippedKey&, const ShippedKey&) = default;
};

/// The first 128 bits of the text's SHA-256.
ShippedKey shippedKey(std::string_view text);

}  // namespace fusebench
