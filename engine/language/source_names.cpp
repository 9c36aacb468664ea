// SPDX-License-Identifier: GPL-3.0-or-later
// Names that the printed parts of a text read and bind.
#include "engine/language/source_parts.h"

#include <algorithm>

#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using ExpressionKind = ast::Expression::Kind;
using LineKind = ast::Statement::Kind;

}  // namespace

std::vector<const SourceExpression*> SourceParts::choicesOf(const SourceExpression& e) const {
  std::vector<const SourceExpression*> parts;
  const bool logical = e.kind == ExpressionKind::both || e.kind == ExpressionKind::either;
  if (e.kind == ExpressionKind::conditional || logical)
    for (std::size_t i = 1; i < e.parts.size(); ++i) parts.push_back(e.parts[i].get());
  if (e.kind == ExpressionKind::comprehension) {
    for (const auto& part : e.parts) parts.push_back(part.get());
    for (const ast::Clause& clause : e.clauses)
      for (const auto& condition : clause.conditions) parts.push_back(condition.get());
  }
  if (e.kind == ExpressionKind::lambda && e.function->body.front().value)
    parts.push_back(e.function->body.front().value.get());
  return parts;
}

void SourceParts::within(const SourceExpression& e,
                         const std::function<void(const SourceExpression&)>& visit) const {
  const std::vector<const SourceExpression*> choices = choicesOf(e);
  const auto part = [&](const ast::ExpressionPtr& each) {
    if (!each) return;
    const bool left = std::ranges::find(choices, each.get()) != choices.end() && isLeftOut(*each);
    if (!left) visit(*each);
  };
  for (const auto& each : e.parts) part(each);
  for (const ast::Trailer& trailer : e.trailers)
    for (const auto& each : trailer.arguments) part(each);
  for (const ast::Clause& clause : e.clauses) {
    part(clause.targets);
    part(clause.over);
    for (const auto& each : clause.conditions) part(each);
  }
  if (!e.function) return;
  for (const ast::Parameter& parameter : e.function->parameters) part(parameter.fallback);
  part(e.function->body.front().value);
}

void SourceParts::readBy(const SourceExpression& e, std::vector<std::string>& names) const {
  if (e.kind == ExpressionKind::name) names.push_back(e.text);
  const std::string* const evaluated = evaluatedBy(e);
  if (e.kind == ExpressionKind::format || evaluated) {
    std::string word;
    for (const char c : (evaluated ? *evaluated : e.text) + " ") {
      if (isNameCharacter(c)) {
        word += c;
        continue;
      }
      if (!word.empty()) names.push_back(word);
      word.clear();
    }
  }
  within(e, [&](const SourceExpression& part) { readBy(part, names); });
}

void SourceParts::boundBy(const SourceExpression& target, std::vector<std::string>& names) {
  if (target.kind == ExpressionKind::name) names.push_back(target.text);
  if (target.kind == ExpressionKind::tuple || target.kind == ExpressionKind::list ||
      target.kind == ExpressionKind::starred)
    for (const auto& part : target.parts) boundBy(*part, names);
}

void SourceParts::boundIn(const SourceExpression& e, std::vector<std::string>& names) const {
  if (e.kind == ExpressionKind::walrus) names.push_back(e.text);
  within(e, [&](const SourceExpression& part) { boundIn(part, names); });
}

void SourceParts::namesOf(const SourceStatement& s, LineNames& names) const {
  if (s.kind == LineKind::classType || s.kind == LineKind::function)
    names.binds.push_back(s.text);
  else if (!isReached(s))
    return;
  if (s.kind == LineKind::import)
    for (const auto& each : s.bindings) names.binds.push_back(each.first);
  if (s.kind == LineKind::scope)
    for (const auto& each : s.bindings) names.elsewhere.push_back(each.first);
  for (const auto& each : s.decorations)
    if (isDataclass(*each)) {
      readBy(*each, names.reads);
      names.reads.emplace_back("dataclasses");  // its printed annotations need it
    }
  if (s.kind == LineKind::classType)
    for (const auto& base : s.values)
      if (const std::string shown = baseText(*base); shown != "torch.nn.Module" && !shown.empty())
        readBy(*base, names.reads);
  if (s.kind != LineKind::raise && s.kind != LineKind::classType) {
    for (const ast::ExpressionPtr* each : {&s.value, &s.message}) {
      if (!*each) continue;
      readBy(**each, names.reads);
      boundIn(**each, names.binds);
    }
    for (const auto& each : s.values) readBy(*each, names.reads);
  }
  for (const auto& target : s.targets) {
    if (!target) continue;  // a with statement
    boundBy(*target, names.binds);
    if (s.kind == LineKind::augmented || target->kind == ExpressionKind::postfix)
      readBy(*target, names.reads);
    names.changes |= target->kind == ExpressionKind::postfix;
  }
  if (s.kind == LineKind::function) {
    functionNames(*s.function, names);
    return;
  }
  for (const ast::Block* block : {&s.body, &s.otherwise, &s.handlers, &s.lastly})
    for (const SourceStatement& each : *block) namesOf(each, names);
}

void SourceParts::functionNames(const ast::Function& function, LineNames& names) const {
  for (const ast::Parameter& parameter : function.parameters)
    if (parameter.fallback) readBy(*parameter.fallback, names.reads);
  for (const auto& each : function.decorations)
    if (isKept(*each)) readBy(*each, names.reads);
  LineNames inside;
  for (const SourceStatement& each : function.body) namesOf(each, inside);
  NameSet own(inside.binds.begin(), inside.binds.end());
  for (const ast::Parameter& parameter : function.parameters) own.insert(parameter.name);
  for (const std::string& name : inside.elsewhere) own.erase(name);
  for (const std::string& name : inside.reads)
    if (!own.contains(name)) names.reads.push_back(name);
}

}  // namespace fusebench
