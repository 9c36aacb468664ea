// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "engine/language/ast_parser.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using ast::Expression;
using ast::ExpressionPtr;
using ast::Trailer;
using ExprKind = Expression::Kind;

/// Deeper nesting than any program has; a limit, so that hostile text cannot exhaust the stack.
constexpr int kDeepestExpression = 200;

class DeeperExpression {
 public:
  DeeperExpression(int& depth, SourcePlace place) : depth_(depth) {
    if (++depth_ > kDeepestExpression) {
      --depth_;
      failProgram(place, "expressions are nested more than " + std::to_string(kDeepestExpression) +
                             " deep here");
    }
  }
  ~DeeperExpression() { --depth_; }
  DeeperExpression(const DeeperExpression&) = delete;
  DeeperExpression& operator=(const DeeperExpression&) = delete;

 private:
  int& depth_;
};

constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// Python's binary operators between comparisons and unary ones, loosest first; ** is apart.
constexpr std::array<std::array<std::string_view, 6>, 6> kLevels = {
    {{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}};

bool atLevel(const Token& token, std::size_t level) {
  return token.kind == Token::Kind::symbol &&
         std::find(kLevels[level].begin(), kLevels[level].end(), token.value) !=
             kLevels[level].end();
}

bool isComparison(const Token& token) {
  for (std::string_view symbol : {"<", "<=", ">", ">=", "==", "!=", "in", "is"})
    if (token.is(symbol)) return true;
  return false;
}

/// A string's escapes as Python reads them, as far as programs have them.
std::string withoutEscapes(const std::string& raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 >= raw.size()) {
      text += raw[i];
      continue;
    }
    const char c = raw[++i];
    if (c == 'n')
      text += '\n';
    else if (c == 't')
      text += '\t';
    else if (c == '\\' || c == '\'' || c == '"')
      text += c;
    else if (c != '\n')
      (text += '\\') += c;
  }
  return text;
}

}  // namespace

bool isPythonKeyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool TokenCursor::accept(std::string_view symbol) {
  if (!now().is(symbol)) return false;
  advance();
  return true;
}

void TokenCursor::expect(std::string_view symbol, const std::string& where) {
  if (accept(symbol)) return;
  failProgram(now().place,
              "expected '" + std::string(symbol) + "' " + where + ", but found " + now().shown());
}

ExpressionPtr AstParser::node(ExprKind kind) {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->place = cursor_.now().place;
  made->begin = cursor_.now().begin;
  return made;
}

ExpressionPtr AstParser::finished(ExpressionPtr made) const {
  made->end = cursor_.last().end;
  return made;
}

ExpressionPtr AstParser::expression() {
  const DeeperExpression deeper(depth_, cursor_.now().place);
  if (cursor_.now().is("lambda")) return lambda();
  if (cursor_.now().kind == Token::Kind::name && cursor_.ahead().is(":=")) {
    ExpressionPtr made = node(ExprKind::walrus);
    made->text = nameToBind();
    cursor_.advance();
    made->parts.push_back(expression());
    return finished(std::move(made));
  }
  ExpressionPtr value = disjunction();
  if (!cursor_.now().is("if")) return value;
  ExpressionPtr made = node(ExprKind::conditional);
  made->begin = value->begin;
  cursor_.advance();
  made->parts.push_back(disjunction());
  cursor_.expect("else", "after the condition");
  made->parts.push_back(std::move(value));
  made->parts.push_back(expression());
  return finished(std::move(made));
}

ExpressionPtr AstParser::starredOrExpression() {
  if (!cursor_.now().is("*")) return expression();
  ExpressionPtr made = node(ExprKind::starred);
  cursor_.advance();
  made->parts.push_back(level(0));
  return finished(std::move(made));
}

bool AstParser::endsList() const {
  const Token& t = cursor_.now();
  if (t.kind == Token::Kind::newline || t.kind == Token::Kind::end) return true;
  for (std::string_view symbol : {"=", ")", "]", "}", ":", ";", "in"})
    if (t.is(symbol)) return true;
  return false;
}

ExpressionPtr AstParser::expressionList() {
  ExpressionPtr made = node(ExprKind::tuple);
  ExpressionPtr first = starredOrExpression();
  if (!cursor_.now().is(",") && first->kind != ExprKind::starred) return first;
  made->parts.push_back(std::move(first));
  while (cursor_.accept(",")) {
    if (endsList()) break;
    made->parts.push_back(starredOrExpression());
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::targetList() {
  ExpressionPtr made = node(ExprKind::tuple);
  const auto one = [&] {
    if (!cursor_.now().is("*")) return level(0);
    ExpressionPtr starred = node(ExprKind::starred);
    cursor_.advance();
    starred->parts.push_back(level(0));
    return finished(std::move(starred));
  };
  ExpressionPtr first = one();
  if (!cursor_.now().is(",") && first->kind != ExprKind::starred) return first;
  made->parts.push_back(std::move(first));
  while (cursor_.accept(",")) {
    if (endsList()) break;
    made->parts.push_back(one());
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::disjunction() {
  ExpressionPtr first = conjunction();
  if (!cursor_.now().is("or")) return first;
  ExpressionPtr made = node(ExprKind::either);
  made->begin = first->begin;
  made->parts.push_back(std::move(first));
  while (cursor_.now().is("or")) {
    made->symbolPlaces.push_back(cursor_.now().place);
    cursor_.advance();
    made->parts.push_back(conjunction());
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::conjunction() {
  ExpressionPtr first = inversion();
  if (!cursor_.now().is("and")) return first;
  ExpressionPtr made = node(ExprKind::both);
  made->begin = first->begin;
  made->parts.push_back(std::move(first));
  while (cursor_.now().is("and")) {
    made->symbolPlaces.push_back(cursor_.now().place);
    cursor_.advance();
    made->parts.push_back(inversion());
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::inversion() {
  if (!cursor_.now().is("not")) return comparison();
  const DeeperExpression deeper(depth_, cursor_.now().place);
  ExpressionPtr made = node(ExprKind::negation);
  cursor_.advance();
  made->parts.push_back(inversion());
  return finished(std::move(made));
}

ExpressionPtr AstParser::comparison() {
  ExpressionPtr first = level(0);
  const auto compares = [&] {
    return isComparison(cursor_.now()) || (cursor_.now().is("not") && cursor_.ahead().is("in"));
  };
  if (!compares()) return first;
  ExpressionPtr made = node(ExprKind::compare);
  made->begin = first->begin;
  made->parts.push_back(std::move(first));
  while (compares()) {
    made->symbolPlaces.push_back(cursor_.now().place);
    std::string symbol = cursor_.now().value;
    cursor_.advance();
    if (symbol == "not") {
      cursor_.advance();
      symbol = "not in";
    } else if (symbol == "is" && cursor_.accept("not")) {
      symbol = "is not";
    }
    made->symbols.push_back(std::move(symbol));
    made->parts.push_back(level(0));
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::level(std::size_t at) {
  if (at == kLevels.size()) return factor();
  ExpressionPtr first = level(at + 1);
  if (!atLevel(cursor_.now(), at)) return first;
  ExpressionPtr made = node(ExprKind::chain);
  made->begin = first->begin;
  made->parts.push_back(std::move(first));
  while (atLevel(cursor_.now(), at)) {
    made->symbolPlaces.push_back(cursor_.now().place);
    made->symbols.push_back(cursor_.now().value);
    cursor_.advance();
    made->parts.push_back(level(at + 1));
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::factor() {
  const Token& token = cursor_.now();
  const DeeperExpression deeper(depth_, token.place);
  if (token.kind != Token::Kind::symbol || !(token.is("-") || token.is("+") || token.is("~")))
    return power();
  ExpressionPtr made = node(ExprKind::unary);
  made->text = token.value;
  cursor_.advance();
  made->parts.push_back(factor());
  return finished(std::move(made));
}

ExpressionPtr AstParser::power() {
  ExpressionPtr base = postfix();
  if (!cursor_.now().is("**")) return base;
  ExpressionPtr made = node(ExprKind::power);
  made->begin = base->begin;
  cursor_.advance();
  made->parts.push_back(std::move(base));
  made->parts.push_back(factor());
  return finished(std::move(made));
}

ExpressionPtr AstParser::postfix() {
  const SourcePlace place = cursor_.now().place;
  const std::size_t begin = cursor_.now().begin;
  ExpressionPtr base = atom();
  ExpressionPtr made;
  for (;;) {
    const Token& token = cursor_.now();
    if (!token.is(".") && !token.is("(") && !token.is("[")) break;
    if (!made) {
      made = node(ExprKind::postfix);
      made->place = place;
      made->begin = begin;
      made->parts.push_back(std::move(base));
    }
    if (token.is("(")) {
      made->trailers.push_back(arguments());
    } else if (token.is("[")) {
      made->trailers.push_back(subscript());
    } else {
      cursor_.advance();
      const Token name = cursor_.now();
      if (name.kind != Token::Kind::name || isPythonKeyword(name.value))
        failProgram(name.place, "expected a name after '.', but found " + name.shown());
      cursor_.advance();
      Trailer trailer;
      trailer.place = name.place;
      trailer.name = name.value;
      made->trailers.push_back(std::move(trailer));
    }
  }
  return made ? finished(std::move(made)) : std::move(base);
}

Trailer AstParser::arguments() {
  Trailer call;
  call.kind = Trailer::Kind::call;
  call.place = cursor_.now().place;
  cursor_.expect("(", "before the arguments");
  bool keyword = false;
  while (!cursor_.now().is(")")) {
    const Token first = cursor_.now();
    std::string by;
    if (first.is("*") || first.is("**")) {
      by = first.value;
      cursor_.advance();
    } else if (first.kind == Token::Kind::name && cursor_.ahead().is("=")) {
      by = first.value;
      cursor_.advance();
      cursor_.advance();
      keyword = true;
    } else if (keyword) {
      failProgram(first.place, "an argument without a keyword cannot follow one with a keyword");
    }
    ExpressionPtr value = expression();
    if (by.empty() && cursor_.now().is("for")) {
      std::vector<ExpressionPtr> element;
      element.push_back(std::move(value));
      value = comprehension(std::move(element), "(", first.place, first.begin);
    }
    call.arguments.push_back(std::move(value));
    call.keywords.push_back(std::move(by));
    call.places.push_back(first.place);
    if (!cursor_.accept(",") && !cursor_.now().is(")"))
      failProgram(cursor_.now().place,
                  "expected ',' or ')' after an argument, but found " + cursor_.now().shown());
  }
  cursor_.advance();
  return call;
}

ExpressionPtr AstParser::subscriptItem() {
  ExpressionPtr lower;
  const Token first = cursor_.now();
  if (!first.is(":")) lower = starredOrExpression();
  if (!cursor_.now().is(":")) return lower;
  ExpressionPtr made = node(ExprKind::slice);
  made->place = first.place;
  made->begin = first.begin;
  made->parts.push_back(std::move(lower));
  for (int i = 0; i < 2; ++i) {
    const bool given = cursor_.accept(":") && !cursor_.now().is(":") && !cursor_.now().is("]") &&
                       !cursor_.now().is(",");
    made->parts.push_back(given ? expression() : nullptr);
  }
  return finished(std::move(made));
}

Trailer AstParser::subscript() {
  Trailer made;
  made.kind = Trailer::Kind::subscript;
  made.place = cursor_.now().place;
  const DeeperExpression deeper(depth_, made.place);
  cursor_.advance();
  if (cursor_.now().is("]")) failProgram(cursor_.now().place, "expected an index in '[]'");
  for (;;) {
    made.arguments.push_back(subscriptItem());
    if (!cursor_.accept(",")) break;
    made.tuple = true;
    if (cursor_.now().is("]")) break;
  }
  cursor_.expect("]", "to close '['");
  return made;
}

ExpressionPtr AstParser::strings() {
  ExpressionPtr made = node(ExprKind::text);
  while (cursor_.now().kind == Token::Kind::text) {  // adjacent literals are joined
    const Token& token = cursor_.now();
    bool raw = false, format = false;
    for (std::size_t i = token.begin; text_ && i < token.begin + 2 && i < text_->size(); ++i) {
      const char c = (*text_)[i];
      if (c == '"' || c == '\'') break;
      raw = raw || c == 'r' || c == 'R';
      format = format || c == 'f' || c == 'F';
    }
    const std::string read = raw ? token.value : withoutEscapes(token.value);
    if (format && made->kind == ExprKind::text) {
      std::string before;
      for (const char c : made->text)
        before += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
      made->text = before;
      made->kind = ExprKind::format;
    }
    if (made->kind == ExprKind::format && !format)
      for (const char c : read)
        made->text += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
    else
      made->text += read;
    cursor_.advance();
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::atom() {
  const Token& token = cursor_.now();
  const auto plain = [&](ExprKind kind) {
    ExpressionPtr made = node(kind);
    made->text = cursor_.now().value;
    cursor_.advance();
    return finished(std::move(made));
  };
  switch (token.kind) {
    case Token::Kind::number:
      return plain(ExprKind::number);
    case Token::Kind::text:
      return strings();
    case Token::Kind::name: {
      const std::string& word = token.value;
      if (isPythonKeyword(word) && word != "True" && word != "False" && word != "None")
        failProgram(token.place,
                    "found '" + word + "'; it cannot be part of an expression of a program");
      return plain(ExprKind::name);
    }
    case Token::Kind::symbol:
      if (token.is("(")) return parenthesised();
      if (token.is("[")) return bracketed();
      if (token.is("{")) return braced();
      if (token.is("...")) return plain(ExprKind::ellipsis);
      break;
    default:
      break;
  }
  failProgram(token.place,
              "expected a value (a name, a number or a call), but found " + token.shown());
}

ExpressionPtr AstParser::comprehension(std::vector<ExpressionPtr> elements, std::string kind,
                                       SourcePlace place, std::size_t begin) {
  ExpressionPtr made = node(ExprKind::comprehension);
  made->place = place;
  made->begin = begin;
  made->text = std::move(kind);
  made->parts = std::move(elements);
  made->clauses = clauses();
  return finished(std::move(made));
}

std::vector<ast::Clause> AstParser::clauses() {
  std::vector<ast::Clause> found;
  while (cursor_.accept("for")) {
    ast::Clause clause;
    clause.targets = targetList();
    cursor_.expect("in", "after the names of 'for'");
    clause.over = disjunction();
    while (cursor_.accept("if")) clause.conditions.push_back(disjunction());
    found.push_back(std::move(clause));
  }
  return found;
}

ExpressionPtr AstParser::parenthesised() {
  const Token open = cursor_.now();
  const DeeperExpression deeper(depth_, open.place);
  cursor_.advance();
  auto made = std::make_unique<Expression>();
  made->kind = ExprKind::tuple;
  made->place = open.place;
  made->begin = open.begin;
  bool comma = false;
  while (!cursor_.now().is(")")) {
    made->parts.push_back(starredOrExpression());
    if (cursor_.now().is("for") && made->parts.size() == 1) {
      ExpressionPtr all = comprehension(std::move(made->parts), "(", open.place, open.begin);
      cursor_.expect(")", "to close '('");
      return finished(std::move(all));
    }
    if (!cursor_.accept(",")) break;
    comma = true;
  }
  cursor_.expect(")", "to close '('");
  if (made->parts.size() == 1 && !comma && made->parts[0]->kind != ExprKind::starred) {
    ExpressionPtr inner = std::move(made->parts[0]);
    inner->begin = open.begin;
    return finished(std::move(inner));
  }
  return finished(std::move(made));
}

ExpressionPtr AstParser::bracketed() {
  const Token open = cursor_.now();
  const DeeperExpression deeper(depth_, open.place);
  ExpressionPtr made = node(ExprKind::list);
  cursor_.advance();
  while (!cursor_.now().is("]")) {
    made->parts.push_back(starredOrExpression());
    if (cursor_.now().is("for") && made->parts.size() == 1) {
      made = comprehension(std::move(made->parts), "[", open.place, open.begin);
      break;
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect("]", "to close '['");
  return finished(std::move(made));
}

ExpressionPtr AstParser::braced() {
  const Token open = cursor_.now();
  const DeeperExpression deeper(depth_, open.place);
  ExpressionPtr made = node(ExprKind::dict);
  cursor_.advance();
  while (!cursor_.now().is("}")) {
    if (cursor_.accept("**")) {
      made->parts.push_back(nullptr);
      made->parts.push_back(expression());
    } else {
      ExpressionPtr key = expression();
      if (cursor_.accept(":")) {
        made->parts.push_back(std::move(key));
        made->parts.push_back(expression());
      } else {
        made->kind = ExprKind::set;
        made->parts.push_back(std::move(key));
      }
    }
    const std::size_t count = made->kind == ExprKind::set ? 1 : 2;
    if (cursor_.now().is("for") && made->parts.size() == count && made->parts[0]) {
      const char* kind = count == 1 ? "{" : ":";
      made = comprehension(std::move(made->parts), kind, open.place, open.begin);
      break;
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect("}", "to close '{'");
  return finished(std::move(made));
}

ExpressionPtr AstParser::lambda() {
  ExpressionPtr made = node(ExprKind::lambda);
  auto function = std::make_shared<ast::Function>();
  function->name = "<lambda>";
  function->place = made->place;
  function->text = text_;
  cursor_.advance();
  function->parameters = parameters(":");
  ast::Statement result;
  result.kind = ast::Statement::Kind::returned;
  result.place = cursor_.now().place;
  result.begin = cursor_.now().begin;
  result.value = expression();
  result.end = cursor_.last().end;
  function->body.push_back(std::move(result));
  made->function = std::move(function);
  return finished(std::move(made));
}

ExpressionPtr parseExpression(std::string_view text, SourcePlace place, const char* within) {
  try {
    const std::vector<Token> tokens = tokenize(text);
    TokenCursor cursor(tokens);
    AstParser parser(cursor);
    parser.setText(text);
    ExpressionPtr made = parser.expressionList();
    if (cursor.now().kind != Token::Kind::newline && cursor.now().kind != Token::Kind::end)
      failProgram(place, "found " + cursor.now().shown() + " in " + within);
    return made;
  } catch (const ProgramError& error) {
    throw ProgramError(place, error.what());
  }
}

}  // namespace fusebench
