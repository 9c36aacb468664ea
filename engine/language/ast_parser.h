// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/language/ast.h"
#include "engine/language/token_cursor.h"

namespace fusebench {

/// Parses tokens of Python source into trees, with Python's precedences. Members throw ProgramError
/// at the token that does not fit.
class AstParser {
 public:
  explicit AstParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// Sets the text that offsets refer to. Functions keep a reference to it.
  void setText(std::string_view text) { text_ = std::make_shared<const std::string>(text); }

  // Expressions: ast_expressions.cpp.
  ast::ExpressionPtr expression();
  /// `a` or `a, b`, with starred items: a tuple without parentheses.
  ast::ExpressionPtr expressionList();
  /// Parses the expression after '@' and passes its line.
  ast::ExpressionPtr decorator();
  /// Parses an assignment target, up to the "in" of a for.
  ast::ExpressionPtr targetList();

  // Statements: ast_statements.cpp.
  /// Parses one statement with its blocks, past the end of its line.
  ast::Statement statement();
  /// After the ':' of a header: the statements on this line, or those of the indented block.
  ast::Block block();
  /// From 'def' to the end of the function. `decorators`: those before it.
  std::shared_ptr<const ast::Function> function(std::vector<ast::ExpressionPtr> decorators);
  /// From behind '(' past ')'.
  std::vector<ast::Parameter> parameters(std::string_view closing);
  /// A type hint: everything up to the token that ends it, brackets included; and its first word.
  std::string skipHint();
  void endOfStatement();
  /// "+=" or another such operator, if the token is one.
  static std::string_view augmented(const Token& token);
  std::string dottedName();
  std::string nameToBind();
  ast::Statement import();
  /// The bases of a class, from after its name to ':'.
  std::vector<ast::ExpressionPtr> bases();
  void skipBalanced();

 private:
  ast::ExpressionPtr node(ast::Expression::Kind kind);
  ast::ExpressionPtr finished(ast::ExpressionPtr made) const;
  ast::ExpressionPtr disjunction();
  ast::ExpressionPtr conjunction();
  ast::ExpressionPtr inversion();
  ast::ExpressionPtr comparison();
  ast::ExpressionPtr level(std::size_t level);
  ast::ExpressionPtr factor();
  ast::ExpressionPtr power();
  ast::ExpressionPtr postfix();
  ast::ExpressionPtr atom();
  ast::ExpressionPtr strings();
  ast::ExpressionPtr parenthesised();
  ast::ExpressionPtr bracketed();
  ast::ExpressionPtr braced();
  ast::ExpressionPtr lambda();
  ast::ExpressionPtr starredOrExpression();
  ast::ExpressionPtr comprehension(std::vector<ast::ExpressionPtr> elements, std::string kind,
                                   SourcePlace place, std::size_t begin);
  std::vector<ast::Clause> clauses();
  ast::Trailer arguments();
  ast::Trailer subscript();
  ast::ExpressionPtr subscriptItem();
  bool endsList() const;

  ast::Statement simple();
  ast::Statement condition();
  ast::Statement loop();
  ast::Statement with();
  ast::Statement attempt();
  ast::Statement match();
  bool beginsMatch() const;
  ast::ExpressionPtr pattern();
  ast::Statement classType();
  ast::Statement assignment(ast::ExpressionPtr first, ast::Statement made);
  ast::Statement importFrom(ast::Statement made);
  void checkTarget(const ast::Expression& target) const;

  TokenCursor& cursor_;
  std::shared_ptr<const std::string> text_;
  int depth_ = 0;
  bool yields_ = false;  ///< the function being parsed has a yield
};

/// Parses a separate text as an expression: the part between the braces of an f-string. `within`:
/// the kind of text, for messages. Throws.
ast::ExpressionPtr parseExpression(std::string_view text, SourcePlace place,
                                   const char* within = "an f-string");

}  // namespace fusebench
