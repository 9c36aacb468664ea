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

/// Sets the language of all later messages; an empty map: English, as they are written. Call it at
/// the start, before other threads make messages.
void setMessages(Sayings messages);

/// A message in the chosen language. `english` is its key: a whole sentence or label with {} or {0}
/// where parts are inserted. It stays English if the catalogue lacks it, which a test forbids.
std::string_view said(std::string_view english);
/// The same for a number of things: two keys in English, as many forms as the language has.
std::string_view said(std::string_view one, std::string_view many, std::int64_t count);

/// A word that means several things in other languages, as a part of a call ("part", "launch")
/// does: its key is "part: launch".
std::string_view saidAs(std::string_view meaning, std::string_view english);

/// Marks a text of a table as a message, which is looked up where it is shown.
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
