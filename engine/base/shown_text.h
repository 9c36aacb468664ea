// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fusebench {

/// Text from an outside source, prepared for a terminal or a message. Everything that a terminal
/// would interpret instead of displaying (control characters other than line ends and tabs,
/// including C1, and marks that change the writing direction) and bytes that are not valid UTF-8
/// are escaped, as \x1b, \u009b or \xff.
std::string shownText(std::string_view text);

/// A name as messages quote it: shownText() on one line, the first 60 characters at most.
std::string shownName(std::string_view name);
inline constexpr std::size_t kShownCharacters = 60;

/// A message that contains names: each word of more than 60 characters is shortened like a name.
std::string shownMessage(std::string_view message);

/// An equivalent JSON text without any of those characters.
std::string shownJson(std::string_view json);

}  // namespace fusebench
