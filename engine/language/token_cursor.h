// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/lexer.h"

namespace fusebench {

/// A position in the tokens of a program.
class TokenCursor {
 public:
  explicit TokenCursor(const std::vector<Token>& tokens) : tokens_(tokens) {}
  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t n = 1) const {
    return tokens_[std::min(at_ + n, tokens_.size() - 1)];
  }
  const Token& last() const { return tokens_[at_ > 0 ? at_ - 1 : 0]; }
  void advance() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  std::size_t position() const { return at_; }
  void seek(std::size_t position) { at_ = position; }
  bool accept(std::string_view symbol);
  /// Throws ProgramError naming the expected symbol, and what it should follow.
  void expect(std::string_view symbol, const std::string& where);

 private:
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

bool isPythonKeyword(std::string_view word);

}  // namespace fusebench
