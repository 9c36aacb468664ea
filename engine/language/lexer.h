// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

struct Token {
  enum class Kind : std::uint8_t {
    name,  ///< identifiers and Python's keywords
    number,
    text,     ///< a string literal; `value` is the part between its quotes
    symbol,   ///< operators and punctuation
    newline,  ///< end of a logical line
    indent,
    dedent,
    end
  };
  Kind kind;
  std::string value;  ///< as written; text: without the quotes
  SourcePlace place;
  std::size_t begin = 0;  ///< byte offsets in the program's text
  std::size_t end = 0;

  bool is(std::string_view symbol) const {
    return (kind == Kind::symbol || kind == Kind::name) && value == symbol;
  }
  /// The token as messages show it: "'+='", "the end of the line".
  std::string shown() const;
};

/// Splits Python source into tokens as Python does: comments, backslash continuations, brackets
/// that join lines, indentation. The indentation of the first line counts as none, so that the body
/// of a method can be pasted. Throws ProgramError for invalid characters and for unfinished strings
/// and brackets.
std::vector<Token> tokenize(std::string_view text);

/// An invalid token, in the logical line whose remaining tokens begin at byte `begin`.
struct LexerProblem {
  std::size_t begin = 0;
  SourcePlace place;
  std::string message;
};

/// The same for a text that is being edited: never throws. Invalid tokens are left out, and one
/// problem is recorded per logical line. A bracket that is never closed ends at the end of its
/// line.
std::vector<Token> tokenizeTolerantly(std::string_view text, std::vector<LexerProblem>& problems);

}  // namespace fusebench
