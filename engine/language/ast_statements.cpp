// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <utility>

#include "engine/language/ast_parser.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using StatementKind = ast::Statement::Kind;
using ExprKind = ast::Expression::Kind;

/// Blocks nested deeper than any program has.
constexpr int kDeepestBlock = 60;

/// Refuses statements that Python has and programs do not, and says how to write them instead.
[[noreturn]] void refuseStatement(const Token& token) {
  const std::string found = "found '" + token.value + "'; ";
  for (std::string_view word : {"except", "finally"})
    if (token.value == word) failProgram(token.place, found + "there is no 'try' before it");
  for (std::string_view word : {"elif", "else"})
    if (token.value == word) failProgram(token.place, found + "there is no 'if' before it");
  if (token.value == "async" || token.value == "await")
    failProgram(token.place, found + "a program runs from its first line to its return");
  failProgram(token.place,
              found + "a program is made of assignments, such as x = torch.exp(x), and a return");
}

}  // namespace

std::string_view AstParser::augmented(const Token& token) {
  for (std::string_view symbol :
       {"+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "@=", "<<=", ">>="})
    if (token.is(symbol)) return symbol;
  return {};
}

void AstParser::endOfStatement() {
  const Token& token = cursor_.now();
  if (token.kind == Token::Kind::newline || token.is(";")) return cursor_.advance();
  if (token.kind == Token::Kind::end) return;
  failProgram(token.place, "expected the end of the line, but found " + token.shown());
}

void AstParser::skipBalanced() {
  int depth = 0;
  do {
    const Token& t = cursor_.now();
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (t.kind == Token::Kind::end || t.kind == Token::Kind::newline) return;
    cursor_.advance();
  } while (depth > 0);
}

std::string AstParser::skipHint() {
  std::string first;
  for (;;) {
    const Token& t = cursor_.now();
    if (t.is(",") || t.is(")") || t.is("=") || t.is(":") || t.kind == Token::Kind::newline ||
        t.kind == Token::Kind::end)
      return first;
    if (first.empty()) first = t.value;
    if (t.is("(") || t.is("["))
      skipBalanced();
    else
      cursor_.advance();
  }
}

std::string AstParser::dottedName() {
  std::string path;
  for (;;) {
    const Token& t = cursor_.now();
    if (t.kind != Token::Kind::name || isPythonKeyword(t.value))
      failProgram(t.place, "expected the name of a module, but found " + t.shown());
    path += t.value;
    cursor_.advance();
    if (!cursor_.accept(".")) return path;
    path += ".";
  }
}

std::string AstParser::nameToBind() {
  const Token token = cursor_.now();
  if (token.kind != Token::Kind::name || isPythonKeyword(token.value))
    failProgram(token.place, "expected a name, but found " + token.shown());
  cursor_.advance();
  return token.value;
}

ast::ExpressionPtr AstParser::decorator() {
  cursor_.advance();
  ast::ExpressionPtr made = expression();
  if (cursor_.now().kind != Token::Kind::newline)
    failProgram(cursor_.now().place, "expected the end of the line after a decorator, but found " +
                                         cursor_.now().shown());
  cursor_.advance();
  return made;
}

std::vector<ast::Parameter> AstParser::parameters(std::string_view closing) {
  std::vector<ast::Parameter> list;
  std::set<std::string> names;
  auto kind = ast::Parameter::Kind::plain;
  while (!cursor_.now().is(closing)) {
    const Token first = cursor_.now();
    const bool bare = first.is("*") && (cursor_.ahead().is(",") || cursor_.ahead().is(closing));
    if (bare) {
      cursor_.advance();
      kind = ast::Parameter::Kind::keywordOnly;
    } else if (!cursor_.accept("/")) {
      ast::Parameter made;
      made.kind = kind;
      made.place = first.place;
      if (first.is("*") || first.is("**")) {
        made.kind = first.is("*") ? ast::Parameter::Kind::args : ast::Parameter::Kind::keywords;
        kind = ast::Parameter::Kind::keywordOnly;
        cursor_.advance();
      }
      made.name = nameToBind();
      if (closing == ")" && cursor_.accept(":")) {
        const std::size_t begin = cursor_.now().begin;
        made.hint = skipHint();
        if (text_) made.annotation = text_->substr(begin, cursor_.last().end - begin);
      }
      if (!names.insert(made.name).second)
        failProgram(first.place, "two parameters are called '" + made.name + "'");
      if (cursor_.accept("=")) made.fallback = expression();
      list.push_back(std::move(made));
    }
    if (!cursor_.accept(",") && !cursor_.now().is(closing))
      failProgram(cursor_.now().place, "expected ',' or '" + std::string(closing) +
                                           "' after a parameter, but found " +
                                           cursor_.now().shown());
  }
  cursor_.advance();
  return list;
}

std::shared_ptr<const ast::Function> AstParser::function(
    std::vector<ast::ExpressionPtr> decorators) {
  auto made = std::make_shared<ast::Function>();
  for (const ast::ExpressionPtr& each : decorators)
    made->decorators.push_back(ast::dottedNameOf(*each));
  made->decorations = std::move(decorators);
  made->text = text_;
  if (cursor_.now().is("async")) refuseStatement(cursor_.now());
  cursor_.advance();
  made->place = cursor_.now().place;
  made->name = nameToBind();
  cursor_.expect("(", "after the function's name");
  made->parameters = parameters(")");
  if (cursor_.accept("->")) skipHint();
  const bool around = std::exchange(yields_, false);
  made->body = block();
  made->generates = std::exchange(yields_, around);
  return made;
}

ast::Block AstParser::block() {
  cursor_.expect(":", "at the end of the header");
  ast::Block found;
  if (cursor_.now().kind != Token::Kind::newline) {
    do found.push_back(simple());
    while (cursor_.last().is(";") && cursor_.now().kind != Token::Kind::newline);
    if (cursor_.last().is(";") && cursor_.now().kind == Token::Kind::newline) cursor_.advance();
    return found;
  }
  cursor_.advance();
  if (cursor_.now().kind != Token::Kind::indent)
    failProgram(cursor_.now().place,
                "expected an indented block after ':', but found " + cursor_.now().shown());
  cursor_.advance();
  if (++depth_ > kDeepestBlock)
    failProgram(cursor_.now().place,
                "blocks are nested more than " + std::to_string(kDeepestBlock) + " deep here");
  while (cursor_.now().kind != Token::Kind::dedent && cursor_.now().kind != Token::Kind::end) {
    if (cursor_.now().kind == Token::Kind::indent)
      failProgram(cursor_.now().place, "this line is indented deeper than the one above it");
    if (cursor_.now().kind == Token::Kind::newline)
      cursor_.advance();
    else
      found.push_back(statement());
  }
  --depth_;
  if (cursor_.now().kind == Token::Kind::dedent) cursor_.advance();
  return found;
}

ast::Statement AstParser::statement() {
  const Token& first = cursor_.now();
  if (first.is("if")) return condition();
  if (first.is("for") || first.is("while")) return loop();
  if (first.is("with")) return with();
  if (first.is("try")) return attempt();
  if (beginsMatch()) return match();
  if (first.is("class")) return classType();
  if (first.is("def") || first.is("async") || first.is("@")) {
    std::vector<ast::ExpressionPtr> decorators;
    ast::Statement made;
    made.place = first.place;
    made.begin = first.begin;
    while (cursor_.now().is("@")) decorators.push_back(decorator());
    if (cursor_.now().is("class")) {
      made = classType();
      made.decorations = std::move(decorators);
      return made;
    }
    if (!cursor_.now().is("def") && !cursor_.now().is("async"))
      failProgram(cursor_.now().place, "expected a function after '@'");
    made.kind = StatementKind::function;
    made.function = function(std::move(decorators));
    made.text = made.function->name;
    return made;
  }
  return simple();
}

ast::Statement AstParser::condition() {
  ast::Statement made;
  made.kind = StatementKind::condition;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  made.value = expression();
  made.end = cursor_.last().end;
  made.body = block();
  if (cursor_.now().is("elif")) {
    // A long run of them nests, so it is held to the depth of blocks.
    if (++depth_ > kDeepestBlock)
      failProgram(cursor_.now().place, "more than " + std::to_string(kDeepestBlock) + " 'elif'");
    made.otherwise.push_back(condition());
    --depth_;
  } else if (cursor_.accept("else")) {
    made.otherwise = block();
  }
  return made;
}

ast::Statement AstParser::loop() {
  ast::Statement made;
  made.kind = cursor_.now().is("for") ? StatementKind::loop : StatementKind::whileLoop;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  if (made.kind == StatementKind::loop) {
    made.targets.push_back(targetList());
    checkTarget(*made.targets.back());
    cursor_.expect("in", "after the names of 'for'");
    made.value = expressionList();
  } else {
    made.value = expression();
  }
  made.end = cursor_.last().end;
  made.body = block();
  if (cursor_.accept("else")) made.otherwise = block();
  return made;
}

ast::Statement AstParser::with() {
  ast::Statement made;
  made.kind = StatementKind::with;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  do {
    made.values.push_back(expression());
    ast::ExpressionPtr bound;
    if (cursor_.accept("as")) {
      bound = node(ast::Expression::Kind::name);
      bound->text = nameToBind();
    }
    made.targets.push_back(std::move(bound));
  } while (cursor_.accept(","));
  made.end = cursor_.last().end;
  made.body = block();
  return made;
}

ast::Statement AstParser::attempt() {
  ast::Statement made;
  made.kind = StatementKind::attempt;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  made.end = cursor_.last().end;
  made.body = block();
  while (cursor_.now().is("except")) {
    ast::Statement handler;
    handler.place = cursor_.now().place;
    handler.begin = cursor_.now().begin;
    cursor_.advance();
    if (!cursor_.now().is(":")) {
      handler.value = expressionList();
      if (cursor_.accept("as")) handler.text = nameToBind();
    }
    handler.end = cursor_.last().end;
    handler.body = block();
    made.handlers.push_back(std::move(handler));
  }
  if (cursor_.accept("else")) made.otherwise = block();
  const bool finally = cursor_.accept("finally");
  if (finally) made.lastly = block();
  if (made.handlers.empty() && !finally)
    failProgram(made.place, "found 'try'; there is no 'except' or 'finally' after its block");
  return made;
}

/// `match` is a word that names may have, too: the rest of its line decides.
bool AstParser::beginsMatch() const {
  if (!cursor_.now().is("match")) return false;
  const Token& next = cursor_.ahead();
  if (next.kind != Token::Kind::name && next.kind != Token::Kind::number &&
      next.kind != Token::Kind::text && !next.is("(") && !next.is("["))
    return false;
  for (std::size_t n = 1;; ++n) {
    const Token& t = cursor_.ahead(n);
    if (t.kind == Token::Kind::end) return false;
    if (t.kind == Token::Kind::newline)
      return cursor_.ahead(n - 1).is(":") && cursor_.ahead(n + 1).kind == Token::Kind::indent &&
             cursor_.ahead(n + 2).is("case");
  }
}

/// A literal, a dotted name, a name that takes what there is, or several of these with "|".
ast::ExpressionPtr AstParser::pattern() {
  return level(1);
}

ast::Statement AstParser::match() {
  ast::Statement made;
  made.kind = StatementKind::match;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  made.value = expressionList();
  made.end = cursor_.last().end;
  cursor_.expect(":", "at the end of the header");
  if (cursor_.now().kind == Token::Kind::newline) cursor_.advance();
  if (cursor_.now().kind == Token::Kind::indent) cursor_.advance();
  while (cursor_.now().is("case")) {
    ast::Statement one;
    one.place = cursor_.now().place;
    one.begin = cursor_.now().begin;
    cursor_.advance();
    do one.values.push_back(pattern());
    while (cursor_.accept("|"));
    if (cursor_.accept("as")) one.text = nameToBind();
    if (cursor_.accept("if")) one.message = expression();
    one.end = cursor_.last().end;
    one.body = block();
    made.handlers.push_back(std::move(one));
    while (cursor_.now().kind == Token::Kind::newline) cursor_.advance();
  }
  if (cursor_.now().kind == Token::Kind::dedent) cursor_.advance();
  if (made.handlers.empty())
    failProgram(made.place, "found 'match'; there is no 'case' in its block");
  return made;
}

std::vector<ast::ExpressionPtr> AstParser::bases() {
  std::vector<ast::ExpressionPtr> found;
  if (!cursor_.accept("(")) return found;
  while (!cursor_.now().is(")")) {
    if (cursor_.now().kind == Token::Kind::name && cursor_.ahead().is("=")) {  // metaclass=...
      cursor_.advance();
      cursor_.advance();
      expression();
    } else {
      found.push_back(expression());
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect(")", "after the class's bases");
  return found;
}

ast::Statement AstParser::classType() {
  ast::Statement made;
  made.kind = StatementKind::classType;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  cursor_.advance();
  made.text = nameToBind();
  made.values = bases();
  made.end = cursor_.last().end;
  made.body = block();
  return made;
}

ast::Statement AstParser::import() {
  ast::Statement made;
  made.kind = StatementKind::import;
  made.place = cursor_.now().place;
  made.begin = cursor_.now().begin;
  if (cursor_.now().is("from")) return importFrom(std::move(made));
  cursor_.advance();
  do {
    const std::string path = dottedName();
    const std::string first = path.substr(0, path.find('.'));
    if (cursor_.accept("as"))
      made.bindings.emplace_back(nameToBind(), path);
    else
      made.bindings.emplace_back(first, first);
  } while (cursor_.accept(","));
  endOfStatement();
  return made;
}

ast::Statement AstParser::importFrom(ast::Statement made) {
  cursor_.advance();
  const std::string module = dottedName();
  cursor_.expect("import", "after 'from " + module + "'");
  const bool open = cursor_.accept("(");
  do {
    if (cursor_.now().is("*"))
      failProgram(cursor_.now().place,
                  "found '*'; import torch, and write torch. before the functions");
    if (open && cursor_.now().is(")")) break;
    const std::string name = nameToBind();
    const std::string bound = cursor_.accept("as") ? nameToBind() : name;
    // Those of __future__ and typing name nothing that is used.
    made.bindings.emplace_back(bound, module + "." + name);
  } while (cursor_.accept(","));
  if (open) cursor_.expect(")", "after the imported names");
  endOfStatement();
  return made;
}

void AstParser::checkTarget(const ast::Expression& target) const {
  switch (target.kind) {
    case ExprKind::name:
      if (isPythonKeyword(target.text))
        failProgram(target.place, target.text + " cannot be assigned to");
      return;
    case ExprKind::starred:
      return checkTarget(*target.parts[0]);
    case ExprKind::tuple:
    case ExprKind::list:
      for (const auto& each : target.parts) checkTarget(*each);
      return;
    case ExprKind::postfix:
      if (target.trailers.back().kind != ast::Trailer::Kind::call) return;
      [[fallthrough]];
    default:
      failProgram(target.place, "only a plain name can be assigned to, as in x = torch.exp(x)");
  }
}

ast::Statement AstParser::assignment(ast::ExpressionPtr first, ast::Statement made) {
  checkTarget(*first);
  if (cursor_.now().is(":")) {
    made.kind = StatementKind::annotated;
    cursor_.advance();
    const std::size_t begin = cursor_.now().begin;
    skipHint();
    if (text_) made.text = text_->substr(begin, cursor_.last().end - begin);
    made.targets.push_back(std::move(first));
    if (cursor_.accept("=")) made.value = expressionList();
  } else if (const std::string_view symbol = augmented(cursor_.now()); !symbol.empty()) {
    made.kind = StatementKind::augmented;
    made.text = symbol.substr(0, symbol.size() - 1);
    made.symbolPlace = cursor_.now().place;
    cursor_.advance();
    made.targets.push_back(std::move(first));
    made.value = expressionList();
  } else {
    made.kind = StatementKind::assign;
    made.targets.push_back(std::move(first));
    while (cursor_.accept("=")) {
      ast::ExpressionPtr next = expressionList();
      if (cursor_.now().is("=")) {
        checkTarget(*next);
        made.targets.push_back(std::move(next));
      } else {
        made.value = std::move(next);
      }
    }
  }
  made.end = cursor_.last().end;
  endOfStatement();
  return made;
}

ast::Statement AstParser::simple() {
  const Token first = cursor_.now();
  ast::Statement made;
  made.place = first.place;
  made.begin = first.begin;
  const auto done = [&](StatementKind kind) {
    made.kind = kind;
    made.end = cursor_.last().end;
    endOfStatement();
    return std::move(made);
  };
  const auto ends = [&] {
    const Token& t = cursor_.now();
    return t.kind == Token::Kind::newline || t.kind == Token::Kind::end || t.is(";");
  };
  if (first.is("import") || first.is("from")) return import();
  if (first.kind == Token::Kind::text &&
      (cursor_.ahead().kind == Token::Kind::newline || cursor_.ahead().kind == Token::Kind::end)) {
    cursor_.advance();
    return done(StatementKind::docString);
  }
  if (first.is("return")) {
    cursor_.advance();
    if (!ends()) made.value = expressionList();
    return done(StatementKind::returned);
  }
  if (first.is("yield")) {
    cursor_.advance();
    yields_ = true;
    if (cursor_.accept("from")) made.text = "from";
    if (!ends()) made.value = expressionList();
    return done(StatementKind::yielded);
  }
  if (first.is("assert")) {
    cursor_.advance();
    made.value = expression();
    if (cursor_.accept(",")) made.message = expression();
    return done(StatementKind::check);
  }
  if (first.is("raise")) {
    cursor_.advance();
    if (!ends()) made.value = expression();
    if (cursor_.accept("from")) expression();
    return done(StatementKind::raise);
  }
  if (first.is("del")) {
    cursor_.advance();
    made.value = expressionList();
    return done(StatementKind::remove);
  }
  if (first.is("global") || first.is("nonlocal")) {
    cursor_.advance();
    do made.bindings.emplace_back(nameToBind(), first.value);
    while (cursor_.accept(","));
    return done(StatementKind::scope);
  }
  for (const auto& [word, kind] :
       {std::pair{"pass", StatementKind::pass}, std::pair{"break", StatementKind::leave},
        std::pair{"continue", StatementKind::next}})
    if (first.is(word)) {
      cursor_.advance();
      return done(kind);
    }
  const bool inExpressions = first.is("not") || first.is("lambda") || first.is("True") ||
                             first.is("False") || first.is("None");
  if (first.kind == Token::Kind::name && isPythonKeyword(first.value) && !inExpressions)
    refuseStatement(first);
  ast::ExpressionPtr value = expressionList();
  const Token& next = cursor_.now();
  if (next.is("=") || next.is(":") || !augmented(next).empty())
    return assignment(std::move(value), std::move(made));
  made.value = std::move(value);
  return done(StatementKind::expression);
}

}  // namespace fusebench
