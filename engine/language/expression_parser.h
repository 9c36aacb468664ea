// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/lexer.h"
#include "engine/language/program_builder.h"
#include "engine/language/python_value.h"

namespace fusebench {

/// What names mean at a point of a program.
struct Names {
  std::map<std::string, PythonValue, std::less<>> bound;
  bool declared = false;  ///< a def header lists the inputs; else an unknown name is a new input
};

/// A place in the tokens of a program.
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
  /// Throws ProgramError naming what was expected, and after what.
  void expect(std::string_view symbol, const std::string& where);

 private:
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

/// Reads expressions with Python's precedences. Tensors' operators and calls become ops as they are
/// read, in the order in which Python evaluates them; numbers are computed.
class ExpressionParser {
 public:
  ExpressionParser(TokenCursor& cursor, ProgramBuilder& builder, Names& names, Program& program)
      : cursor_(cursor), builder_(builder), names_(names), program_(program) {}

  /// One expression; throws ProgramError.
  PythonValue expression();
  /// `a` or `a, b`: the items of a tuple without parentheses.
  std::vector<PythonValue> expressionList();

 private:
  PythonValue binaryLevel(std::size_t level);
  PythonValue factor();
  PythonValue power();
  PythonValue postfix();
  PythonValue atom();
  PythonValue parenthesised();
  PythonValue name();
  PythonValue attribute(const PythonValue& of);
  PythonValue call(const PythonValue& callee, SourcePlace place);
  std::vector<CallArgument> arguments();
  PythonValue combine(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                      SourcePlace place);
  void refuseTrailing();

  TokenCursor& cursor_;
  ProgramBuilder& builder_;
  Names& names_;
  Program& program_;
  int depth_ = 0;
};

/// Whether Python reserves the word; such words cannot be names.
bool isPythonKeyword(std::string_view word);

}  // namespace fusebench
