// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/utf8_text.h"

#include <cstddef>

namespace fusebench {
namespace {

/// How many bytes the character at the begin of `text` has; 0 if it is none.
std::size_t utf8LengthAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Too long for what they say, halves of pairs, beyond Unicode.
  const unsigned char second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

}  // namespace

std::string validUtf8(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8LengthAt(text);
    if (length == 0)
      made += "\xEF\xBF\xBD";
    else
      made += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return made;
}

}  // namespace fusebench
