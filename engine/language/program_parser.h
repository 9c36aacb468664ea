// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/expression_parser.h"
#include "engine/language/lexer.h"
#include "engine/language/program_builder.h"

namespace fusebench {

/// Reads a program statement by statement; every member throws ProgramError where the text is
/// wrong. parseProgram runs it from the first line to the last; readers that go on after an error
/// derive from it.
class ProgramParser {
 public:
  ProgramParser(std::string_view text, std::vector<Token> tokens);
  ProgramParser(const ProgramParser&) = delete;
  ProgramParser& operator=(const ProgramParser&) = delete;

  Program run();

 protected:
  const Token& now() const { return cursor_.now(); }
  /// One statement, or one token between statements.
  void line();
  void statement();
  void endOfStatement();
  void skipLine();
  void docString();
  [[noreturn]] void refuseKeyword(const Token& token);

  // Imports and headers: program_headers.cpp.
  std::string dottedName();
  std::string nameToBind();
  void bindPath(const std::string& name, const std::string& path, SourcePlace place);
  void import();
  void importFrom();
  /// After ':': either a block on the next lines, or statements on this one.
  void beginBlock();
  void classHeader();
  /// Skips from an opening bracket past the one that closes it.
  void skipBalanced();
  /// Only blocks that change nothing a program can see.
  void with();
  void function();
  void parameters();
  void parameter();
  /// A type hint: everything up to what ends it, brackets included.
  void skipHint();

  /// "+=" and its like, if the token is one.
  static std::string_view augmented(const Token& token);
  /// Whether a name is followed by what makes it a target.
  bool assigns() const;
  void assignment();
  PythonValue assignedValue();
  PythonValue augmentedValue(const Token& target, const Token& symbol, std::string_view operation);
  void returned();
  void expressionStatement();
  /// The program's text from one offset to another on one line: line breaks and comments in it
  /// become single spaces.
  std::string source(std::size_t begin, std::size_t end) const;
  [[noreturn]] void failWithoutReturn() const;

  std::string_view text_;
  std::vector<Token> tokens_;
  TokenCursor cursor_;
  Program program_;
  Names names_;
  ProgramBuilder builder_;
  ExpressionParser expressions_;
  std::map<std::string, bool, std::less<>> parameterNames_;
  bool blockAllowed_ = false;
};

}  // namespace fusebench
