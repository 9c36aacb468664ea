// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shipped_key.h"

#include <charconv>
#include <string>

#include "engine/base/sha256.h"

namespace fusebench {

ShippedKey shippedKey(std::string_view text) {
  constexpr std::size_t kDigits = 16;  // 64 bits
  const std::string digest = sha256(text);
  ShippedKey key;
  std::from_chars(digest.data(), digest.data() + kDigits, key.high, 16);
  std::from_chars(digest.data() + kDigits, digest.data() + 2 * kDigits, key.low, 16);
  return key;
}

}  // namespace fusebench
