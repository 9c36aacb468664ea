// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/ast_parser.h"
#include "engine/language/evaluator.h"
#include "engine/language/lexer.h"
#include "engine/language/program_builder.h"
#include "engine/language/program_layout.h"
#include "engine/language/surroundings.h"

namespace fusebench {

/// Reads a program statement by statement; every member throws ProgramError where the text is
/// wrong. parseProgram runs it from the first line to the last; readers that continue after an
/// error derive from it.
class ProgramParser {
 public:
  ProgramParser(std::string_view text, std::vector<Token> tokens, ProgramHints hints = {});
  ProgramParser(const ProgramParser&) = delete;
  ProgramParser& operator=(const ProgramParser&) = delete;
  virtual ~ProgramParser() = default;

  Program run();
  /// Sets the record of the lines that reading reaches.
  void setRecord(SourceRecord* record);

 protected:
  const Token& now() const { return cursor_.now(); }
  /// One statement, or one token between statements.
  void line();
  void statement();
  void endOfStatement() { parser_.endOfStatement(); }
  void skipLine();
  /// One statement with its blocks, read and evaluated.
  void evaluated();
  void returned(const PythonValue& value, SourcePlace place, const std::string& text);

  // Headers: program_headers.cpp.
  /// After ':': either a block on the next lines, or statements on this one.
  void beginBlock();
  /// Only blocks that change nothing a program can see.
  void with();
  /// The header of the program's class, all of whose functions are read here.
  void classHeader();
  /// The header of the program's function.
  void function();
  void bindSizes(const std::vector<ast::Parameter>& parameters);
  void declare(const ast::Parameter& parameter, bool first);
  void takeGlobals(const std::map<std::string, PythonValue, std::less<>>& before, bool again);
  /// A function or a class that is not the program's; null if none begins here.
  const ProgramLayout::Part* otherPart() const;
  void define(const ProgramLayout::Part& part);
  bool lacksBlock(const ProgramLayout::Part& part) const;
  void bindPart(const ProgramLayout::Part& part);
  /// Reads and binds those behind the program, which it may call.
  void defineLater();
  PythonValue outsideValue(const ast::Expression& e);
  void makeModule(SourcePlace place);
  static void refuseHooks(const PythonValue& module);
  /// An error in a part of the text that is read before its turn.
  virtual void failAhead(const ProgramError& error) { throw error; }
  bool isMain(std::size_t token) const;

  // Lines around the program: program_surroundings.cpp.
  /// Whether the next statement is outside of the program's function or class.
  bool isAround() const;
  /// A line around the program that computes tensors: names that it binds, and that it mentions.
  struct Computing {
    std::set<std::string, std::less<>> targets, mentions;
  };
  void addMentioned(int begin, int end, std::set<std::string, std::less<>>& names) const;
  Computing namesIn(std::size_t begin, std::size_t end) const;
  void chooseComputing();
  void around();
  void aroundLater(const std::string& name);
  void aroundEarlier();
  void skipStatement();
  const ProgramCall* programCall() const;
  bool isWritten(const PythonValue& value) const;
  void takeCall(const std::vector<ast::Parameter>& parameters);
  const PythonValue* givenFor(const std::string& name) const;
  std::shared_ptr<const std::set<std::string, std::less<>>> assignedByProgram();
  void describe(const std::string& name, PythonValue& value, SourcePlace place);
  PythonValue givenParts(const std::string& name, PythonValue value, SourcePlace place,
                         std::string& text);
  PythonValue givenInput(const std::string& name, const PythonValue& value, SourcePlace place);
  bool declareGiven(const ast::Parameter& parameter);
  /// To be called once the text is read.
  void noteSurroundings();
  bool trainsAround() const;

  /// "+=" and its like, if the token is one.
  static std::string_view augmented(const Token& token) { return AstParser::augmented(token); }
  /// The program's text from one offset to another on one line: line breaks and comments in it
  /// become single spaces.
  std::string source(std::size_t begin, std::size_t end) const;
  [[noreturn]] void failWithoutReturn() const;
  void setText(std::string_view text);

  std::string_view text_;
  std::vector<Token> tokens_;
  TokenCursor cursor_;
  ProgramLayout layout_;
  Program program_;
  Names names_;
  ProgramBuilder builder_;
  AstParser parser_;
  Evaluator evaluator_;
  SourceRecord* record_ = nullptr;
  PythonValue type_;                     ///< the program's class
  std::map<std::size_t, bool> defined_;  ///< by first token: parts that are bound already
  Surroundings around_;
  std::map<std::size_t, Computing> computing_;  ///< by first token
  std::set<std::size_t> skipped_;               ///< first tokens of those that are left out
  int aroundFirst_ = 0, aroundLast_ = 0;        ///< lines behind the program
  const ProgramCall* called_ = nullptr;         ///< the call that gives the inputs
  PythonValue object_;  ///< the program's object, as lines around it made it
  /// The call's arguments by parameter; "*": those behind them.
  std::vector<std::pair<std::string, PythonValue>> given_;
  /// By parameter: the lines that compute its argument, see computingText().
  std::map<std::string, std::string, std::less<>> codes_;
  bool blockAllowed_ = false;
  /// A with statement whose block is being read.
  struct Mode {
    int depth;          ///< number of blocks around it
    BuildModes before;  ///< the modes around it
  };
  std::vector<Mode> modes_;
  int depth_ = 0;       ///< depth of nested blocks
  bool early_ = false;  ///< a return within a block was reached; lines after it are not executed
};

}  // namespace fusebench
