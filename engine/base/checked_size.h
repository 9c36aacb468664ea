// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace fusebench {

/// A count of elements or bytes, a stride or an offset does not fit into 64 bits. Type inference
/// rejects such sizes of a program and names the line; this is thrown where sizes have not been
/// checked yet.
class SizeOverflow : public std::overflow_error {
 public:
  SizeOverflow();
};
[[noreturn]] void throwSizeOverflow();

/// Arithmetic on sizes that never wraps. Each throws SizeOverflow instead.
inline std::int64_t checkedAdd(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throwSizeOverflow();
  return result;
}
inline std::int64_t checkedSubtract(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) throwSizeOverflow();
  return result;
}
inline std::int64_t checkedMultiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throwSizeOverflow();
  return result;
}

/// The same for figures that are only displayed or used in estimates, such as FLOPs. A result that
/// does not fit into 64 bits becomes the largest number. The operands must not be negative.
inline std::int64_t cappedAdd(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}
inline std::int64_t cappedMultiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

/// The maximum number of bytes of a tensor: a processor with 48-bit addresses gives a process half
/// of them.
inline constexpr std::int64_t kAddressSpaceBytes = std::int64_t{1} << 47;
/// The maximum number of elements of a view, all of which may be the same one: their number in
/// bytes must fit into 64 bits, as PyTorch requires.
inline constexpr std::int64_t kMostViewElements = std::int64_t{1} << 59;
/// The maximum number of elements that one op may process: at a thousand billion per second this
/// takes hours.
inline constexpr std::int64_t kMostPoints = std::int64_t{1} << 53;

}  // namespace fusebench
