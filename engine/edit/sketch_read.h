// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/edit/sketch.h"
#include "engine/language/program_parser.h"

namespace fusebench {

/// A piece of a text that is being edited: bytes [begin, end).
struct SourceRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// One line (or one of several on a line) of a text that is being edited.
struct SketchItem {
  enum class Kind : std::uint8_t {
    header,     ///< def, class, with: opens a block
    other,      ///< imports, numbers with names, comments in quotes
    statement,  ///< Program::statements[statement]
    returned,
    refused  ///< no part of the program: another function, what follows the return
  };
  Kind kind = Kind::other;
  SourceRange range;        ///< without comment and surrounding space
  int statement = -1;       ///< the last of the program's statements that it is
  int firstStatement = -1;  ///< the first
  bool compound = false;  ///< a loop, a choice, several names, a call of a function with statements
  bool understood = true;
  int block = -1;         ///< index of the item that opens the unsupported block around it
  bool declares = false;  ///< the def header that names the inputs
  /// Names in it that were values before it, and inputs that begin in it.
  std::vector<std::pair<std::string, ValueId>> reads;
  std::vector<std::string> names;  ///< not understood: the names that it binds
};

/// A sketch with the positions of its lines.
struct SketchReading {
  Sketch sketch;
  std::vector<SketchItem> items;                               ///< in the text's order
  bool declared = false;                                       ///< a def header lists the inputs
  std::vector<std::pair<std::string, PythonValue>> constants;  ///< that the def header names
};

SketchReading readSketch(std::string_view text, const ProgramHints& hints = {});

/// Reads a program and continues after errors.
class TolerantParser : public ProgramParser {
 public:
  explicit TolerantParser(std::string_view text, const ProgramHints& hints = {});
  SketchReading readAll();

 protected:
  /// The state that is restored if a statement turns out not to be understood.
  struct Before {
    std::size_t token;
    std::size_t ops, inputs, statements, checks, held, frames, branches;
    bool returned, declared;
    std::string first;                 ///< the statement's first word
    std::optional<PythonValue> bound;  ///< the value that it was bound to
    /// All names, if a statement may bind several before it turns out to be invalid.
    std::optional<std::map<std::string, PythonValue, std::less<>>> names;
  };
  TolerantParser(std::string_view text, const ProgramHints& hints,
                 std::vector<LexerProblem> problems);
  Before before() const;
  void restore(const Before& before);
  /// Position of the token that ends the statement beginning at `token`: ';' or the line's end.
  std::size_t statementEnd(std::size_t token, bool wholeLine) const;
  /// An op without a row for the tokens [begin, end): reads the values in it, names its targets.
  void placeholder(std::size_t begin, std::size_t end, SourceRange range, bool newInputs);
  void placeholderReturn(std::size_t begin, std::size_t end, SourceRange range);

  std::vector<LexerProblem> lexerProblems_;
  std::size_t nextProblem_ = 0;

  void step();

 private:
  void failAhead(const ProgramError& error) override;
  void record(const Before& before, std::size_t end);
  void recover(const Before& before, const ProgramError& error, bool lexical);
  void recoverHeader(const Before& before, std::size_t end, SourceRange range);
  void skipBlock(int header, const std::string& message, bool keep);
  void blockLine(int header, const std::string& message, bool keep);
  bool startsOtherFunction(const Before& before) const;
  void problem(SourcePlace place, const std::string& message, int statement, int op);
  bool isCompound(const Before& before) const;
  SketchItem& item(SketchItem::Kind kind, SourceRange range);
  Op unknownOp(std::size_t begin, std::size_t end, bool newInputs);
  std::vector<std::string> targets(std::size_t begin, std::size_t end) const;
  bool isPlainTarget(std::size_t at, std::size_t end) const;
  bool namesValue(std::size_t at, int depth) const;
  void noteReads(SketchItem& item, std::size_t begin, std::size_t end,
                 const std::optional<PythonValue>& first) const;
  SourceRange rangeOf(std::size_t begin, std::size_t end) const;

  SketchReading reading_;
  ProgramHints hints_;
};

}  // namespace fusebench
