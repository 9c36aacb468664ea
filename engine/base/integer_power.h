// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fusebench {

/// base to the power of exponent, modulo 2^64. Negative exponents give 0, as in PyTorch, except for
/// the bases 1 and -1, which have an inverse.
inline std::int64_t integerPower(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
  for (; exponent > 0; exponent >>= 1, square *= square)
    if ((exponent & 1) != 0) result *= square;
  return static_cast<std::int64_t>(result);
}

}  // namespace fusebench
