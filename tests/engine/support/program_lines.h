// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/language/parser.h"
#include "engine/language/program_builder.h"

namespace fusebench::test {

/// The flattened program's lines after its header, without indentation, joined by " | ".
inline std::string flat(const std::string& text, const ProgramHints& hints = {}) {
  std::string all = toText(parseProgram(text, hints));
  all = all.substr(all.find('\n') + 1);
  std::string joined;
  std::size_t at = 0;
  while (at < all.size()) {
    const std::size_t end = all.find('\n', at);
    joined += (joined.empty() ? "" : " | ") + all.substr(at + 4, end - at - 4);
    at = end + 1;
  }
  return joined;
}

/// The error that refuses a text, or the program that was read from it.
inline std::string refusal(const std::string& text, const ProgramHints& hints = {}) {
  try {
    return "accepted: " + toText(parseProgram(text, hints));
  } catch (const ProgramError& error) {
    return error.what();
  }
}

}  // namespace fusebench::test
