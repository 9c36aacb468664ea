// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace fusebench {

/// Sayings of a language by their English text.
using Sayings = std::map<std::string, std::string, std::less<>>;

/// What all messages are said in from here on; none of them: in English, as they are written. To be
/// chosen at the start, before other threads say anything.
void setMessages(Sayings messages);

/// A message in the chosen language. `english` is its key: a whole sentence or label with {} or {0}
/// where something is put in. It stays English if the catalogue lacks it, which a test forbids.
std::string_view said(std::string_view english);
/// Likewise of a number of things: two keys in English, as many forms as the language has.
std::string_view said(std::string_view one, std::string_view many, std::int64_t count);

/// A word that means several things in other languages, as a part of a call ("part", "launch")
/// does: its key is "part: launch".
std::string_view saidAs(std::string_view meaning, std::string_view english);

/// Marks a text of a table as a message, which is looked up where it is said.
constexpr const char* toBeSaid(const char* english) {
  return english;
}

/// The message with its parts put in.
template <typename... Parts>
std::string saying(fmt::format_string<Parts...> english, Parts&&... parts) {
  const fmt::string_view form = english;
  return fmt::format(fmt::runtime(said(std::string_view(form.data(), form.size()))),
                     std::forward<Parts>(parts)...);
}
/// The message as it is: nothing is put in.
inline std::string saying(const char* english) {
  return std::string(said(english));
}

}  // namespace fusebench
