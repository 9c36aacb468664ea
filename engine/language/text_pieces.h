// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/language/program_errors.h"
#include "engine/language/python_value.h"

namespace fusebench {

/// A text that is assembled from pieces. It checks its limit before it grows: no program needs a
/// longer text.
class TextPieces {
 public:
  explicit TextPieces(SourcePlace place) : place_(place) {}

  void add(std::string_view piece) {
    if (made_.size() + piece.size() > kLongest)
      failProgram(place_, "this string is longer than any program needs");
    made_ += piece;
  }
  void add(char letter) { add(std::string_view(&letter, 1)); }
  std::string take() { return std::move(made_); }
  PythonValue value() { return PythonValue::textOf(take(), place_); }

 private:
  static constexpr std::size_t kLongest = 100000;

  SourcePlace place_;
  std::string made_;
};

/// Whether a byte can be part of a name. Bytes of letters outside ASCII cannot.
inline bool isNameCharacter(char byte) {
  return byte == '_' || std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

// Python counts the letters of a text, which in UTF-8 are of one byte or more.

inline bool beginsLetter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
}

inline std::size_t letterCount(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, beginsLetter));
}

/// Number of bytes of the first letters of a text; all of them if it has no more letters.
inline std::size_t bytesOfLetters(std::string_view text, std::size_t letters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (beginsLetter(text[at]) && letters-- == 0) break;
  return at;
}

inline std::vector<std::string_view> lettersOf(std::string_view text) {
  std::vector<std::string_view> letters;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && !beginsLetter(text[end])) ++end;
    letters.push_back(text.substr(at, end - at));
    at = end;
  }
  return letters;
}

}  // namespace fusebench
