// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/source_parts.h"

#include <algorithm>
#include <utility>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using ExpressionKind = ast::Expression::Kind;
using TrailerKind = ast::Trailer::Kind;
using LineKind = ast::Statement::Kind;

/// Whether evaluating the expression may call a function.
bool calls(const SourceExpression& e) {
  if (std::ranges::any_of(e.trailers,
                          [](const auto& each) { return each.kind == TrailerKind::call; }))
    return true;
  if (e.kind == ExpressionKind::format) return true;
  if (e.function) return true;
  const auto in = [](const ast::ExpressionPtr& part) { return part && calls(*part); };
  if (std::ranges::any_of(e.parts, in)) return true;
  for (const ast::Trailer& trailer : e.trailers)
    if (std::ranges::any_of(trailer.arguments, in)) return true;
  for (const ast::Clause& clause : e.clauses)
    if (in(clause.over) || std::ranges::any_of(clause.conditions, in)) return true;
  return false;
}

}  // namespace

std::string indented(int depth, std::string_view line) {
  return std::string(4 * static_cast<std::size_t>(depth), ' ') + std::string(line) + "\n";
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

SourceParts::SourceParts(const Program& program, const Program& whole, const SourceRecord& record)
    : program_(program),
      whole_(whole),
      source_(*program.source),
      record_(record),
      text_(*source_.text),
      tokens_(tokenize(text_)),
      layout_(layoutOf(tokens_, text_)) {
  TokenCursor cursor(tokens_);
  AstParser parser(cursor);
  parser.setText(text_);
  while (cursor.now().kind != Token::Kind::end) {
    const bool between = cursor.now().kind == Token::Kind::newline ||
                         cursor.now().kind == Token::Kind::indent ||
                         cursor.now().kind == Token::Kind::dedent;
    if (between) {
      cursor.advance();
      continue;
    }
    const std::size_t begin = cursor.position();
    try {
      addLine(parser.statement());
    } catch (const ProgramError&) {  // reading did not need it
      cursor.seek(begin);
      skipLines(cursor);
    }
  }
  if (layout_.made >= 0) {
    cursor.seek(static_cast<std::size_t>(layout_.made));
    made_ = parser.expression();
    if (layout_.madeWithin) made_->end = endOfCall(made_->begin);
  }
  findMain();
}

void SourceParts::addLine(SourceStatement s) {
  const bool guard = s.kind == LineKind::condition &&
                     text_.substr(s.begin, s.end - s.begin).find("__name__") != std::string::npos;
  const bool driver = s.kind == LineKind::function && layout_.drivers.contains(s.text) &&
                      s.function->parameters.empty();
  if (guard)
    for (SourceStatement& each : s.body) addLine(std::move(each));
  else if (driver)
    drivers_.push_back(s.function);
  else
    top_.push_back(std::move(s));
}

void SourceParts::skipLines(TokenCursor& cursor) {
  int depth = 0;
  for (; cursor.now().kind != Token::Kind::end; cursor.advance()) {
    const Token::Kind kind = cursor.now().kind;
    depth += kind == Token::Kind::indent ? 1 : kind == Token::Kind::dedent ? -1 : 0;
    if (depth <= 0 && kind != Token::Kind::dedent && cursor.ahead().kind != Token::Kind::indent &&
        kind == Token::Kind::newline)
      return cursor.advance();
    if (depth == 0 && kind == Token::Kind::dedent) return cursor.advance();
  }
}

std::size_t SourceParts::offsetOf(int token) const {
  return token < 0 ? std::string::npos : tokens_[static_cast<std::size_t>(token)].begin;
}

void SourceParts::findMain() {
  for (SourceStatement& each : top_) collectImports(each);
  if (layout_.mainPart < 0) return;
  const auto& part = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  for (const SourceStatement& each : top_) {
    if (each.begin != offsetOf(part.begin) && each.begin != offsetOf(part.word)) continue;
    main_ = &each;
    function_ = each.function.get();
    if (each.kind != LineKind::classType || layout_.mainMember < 0) continue;
    const auto& member = part.members[static_cast<std::size_t>(layout_.mainMember)];
    for (const SourceStatement& own : each.body)
      if (own.kind == LineKind::function &&
          (own.begin == offsetOf(member.begin) || own.begin == offsetOf(member.word)))
        function_ = own.function.get();
  }
  if (!main_ || !function_) failProgram({}, "the program's function is not found in its text");
}

void SourceParts::collectImports(const SourceStatement& s) {
  if (s.kind == LineKind::import)
    for (const auto& [bound, path] : s.bindings) {
      imported_[bound] = path;
      importedAt_[bound] = s.place;
    }
  for (const ast::Block* block : {&s.body, &s.otherwise, &s.handlers, &s.lastly})
    for (const SourceStatement& each : *block) collectImports(each);
  if (s.function)
    for (const SourceStatement& each : s.function->body) collectImports(each);
}

bool SourceParts::isReached(const SourceStatement& s) const {
  if (s.kind == LineKind::docString || s.kind == LineKind::pass) return false;
  if (s.kind == LineKind::function) return isCalled(*s.function);
  const auto in = [this](const SourceStatement& each) { return isReached(each); };
  if (s.kind == LineKind::classType)
    return record_.statements.contains(s.begin) || std::ranges::any_of(s.body, in);
  if (s.kind == LineKind::attempt || s.kind == LineKind::match)
    for (const SourceStatement& each : s.handlers)
      if (std::ranges::any_of(each.body, in)) return true;
  return record_.statements.contains(s.begin) || std::ranges::any_of(s.body, in) ||
         std::ranges::any_of(s.otherwise, in) || std::ranges::any_of(s.lastly, in);
}

bool SourceParts::isPassedOver(const SourceStatement& s) const {
  return record_.leftOut.contains(s.begin) && !isReached(s);
}

bool SourceParts::isCalled(const ast::Function& function) const {
  return std::ranges::any_of(function.body, [this](const SourceStatement& each) {
    return each.kind == LineKind::pass || each.kind == LineKind::docString
               ? record_.statements.contains(each.begin)
               : isReached(each) ||
                     (each.kind == LineKind::function && record_.statements.contains(each.begin));
  });
}

bool SourceParts::isLeftOut(const SourceExpression& part) const {
  return !record_.parts.contains({part.begin, part.end}) && calls(part);
}

bool SourceParts::isOutside(const SourceExpression& e) const {
  const std::pair at{e.begin, e.end};
  return e.kind == ExpressionKind::postfix && record_.outside.contains(at) &&
         !record_.known.contains(at) && calls(e);
}

std::string SourceParts::meant(const std::string& dotted) const {
  const std::size_t dot = std::min(dotted.find('.'), dotted.size());
  const std::string first = dotted.substr(0, dot);
  const auto found = imported_.find(first);
  if (found != imported_.end()) return found->second + dotted.substr(dot);
  const std::string_view known = knownModule(first);
  return (known.empty() ? first : std::string(known)) + dotted.substr(dot);
}

}  // namespace fusebench
