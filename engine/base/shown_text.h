// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fusebench {

/// Text from an outside source, for a terminal or a message. It spells out, as \x1b, \u009b or
/// \xff, all that a terminal would obey instead of show (control characters other than line ends
/// and tabs, C1 included, marks that change the direction of writing) and bytes that are not valid
/// UTF-8.
std::string shownText(std::string_view text);

/// A name as messages quote it: shownText() on one line, the first 60 characters at most.
std::string shownName(std::string_view name);
inline constexpr std::size_t kShownCharacters = 60;

/// A message with names in it: each word of more than 60 characters is shortened as a name is.
std::string shownMessage(std::string_view message);

/// An equivalent JSON text without any of those characters.
std::string shownJson(std::string_view json);

}  // namespace fusebench
