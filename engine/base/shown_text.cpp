// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shown_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace fusebench {
namespace {

/// The first character of a nonempty text.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = true;  ///< false: a byte that is not UTF-8
};

/// By the table of well-formed sequences (Unicode 15, table 3-7).
Character firstOf(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {lead, 1, false};
  std::uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {lead, 1, false};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return {lead, 1, false};
  return {code, bytes, true};
}

bool isObeyed(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

template <typename... Values>
std::string printed(const char* format, Values... values) {
  char text[16];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string spelled(const Character& character) {
  if (character.valid && character.code >= 0x80) return printed("\\u%04x", character.code);
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return printed("\\x%02x", character.code);
  }
}

/// Escapes control characters, except those in `kept`, among the first `most` characters.
std::string shown(std::string_view text, std::string_view kept, std::size_t most) {
  std::string result;
  result.reserve(text.size() < 4096 ? text.size() : 0);
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most) return result + "...";
    const Character character = firstOf(text);
    if (character.valid &&
        (!isObeyed(character.code) || kept.find(text[0]) != std::string_view::npos))
      result += text.substr(0, character.bytes);
    else
      result += spelled(character);
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string shownText(std::string_view text) {
  return shown(text, "\n\t", text.size());
}

std::string shownName(std::string_view name) {
  return shown(name, "", kShownCharacters);
}

std::string shownMessage(std::string_view message) {
  std::string result;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find(' '), message.size());
    const std::string_view word = message.substr(0, end);
    result += shownName(word);
    // A quotation that is cut off still gets its closing marks.
    constexpr std::string_view kClosing = "'\";:,.)";
    const std::size_t last = word.find_last_not_of(kClosing);
    if (word.size() > kShownCharacters && result.ends_with("...") && last != std::string_view::npos)
      result += word.substr(last + 1);
    const std::size_t next = std::min(message.find_first_not_of(' ', end), message.size());
    result += message.substr(end, next - end);
    message.remove_prefix(next);
  }
  return result;
}

std::string shownJson(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    // In JSON, control characters below 0x20 occur only between values: they are line ends.
    const auto ascii = static_cast<unsigned char>(json[0]);
    const Character character = ascii < 0x7F ? Character{ascii, 1, true} : firstOf(json);
    if (ascii >= 0x7F && character.valid && isObeyed(character.code))
      result += printed("\\u%04x", character.code);
    else
      result += json.substr(0, character.bytes);
    json.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace fusebench
