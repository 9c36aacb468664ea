// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that are not understood, as ops without a row.
#include <algorithm>

#include "engine/edit/sketch_read.h"

namespace fusebench {
namespace {

bool opens(const Token& t) {
  return t.is("(") || t.is("[") || t.is("{");
}
bool closes(const Token& t) {
  return t.is(")") || t.is("]") || t.is("}");
}

/// Names in pasted code that do not mean values.
bool isModuleOrBuiltin(std::string_view name) {
  for (std::string_view each :
       {"torch", "math",  "np",    "numpy", "F",    "nn",    "self",  "abs",
        "pow",   "float", "int",   "min",   "max",  "round", "print", "range",
        "len",   "list",  "tuple", "str",   "bool", "zip",   "sum"})
    if (name == each) return true;
  return false;
}

}  // namespace

/// Whether the name at `at` could stand for a value: no attribute, no keyword of a call.
bool TolerantParser::namesValue(std::size_t at, int depth) const {
  const Token& token = tokens_[at];
  if (isPythonKeyword(token.value)) return false;
  if (at > 0 && tokens_[at - 1].is(".")) return false;
  return depth == 0 || at + 1 >= tokens_.size() || !tokens_[at + 1].is("=");
}

/// Whether the name at `at` is given a new value without its old one being read.
bool TolerantParser::isPlainTarget(std::size_t at, std::size_t end) const {
  if (at + 1 >= end) return false;
  const Token& next = tokens_[at + 1];
  return next.is("=") || next.is(":") || next.is(",") || next.is(")");
}

/// The names that the tokens [begin, end) give a value to.
std::vector<std::string> TolerantParser::targets(std::size_t begin, std::size_t end) const {
  std::size_t last = begin;
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (opens(tokens_[i])) ++depth;
    if (closes(tokens_[i])) --depth;
    if (depth == 0 && (tokens_[i].is("=") || !augmented(tokens_[i]).empty())) last = i;
  }
  std::vector<std::string> names;
  depth = 0;
  bool hint = false;
  for (std::size_t i = begin; i < last; ++i) {
    const Token& t = tokens_[i];
    if (t.is("[")) ++depth;
    if (t.is("]")) --depth;
    // A type hint, or the header of a block on one line.
    if (t.is(":") && depth == 0) hint = true;
    if (t.is("=")) hint = false;
    const bool behindColon = i > begin && tokens_[i - 1].is(":") && tokens_[i + 1].is("=");
    if (t.kind != Token::Kind::name || depth > 0 || (hint && !behindColon)) continue;
    if (!namesValue(i, 0) || isModuleOrBuiltin(t.value)) continue;
    names.push_back(t.value);
  }
  if (last > begin) return names;
  // x.add_(1) changes x.
  const bool method = begin + 3 < end && tokens_[begin].kind == Token::Kind::name &&
                      tokens_[begin + 1].is(".") && tokens_[begin + 3].is("(");
  if (method && tokens_[begin + 2].value.back() == '_' && !isModuleOrBuiltin(tokens_[begin].value))
    names.push_back(tokens_[begin].value);
  return names;
}

Op TolerantParser::unknownOp(std::size_t begin, std::size_t end, bool newInputs) {
  Op op;
  op.place = tokens_[begin].place;
  const std::vector<std::string> named = targets(begin, end);
  int depth = 0;
  bool behindAssignment = true;
  for (std::size_t i = begin; i < end; ++i) {
    if (opens(tokens_[i])) ++depth;
    if (closes(tokens_[i])) --depth;
    if (depth == 0 && tokens_[i].is("=")) behindAssignment = false;
  }
  depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& t = tokens_[i];
    if (opens(t)) ++depth;
    if (closes(t)) --depth;
    if (depth == 0 && t.is("=")) behindAssignment = true;
    if (t.kind != Token::Kind::name || !namesValue(i, depth)) continue;
    if (!behindAssignment && isPlainTarget(i, end)) continue;
    auto found = names_.bound.find(t.value);
    if (found == names_.bound.end()) {
      const bool called = i + 1 < end && (tokens_[i + 1].is("(") || tokens_[i + 1].is("."));
      if (!newInputs || names_.declared || called || isModuleOrBuiltin(t.value)) continue;
      const auto input = static_cast<ValueId>(program_.inputs.size());
      program_.inputs.push_back(t.value);
      found = names_.bound.emplace(t.value, PythonValue::tensorOf(input, t.place)).first;
    }
    const PythonValue& value = found->second;
    const bool known = std::any_of(op.operands.begin(), op.operands.end(),
                                   [&](const Operand& o) { return o.value == value.value; });
    if (value.isTensor() && !known) op.operands.push_back({value.value, 0, false});
  }
  return op;
}

void TolerantParser::placeholder(std::size_t begin, std::size_t end, SourceRange range,
                                 bool newInputs) {
  const std::vector<std::string> named = targets(begin, end);
  Op op = unknownOp(begin, end, newInputs);
  op.statement = static_cast<int>(program_.statements.size());
  const ValueId value = kFirstResult + static_cast<ValueId>(program_.ops.size());
  Statement statement;
  if (!named.empty()) statement.target = named.front();
  statement.text = begin < end ? source(range.begin, range.end)
                               : std::string(text_.substr(range.begin, range.end - range.begin));
  statement.firstOp = static_cast<int>(program_.ops.size());
  statement.opCount = 1;
  statement.value = value;
  statement.place = op.place;
  for (const std::string& name : named) names_.bound[name] = PythonValue::tensorOf(value, op.place);
  program_.ops.push_back(std::move(op));
  program_.statements.push_back(std::move(statement));
  evaluator_.forgetPending();
}

void TolerantParser::placeholderReturn(std::size_t begin, std::size_t end, SourceRange range) {
  Op op = unknownOp(begin, end, true);
  program_.outputs = {kFirstResult + static_cast<ValueId>(program_.ops.size())};
  program_.ops.push_back(std::move(op));
  evaluator_.forgetPending();
  const std::string text = source(range.begin, range.end);
  program_.returnText = text.size() > 7 ? text.substr(7) : "";
}

}  // namespace fusebench
