// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_parser.h"

#include <algorithm>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

}  // namespace

ProgramParser::ProgramParser(std::string_view text, std::vector<Token> tokens)
    : text_(text),
      tokens_(std::move(tokens)),
      cursor_(tokens_),
      builder_(program_),
      expressions_(cursor_, builder_, names_, program_) {}

Program ProgramParser::run() {
  while (cursor_.now().kind != Token::Kind::end) line();
  if (program_.outputs.empty()) failWithoutReturn();
  builder_.finish();
  return std::move(program_);
}

void ProgramParser::failWithoutReturn() const {
  failProgram(now().place,
              "the program has no return; end it with return and what it computes, "
              "such as return x");
}

void ProgramParser::line() {
  const Token::Kind kind = now().kind;
  if (kind == Token::Kind::indent && !blockAllowed_)
    failProgram(now().place, "this line is indented deeper than the one above it");
  if (blockAllowed_ && kind != Token::Kind::indent)
    failProgram(now().place, "expected an indented block after ':', but found " + now().shown());
  blockAllowed_ = false;
  if (kind == Token::Kind::indent || kind == Token::Kind::dedent || kind == Token::Kind::newline)
    return cursor_.advance();
  statement();
}

void ProgramParser::statement() {
  const Token& first = now();
  if (!program_.outputs.empty())
    failProgram(first.place, "found " + first.shown() + " after the return; nothing may follow it");
  if (first.kind == Token::Kind::text) return docString();
  if (first.is("@")) return skipLine();
  if (first.is("import")) return import();
  if (first.is("from")) return importFrom();
  if (first.is("class")) return classHeader();
  if (first.is("def") || first.is("async")) return function();
  if (first.is("with")) return with();
  if (first.is("return")) return returned();
  if (first.is("pass")) {
    cursor_.advance();
    return endOfStatement();
  }
  if (first.kind == Token::Kind::name && isPythonKeyword(first.value)) refuseKeyword(first);
  if (first.kind == Token::Kind::name && assigns()) return assignment();
  expressionStatement();
}

void ProgramParser::endOfStatement() {
  const Token& token = now();
  if (token.kind == Token::Kind::newline || token.is(";")) return cursor_.advance();
  if (token.kind == Token::Kind::end) return;
  if (token.is("=")) failProgram(token.place, "found a second '='; write one assignment a line");
  failProgram(token.place, "expected the end of the line, but found " + token.shown());
}

void ProgramParser::skipLine() {
  while (now().kind != Token::Kind::newline && now().kind != Token::Kind::end) cursor_.advance();
  if (now().kind == Token::Kind::newline) cursor_.advance();
}

void ProgramParser::docString() {
  cursor_.advance();
  endOfStatement();
}

void ProgramParser::refuseKeyword(const Token& token) {
  for (std::string_view word :
       {"if", "elif", "else", "for", "while", "try", "except", "finally", "break", "continue"})
    if (token.value == word)
      failProgram(token.place,
                  "found '" + token.value +
                      "'; control flow is not part of a program: write torch.where for a choice, "
                      "and repeated lines for a loop");
  failProgram(token.place,
              "found '" + token.value +
                  "'; a program is made of assignments, such as x = torch.exp(x), and a return");
}

std::string_view ProgramParser::augmented(const Token& token) {
  for (std::string_view symbol :
       {"+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "@="})
    if (token.is(symbol)) return symbol;
  return {};
}

bool ProgramParser::assigns() const {
  const Token& next = cursor_.ahead();
  return next.is("=") || next.is(":") || next.is(",") || !augmented(next).empty();
}

void ProgramParser::assignment() {
  const Token target = now();
  cursor_.advance();
  if (now().is(","))
    failProgram(now().place,
                "assignments to several names are not supported; write one assignment a line");
  if (cursor_.accept(":")) {
    skipHint();
    if (now().kind == Token::Kind::newline) return endOfStatement();  // only a declaration
  }
  if (target.value == "self") failProgram(target.place, "self cannot be assigned to");
  const Token symbol = now();
  const std::string_view augment = augmented(symbol);
  const int index = static_cast<int>(program_.statements.size());
  const int firstOp = static_cast<int>(program_.ops.size());
  builder_.setStatement(index);
  PythonValue value;
  if (!augment.empty()) {
    value = augmentedValue(target, symbol, augment.substr(0, augment.size() - 1));
  } else {
    cursor_.expect("=", "after '" + target.value + "'");
    value = assignedValue();
  }
  names_.bound[target.value] = value;
  if (value.isTensor()) {
    Statement statement;
    statement.target = target.value;
    statement.text = source(target.begin, cursor_.last().end);
    statement.firstOp = firstOp;
    statement.opCount = static_cast<int>(program_.ops.size()) - firstOp;
    statement.value = value.value;
    statement.place = target.place;
    program_.statements.push_back(std::move(statement));
  }
  endOfStatement();
}

PythonValue ProgramParser::assignedValue() {
  std::vector<PythonValue> values = expressions_.expressionList();
  if (values.size() == 1) return values[0];
  PythonValue list;
  list.kind = Kind::list;
  list.place = values[0].place;
  list.items = std::move(values);
  for (const PythonValue& item : list.items)
    if (!item.isNumber())
      failProgram(item.place,
                  "a tuple of tensors cannot be given a name; write one assignment a line");
  return list;
}

PythonValue ProgramParser::augmentedValue(const Token& target, const Token& symbol,
                                          std::string_view operation) {
  const auto found = names_.bound.find(target.value);
  PythonValue before;
  if (found != names_.bound.end()) {
    before = found->second;
  } else if (!names_.declared) {
    before = PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), target.place);
    program_.inputs.push_back(target.value);
  } else {
    failProgram(target.place,
                "there is no '" + target.value + "' to change here; assign to it first");
  }
  before.place = target.place;
  cursor_.advance();
  const PythonValue by = expressions_.expression();
  if (before.isNumber() && by.isNumber()) return foldBinary(operation, before, by, symbol.place);
  return builder_.binary(operation, before, by, symbol.place);
}

void ProgramParser::returned() {
  const Token word = now();
  cursor_.advance();
  if (now().kind == Token::Kind::newline || now().kind == Token::Kind::end)
    failProgram(word.place,
                "return gives nothing; write what the program computes after it, such as return x");
  const std::size_t begin = now().begin;
  builder_.setStatement(-1);
  std::vector<PythonValue> values = expressions_.expressionList();
  if (values.size() == 1 && values[0].kind == Kind::list) {
    const std::vector<PythonValue> items = values[0].items;
    values = items;
  }
  program_.returnText = source(begin, cursor_.last().end);
  for (const PythonValue& value : values) {
    if (!value.isTensor())
      failProgram(value.place, "return gives " + value.shown() + "; a program returns tensors");
    program_.outputs.push_back(value.value);
  }
  if (program_.outputs.empty())
    failProgram(word.place, "return gives an empty tuple; a program returns tensors");
  endOfStatement();
}

void ProgramParser::expressionStatement() {
  const Token first = now();
  const PythonValue value = expressions_.expression();
  if (now().is("=") || !augmented(now()).empty())
    failProgram(first.place, "only a plain name can be assigned to, as in x = torch.exp(x)");
  if (value.kind == Kind::none) return endOfStatement();
  failProgram(first.place,
              "the result of this line goes nowhere; give it a name, as in x = ..., or return it");
}

std::string ProgramParser::source(std::size_t begin, std::size_t end) const {
  std::string line;
  std::size_t last = begin;
  const auto first =
      std::lower_bound(tokens_.begin(), tokens_.end(), begin,
                       [](const Token& token, std::size_t at) { return token.begin < at; });
  for (auto each = first; each != tokens_.end() && each->begin < end; ++each) {
    const Token& token = *each;
    if (token.end > end || token.begin == token.end) continue;
    if (token.kind == Token::Kind::newline) continue;
    const std::string_view between = text_.substr(last, token.begin - last);
    const bool broken = between.find_first_of("\n#\\") != std::string_view::npos;
    const bool tight = line.empty() || line.back() == '(' || token.is(")");
    if (broken)
      line += tight ? "" : " ";
    else
      line += between;
    line += text_.substr(token.begin, token.end - token.begin);
    last = token.end;
  }
  return line;
}

}  // namespace fusebench
