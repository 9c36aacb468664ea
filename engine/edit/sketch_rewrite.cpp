// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch_rewrite.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "engine/language/expression_text.h"
#include "engine/language/lexer.h"

namespace fusebench {
namespace {

std::vector<Token> tokensOf(const std::string& source) {
  std::vector<LexerProblem> ignored;
  return tokenizeTolerantly(source, ignored);
}

std::string replaced(const std::string& source, std::size_t begin, std::size_t end,
                     const std::string& by) {
  return source.substr(0, begin) + by + source.substr(end);
}

struct NumberChange {
  double before;
  double after;
  bool integer;
};

/// The one number that differs from how the line was written, in one op or, of a loop, in several
/// alike; nothing if none or several do.
std::optional<NumberChange> changeOf(const SketchModel& model, const SketchLine& line) {
  std::optional<NumberChange> change;
  int count = 0;
  for (int index : line.nodes) {
    const SketchNode& node = model.nodes[static_cast<std::size_t>(index)];
    const auto note = [&](double before, double after, bool integer) {
      if (before == after) return;
      const bool again = change && change->before == before && change->after == after;
      change = NumberChange{before, after, integer};
      if (!again || !line.fixed) ++count;
    };
    for (std::size_t i = 0; i < node.before.size() && i < node.op.operands.size(); ++i)
      if (node.before[i].isNumber() && node.op.operands[i].isNumber())
        note(node.before[i].number, node.op.operands[i].number, node.op.operands[i].integer);
    std::size_t p = 0;
    for (const Parameter& parameter :
         node.op.row ? node.op.row->parameters : std::initializer_list<Parameter>{}) {
      const std::size_t at = p++;
      if (at < node.parametersBefore.size())
        note(node.parametersBefore[at], node.op.parameters[at],
             parameter.kind == Parameter::Kind::integer);
    }
  }
  return count == 1 ? change : std::nullopt;
}

/// Whether what ends before token `i` could be the left side of an operator.
bool followsValue(const std::vector<Token>& tokens, std::size_t i) {
  if (i == 0) return false;
  const Token& t = tokens[i - 1];
  return t.kind == Token::Kind::number || t.is(")") || t.is("]") ||
         (t.kind == Token::Kind::name && !t.is("return"));
}

}  // namespace

std::string withNamesReplaced(const std::string& source, const std::string& target,
                              const std::function<std::string(const std::string&)>& nameOf) {
  const std::vector<Token> tokens = tokensOf(source);
  std::string result;
  std::size_t last = 0;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (t.kind != Token::Kind::name || (i > 0 && tokens[i - 1].is("."))) continue;
    const bool assigned = i + 1 < tokens.size() && tokens[i + 1].is("=");
    if (assigned && depth > 0) continue;  // a keyword
    const bool first = i == 0 && i + 1 < tokens.size() && !target.empty();
    const bool names =
        first && (assigned || tokens[1].is(":") || tokens[1].is(",") ||
                  (tokens[1].kind == Token::Kind::symbol && tokens[1].value.size() > 1 &&
                   tokens[1].value.back() == '=' && !tokens[1].is("==") && !tokens[1].is("<=") &&
                   !tokens[1].is(">=") && !tokens[1].is("!=")));
    const std::string name = names ? target : nameOf(t.value);
    if (name == t.value) continue;
    result += source.substr(last, t.begin - last) + name;
    last = t.end;
  }
  return result + source.substr(last);
}

std::vector<std::string> withNumber(const SketchModel& model, const SketchLine& line,
                                    const std::string& source) {
  const std::optional<NumberChange> change = changeOf(model, line);
  if (!change) return {};
  const std::vector<Token> tokens = tokensOf(source);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    double number = 0;
    if (t.is("True") || t.is("False"))
      number = t.is("True") ? 1 : 0;
    else if (t.kind != Token::Kind::number ||
             std::from_chars(t.value.data(), t.value.data() + t.value.size(), number).ec !=
                 std::errc())
      continue;
    const bool word = t.kind == Token::Kind::name;
    const std::string after =
        word
            ? (change->after != 0 ? "True" : "False")
            : printedNumber(change->after,
                            change->integer || (t.value.find_first_of(".eE") == std::string::npos &&
                                                change->after == std::round(change->after)));
    const bool negated = i > 0 && tokens[i - 1].is("-") && !followsValue(tokens, i - 1);
    if (negated && -number == change->before)
      texts.push_back(replaced(source, tokens[i - 1].begin, t.end, after));
    if (!negated && number == change->before)
      texts.push_back(replaced(source, t.begin, t.end, after));
  }
  return texts;
}

std::vector<std::string> withFunction(const SketchModel& model, const SketchLine& line,
                                      const std::string& source) {
  const OpRow* before = nullptr;
  const OpRow* after = nullptr;
  for (int index : line.nodes) {
    const SketchNode& node = model.nodes[static_cast<std::size_t>(index)];
    if (node.original < 0 || node.rowBefore == node.op.row) continue;
    if (before) return {};
    before = node.rowBefore;
    after = node.op.row;
  }
  if (!before || !after) return {};
  const std::vector<Token> tokens = tokensOf(source);
  std::vector<std::string> texts;
  for (std::string_view spelling : before->spellings)
    for (std::string_view other : after->spellings) {
      const std::size_t dot = spelling.find('.'), otherDot = other.find('.');
      if (dot == std::string_view::npos || otherDot == std::string_view::npos) continue;
      const bool sameModule = spelling.substr(0, dot) == other.substr(0, otherDot);
      for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        const Token& t = tokens[i];
        if (t.value != spelling.substr(dot + 1) || !tokens[i - 1].is(".") || !tokens[i + 1].is("("))
          continue;
        if (sameModule)
          texts.push_back(
              replaced(source, t.begin, t.end, std::string(other.substr(otherDot + 1))));
        else if (i > 1 && tokens[i - 2].is(spelling.substr(0, dot)) && other.substr(0, 2) != "x.")
          texts.push_back(replaced(source, tokens[i - 2].begin, t.end, std::string(other)));
      }
    }
  return texts;
}

}  // namespace fusebench
