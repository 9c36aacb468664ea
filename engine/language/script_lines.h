// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/lexer.h"

namespace fusebench {

/// A statement of a script: a simple one, or a header with the lines under it.
struct ScriptLine {
  std::size_t begin = 0, end = 0;  ///< its tokens; for a header, without the colon
  std::vector<ScriptLine> body;    ///< of a header
  bool header = false;
  std::vector<ScriptLine> rest;  ///< the headers that belong to it: elif, else, except, finally
};
using ScriptNames = std::set<std::string, std::less<>>;

/// Classifies the lines of a script by their tokens alone.
class ScriptReader {
 public:
  ScriptReader(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens) {}

  std::vector<ScriptLine> lines();

  const Token& token(std::size_t i) const { return tokens_[i]; }
  int lineOf(const ScriptLine& line) const { return tokens_[line.begin].place.line; }
  int lastLineOf(const ScriptLine& line) const;
  std::string textOf(std::size_t begin, std::size_t end) const;
  bool is(const ScriptLine& line, std::string_view word) const {
    return tokens_[line.begin].is(word);
  }

  /// Names that the tokens mention, except as attributes or as keywords of a call.
  ScriptNames mentions(std::size_t begin, std::size_t end) const;
  ScriptNames mentions(const ScriptLine& line) const;
  /// The position of the "=" of an assignment, or of "+=" and similar operators; `end`: there is
  /// none.
  std::size_t assigned(const ScriptLine& line) const;
  ScriptNames targets(const ScriptLine& line) const;
  /// Names that any of the lines bind, including those under headers, but not lines that only
  /// report.
  ScriptNames allTargets(const ScriptLine& line) const;
  /// Whether a statement only prints, times or counts, and computes nothing that another one needs.
  bool reports(const ScriptLine& line) const;
  /// Where a call begins that creates a tensor of known or random values; `end`: none.
  std::size_t making(std::size_t begin, std::size_t end) const;
  /// The position after the call that begins at `begin`, and after the moves that follow it.
  std::size_t endOfCall(std::size_t begin, std::size_t end) const;
  /// The arguments between a "(" and its ")", split at the commas.
  std::vector<std::string> arguments(std::size_t open, std::size_t end) const;
  /// Whether the value of an assignment is an object created from a class: `Name(...)`.
  bool makesObject(const ScriptLine& line) const;
  /// Whether a line is a call or another expression whose value is discarded.
  bool isBare(const ScriptLine& line) const;
  /// Whether a line only moves or casts tensors: x = x.to(device).
  bool moves(const ScriptLine& line) const;

 private:
  std::vector<ScriptLine> block(std::size_t& next) const;
  void following(std::size_t begin, std::size_t end, std::vector<ScriptLine>& rest) const;
  void simple(std::size_t begin, std::size_t end, std::vector<ScriptLine>& found) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
};

}  // namespace fusebench
