// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fusebench {

/// Languages that there is a catalogue for, English, in which the messages are written, first:
/// "en", "zh_CN".
const std::vector<std::string>& languages();

/// The language of all messages from here on. Throws InputError naming those that there are. To be
/// chosen at the start, before other threads say anything.
void setLanguage(std::string_view language);
const std::string& language();

/// The language that the system asks for by LC_ALL, LC_MESSAGES or LANG ("zh_CN.UTF-8", and any
/// other Chinese in simplified writing); English where there is no catalogue for it.
std::string systemLanguage();

/// A message in the chosen language. `english` is its key: a whole sentence or label with {} or {0}
/// where something is put in. It stays English if the catalogue lacks it, which a test forbids.
std::string_view said(std::string_view english);
/// Likewise of a number of things: two keys in English, as many forms as the language has.
std::string_view said(std::string_view one, std::string_view many, std::int64_t count);

/// The message with its parts put in.
template <typename... Parts>
std::string saying(std::string_view english, Parts&&... parts) {
  return fmt::format(fmt::runtime(said(english)), std::forward<Parts>(parts)...);
}

}  // namespace fusebench
