// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/ast_parser.h"
#include "engine/language/program_layout.h"
#include "engine/language/program_source.h"

namespace fusebench {

using SourceExpression = ast::Expression;
using SourceStatement = ast::Statement;
using NameSet = std::set<std::string, std::less<>>;

/// What the printed text calls in place of parts that were not reached while the program was read.
inline constexpr std::string_view kNotReached = "_not_reached";

std::string indented(int depth, std::string_view line);
std::string joinedNames(const std::vector<std::string>& names);

/// The parts of a program's text that were reached while it was read: which statements they are,
/// the names that they read and bind, and their expressions as PyTorch receives them.
class SourceParts {
 public:
  /// `whole`: the program with all of its statements.
  SourceParts(const Program& program, const Program& whole, const SourceRecord& record);

 protected:
  /// A statement outside of functions. Those that only run the program are treated like any other
  /// lines.
  void addLine(SourceStatement s);
  static void skipLines(TokenCursor& cursor);
  std::size_t offsetOf(int token) const;
  /// Finds the program's own function and its class.
  void findMain();
  void collectImports(const SourceStatement& s);
  bool isReached(const SourceStatement& s) const;
  /// Whether it was executed but does not change any value, like a print.
  bool isPassedOver(const SourceStatement& s) const;
  /// Whether any line of the function was executed.
  bool isCalled(const ast::Function& function) const;
  /// Whether part of an expression was not evaluated and may have side effects.
  bool isLeftOut(const SourceExpression& part) const;
  /// Whether an expression calls something that is left out, such as open(): its value is not used.
  bool isOutside(const SourceExpression& e) const;
  /// The full path of a dotted name, resolved through the imports.
  std::string meant(const std::string& dotted) const;
  /// The parts of an expression that are evaluated conditionally.
  std::vector<const SourceExpression*> choicesOf(const SourceExpression& e) const;
  /// Calls visit on the printed parts of an expression.
  void within(const SourceExpression& e,
              const std::function<void(const SourceExpression&)>& visit) const;
  void readBy(const SourceExpression& e, std::vector<std::string>& names) const;
  static void boundBy(const SourceExpression& target, std::vector<std::string>& names);
  void boundIn(const SourceExpression& e, std::vector<std::string>& names) const;
  struct LineNames {
    std::vector<std::string> reads, binds;
    std::vector<std::string> elsewhere;  ///< declared `global` or `nonlocal`
    bool changes = false;                ///< assigns to an attribute or an item
  };
  void namesOf(const SourceStatement& s, LineNames& names) const;
  void functionNames(const ast::Function& function, LineNames& names) const;
  /// The text between two offsets, with edits: unreached parts and calls of torch.compile are
  /// replaced, because the executor decides what is compiled.
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::string slice(std::size_t begin, std::size_t end, std::vector<Edit> edits) const;
  void editsOf(const SourceExpression& e, std::vector<Edit>& edits) const;
  /// The text that a call of eval() was given, which is written in its place; null: the expression
  /// is no such call.
  const std::string* evaluatedBy(const SourceExpression& e) const;
  /// The argument of torch.compile(...) or torch.jit.script(...); null for other expressions.
  const SourceExpression* compiledBy(const SourceExpression& e) const;
  /// The end of the first call after an offset.
  std::size_t endOfCall(std::size_t begin) const;
  std::string expressionText(const SourceExpression& e) const;
  /// Whether a decorator changes the function's results; torch.compile and similar ones do not.
  bool isKept(const SourceExpression& decorator) const;
  bool isDataclass(const SourceExpression& decorator) const;
  bool isNamedTuple(const SourceExpression& base) const;
  /// The base class to print; empty: none.
  std::string baseText(const SourceExpression& base) const;

  const Program& program_;
  const Program& whole_;  ///< the program with all of its statements
  const ProgramSource& source_;
  const SourceRecord& record_;
  const std::string& text_;
  std::vector<Token> tokens_;
  ProgramLayout layout_;
  ast::Block top_;
  std::vector<std::shared_ptr<const ast::Function>> drivers_;  ///< see ProgramLayout::drivers
  ast::ExpressionPtr made_;  ///< the expression that creates the program's object
  const SourceStatement* main_ = nullptr;
  const ast::Function* function_ = nullptr;
  std::map<std::string, std::string> imported_;
  std::map<std::string, SourcePlace> importedAt_;
};

}  // namespace fusebench
