// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_parser.h"

#include <algorithm>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// A text longer than any program, which would only cost time.
constexpr std::size_t kLongestProgram = 4u << 20;
/// More tensors than any program returns.
constexpr std::size_t kMostReturned = 10000;

}  // namespace

ProgramParser::ProgramParser(std::string_view text, std::vector<Token> tokens, ProgramHints hints)
    : text_(text),
      tokens_(std::move(tokens)),
      cursor_(tokens_),
      layout_(layoutOf(tokens_, text)),
      builder_(program_),
      parser_(cursor_),
      evaluator_(program_, builder_, names_) {
  setText(text);
  builder_.setHints(std::move(hints));
  evaluator_.setPreparing(layout_.mainPart >= 0);
  around_.drivers = layout_.drivers;
}

void ProgramParser::setRecord(SourceRecord* record) {
  record_ = record;
  evaluator_.setRecord(record);
}

void ProgramParser::setText(std::string_view text) {
  text_ = text;
  parser_.setText(text);
  evaluator_.setText(std::make_shared<const std::string>(text));
}

Program ProgramParser::run() {
  if (text_.size() > kLongestProgram)
    failProgram({1, 1}, "the program is longer than " + std::to_string(kLongestProgram >> 20) +
                            " MiB of text");
  while (cursor_.now().kind != Token::Kind::end) line();
  if (program_.outputs.empty()) failWithoutReturn();
  builder_.finish();
  noteSurroundings();
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
  if (kind == Token::Kind::indent) ++depth_;
  if (kind == Token::Kind::dedent) --depth_;
  for (; !modes_.empty() && kind == Token::Kind::dedent && depth_ <= modes_.back().depth;
       modes_.pop_back())
    builder_.setModes(modes_.back().before);
  if (kind == Token::Kind::indent || kind == Token::Kind::dedent || kind == Token::Kind::newline)
    return cursor_.advance();
  statement();
}

void ProgramParser::statement() {
  const Token& first = now();
  if (const ProgramLayout::Part* part = otherPart()) return define(*part);
  // Lines of the program's class were executed with its header.
  if (const auto done = defined_.find(cursor_.position()); done != defined_.end() && done->second)
    return skipStatement();
  if (isAround() && names_.declared) return skipStatement();  // read with the header
  if (!program_.outputs.empty()) {
    if (early_) {  // parsed, so that its errors are reported
      parser_.statement();
      return;
    }
    failProgram(first.place, "found " + first.shown() + " after the return; nothing may follow it");
  }
  if (first.is("@") && layout_.mainPart >= 0)
    return evaluator_.decorateProgram(*parser_.decorator());
  if (first.is("class") && isMain(cursor_.position())) return classHeader();
  if ((first.is("def") || first.is("async")) && isMain(cursor_.position())) return function();
  if (isAround()) return around();
  if (first.is("with")) return with();
  evaluated();
}

void ProgramParser::skipLine() {
  while (now().kind != Token::Kind::newline && now().kind != Token::Kind::end) cursor_.advance();
  if (now().kind == Token::Kind::newline) cursor_.advance();
}

void ProgramParser::evaluated() {
  const Token first = now();
  const ast::Statement read = parser_.statement();
  if (read.kind == ast::Statement::Kind::returned && !read.value)
    failProgram(first.place,
                "return has no value; write what the program computes after it, such as return x");
  const Evaluator::Flow flow = evaluator_.execute(read);
  if (flow == Evaluator::Flow::returned) {
    early_ = read.kind != ast::Statement::Kind::returned;
    return returned(evaluator_.returned(), first.place, evaluator_.returnedText());
  }
  if (flow != Evaluator::Flow::on)
    failProgram(first.place, "found " + first.shown() + " outside of a loop");
}

void ProgramParser::returned(const PythonValue& value, SourcePlace place, const std::string& text) {
  // A list within a list gives all its tensors in order.
  std::vector<PythonValue> open{value};
  const bool several = value.kind == Kind::list || value.kind == Kind::dict;
  while (!open.empty()) {
    const PythonValue each = std::move(open.back());
    open.pop_back();
    std::vector<PythonValue> inner;
    if (each.kind == Kind::list) inner = evaluator_.itemsOf(each, place);
    if (each.kind == Kind::dict)
      for (const auto& [key, item] : each.object->entries) inner.push_back(item);
    if (each.kind == Kind::list || each.kind == Kind::dict) {
      open.insert(open.end(), inner.rbegin(), inner.rend());
      if (open.size() + program_.outputs.size() > kMostReturned)
        failProgram(place,
                    "the program returns more than " + std::to_string(kMostReturned) + " tensors");
      continue;
    }
    // A backward graph gives None in place of what no gradient is asked of.
    if (each.kind == Kind::none && several) continue;
    const PythonValue given = evaluator_.settled(each);
    if (!given.isTensor())
      failProgram(each.place.line > 0 ? each.place : place,
                  "the program returns " + given.shown() + "; it must return tensors");
    program_.outputs.push_back(given.value);
  }
  if (program_.outputs.empty())
    failProgram(place, "the program returns an empty tuple; it must return tensors");
  program_.returnText = text;
}

std::string ProgramParser::source(std::size_t begin, std::size_t end) const {
  return onOneLine(text_.substr(begin, end - begin));
}

}  // namespace fusebench
