// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/sketch_read.h"

#include <algorithm>
#include <array>

#include "engine/language/program_errors.h"
#include "engine/language/program_gradients.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using ItemKind = SketchItem::Kind;

bool opensControlFlow(const Token& token) {
  constexpr std::array<std::string_view, 9> kWords = {"if",  "elif",   "else",    "for",  "while",
                                                      "try", "except", "finally", "match"};
  return token.kind == Token::Kind::name &&
         std::find(kWords.begin(), kWords.end(), token.value) != kWords.end();
}

bool opensHeader(const Token& token) {
  return token.is("def") || token.is("class") || token.is("with") || token.is("async");
}

std::vector<Token> tokensOf(std::string_view text, std::vector<LexerProblem>& problems) {
  return tokenizeTolerantly(text, problems);
}

}  // namespace

TolerantParser::TolerantParser(std::string_view text, const ProgramHints& hints)
    : TolerantParser(text, hints, {}) {}

TolerantParser::TolerantParser(std::string_view text, const ProgramHints& hints,
                               std::vector<LexerProblem> problems)
    : ProgramParser(text, tokensOf(text, problems), hints),
      lexerProblems_(std::move(problems)),
      hints_(hints) {}

SketchReading TolerantParser::readAll() {
  while (now().kind != Token::Kind::end) step();
  if (blockAllowed_) problem(now().place, "expected an indented block after ':'", -1, -1);
  if (program_.outputs.empty()) {
    try {
      failWithoutReturn();
    } catch (const ProgramError& error) {
      problem(error.place(), error.what(), -1, -1);
    }
  }
  builder_.finish();
  noteSurroundings();
  for (SketchItem& each : reading_.items)
    for (auto& [name, value] : each.reads)
      if (value >= kFirstResult) value = program_.result(value - kFirstResult);
  reading_.declared = names_.declared;
  reading_.sketch.hints = hints_;
  reading_.sketch.text = text_;
  ProgramSource source;
  source.text = std::make_shared<const std::string>(text_);
  source.hints = hints_;
  program_.source = std::make_shared<const ProgramSource>(std::move(source));
  reading_.sketch.program = std::move(program_);
  return std::move(reading_);
}

/// One statement, or one token between statements.
void TolerantParser::step() {
  const Before start = before();
  const bool between = now().kind == Token::Kind::indent || now().kind == Token::Kind::dedent;
  const bool lexical = !between && nextProblem_ < lexerProblems_.size() &&
                       now().begin >= lexerProblems_[nextProblem_].begin;
  if (lexical) {
    const LexerProblem& found = lexerProblems_[nextProblem_++];
    return recover(start, ProgramError(found.place, found.message), true);
  }
  const bool empty = between || now().kind == Token::Kind::newline;
  const std::size_t end = statementEnd(start.token, false);
  try {
    line();
    if (!empty) record(start, end);
  } catch (const ProgramError& error) {
    recover(start, error, false);
  }
}

TolerantParser::Before TolerantParser::before() const {
  Before b{cursor_.position(),
           program_.ops.size(),
           program_.inputs.size(),
           program_.statements.size(),
           program_.checks.size(),
           program_.held.size(),
           program_.frames.size(),
           program_.branches.size(),
           !program_.outputs.empty(),
           names_.declared,
           {},
           {},
           {}};
  const bool several = opensControlFlow(now()) || cursor_.ahead().is(",") ||
                       cursor_.ahead().is("=") || now().is("(") || now().is("[");
  if (several && !opensHeader(now())) b.names = names_.bound;
  if (now().kind != Token::Kind::name) return b;
  b.first = now().value;
  if (const auto found = names_.bound.find(b.first); found != names_.bound.end())
    b.bound = found->second;
  return b;
}

void TolerantParser::restore(const Before& before) {
  program_.ops.resize(before.ops);
  program_.statements.resize(before.statements);
  if (!before.returned) program_.outputs.clear();
  if (names_.declared == before.declared) {  // else a header whose parameters were read
    for (std::size_t i = before.inputs; i < program_.inputs.size(); ++i)
      names_.bound.erase(program_.inputs[i]);
    program_.inputs.resize(before.inputs);
  }
  program_.checks.resize(std::min(before.checks, program_.checks.size()));
  program_.branches.resize(std::min(before.branches, program_.branches.size()));
  program_.held.resize(std::min(before.held, program_.held.size()));
  program_.frames.resize(std::min(before.frames, program_.frames.size()));
  evaluator_.forgetPending();
  builder_.forgetTypes();
  early_ = early_ && before.returned;
  if (before.names)
    names_.bound = *before.names;
  else if (before.bound)
    names_.bound[before.first] = *before.bound;
  else if (!before.first.empty())
    names_.bound.erase(before.first);
  blockAllowed_ = false;
  cursor_.seek(before.token);
}

std::size_t TolerantParser::statementEnd(std::size_t token, bool wholeLine) const {
  int depth = 0;
  for (; token < tokens_.size(); ++token) {
    const Token& t = tokens_[token];
    if (t.kind == Token::Kind::newline || t.kind == Token::Kind::end) return token;
    if (wholeLine) continue;
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (depth <= 0 && t.is(";")) return token;
  }
  return tokens_.size() - 1;
}

SourceRange TolerantParser::rangeOf(std::size_t begin, std::size_t end) const {
  if (begin >= end) return {tokens_[begin].begin, tokens_[begin].begin};
  return {tokens_[begin].begin, tokens_[end - 1].end};
}

void TolerantParser::problem(SourcePlace place, const std::string& message, int statement, int op) {
  reading_.sketch.problems.push_back({place, message, statement, op});
}

SketchItem& TolerantParser::item(ItemKind kind, SourceRange range) {
  SketchItem& made = reading_.items.emplace_back();
  made.kind = kind;
  made.range = range;
  if (kind == ItemKind::statement)
    made.statement = static_cast<int>(program_.statements.size()) - 1;
  return made;
}

void TolerantParser::failAhead(const ProgramError& error) {
  problem(error.place(), error.what(), -1, -1);
}

/// Whether the statement that was read since is more than one op after another with one name: its
/// ops stay together with its text.
bool TolerantParser::isCompound(const Before& before) const {
  if (program_.statements.size() - before.statements > 1) return true;
  if (opensControlFlow(tokens_[before.token])) return true;
  if (program_.statements.size() > before.statements && before.token + 1 < tokens_.size()) {
    const Token& next = tokens_[before.token + 1];
    if (!next.is("=") && !next.is(":") && augmented(next).empty()) return true;
  }
  for (std::size_t i = before.ops; i < program_.ops.size(); ++i) {
    const Op& op = program_.ops[i];
    if (op.frame >= 0 || op.dependsOnSizes()) return true;
  }
  return false;
}

/// Notes what a statement that was understood is.
void TolerantParser::record(const Before& before, std::size_t end) {
  const Token& first = tokens_[before.token];
  ItemKind kind = ItemKind::other;
  const bool many = opensControlFlow(first) || first.is("def") || first.is("class") ||
                    first.is("@") || first.is("async");
  if (many) {
    // Up to the end of what was read, which may be several lines.
    std::size_t last = cursor_.position();
    const auto between = [&](const Token& t) {
      return t.kind == Token::Kind::newline || t.kind == Token::Kind::dedent ||
             t.kind == Token::Kind::indent;
    };
    while (last > before.token && between(tokens_[last - 1])) --last;
    end = std::max(end, last);
  }
  const bool other = !isMain(before.token) &&
                     (first.is("def") || first.is("class") || first.is("@") || first.is("async"));
  // A class's body may compute, whatever its position.
  const bool computes = program_.statements.size() > before.statements;
  if (other && !computes) {
    kind = names_.declared && !before.declared ? ItemKind::header : ItemKind::refused;
  } else if (opensHeader(first) && !other) {
    kind = ItemKind::header;
    end = cursor_.position();
    if (tokens_[end - 1].kind == Token::Kind::newline) --end;
  } else if (computes) {
    kind = ItemKind::statement;
  } else if (!before.returned && !program_.outputs.empty()) {
    kind = ItemKind::returned;
  }
  SketchItem& made = item(kind, rangeOf(before.token, end));
  made.declares = names_.declared != before.declared;
  if (kind == ItemKind::statement) {
    made.firstStatement = static_cast<int>(before.statements);
    made.compound = isCompound(before);
  } else if (kind == ItemKind::returned) {
    made.firstStatement = static_cast<int>(before.statements);
    made.compound = isCompound(before) || program_.statements.size() > before.statements;
  }
  if (made.declares)
    for (const auto& [name, value] : names_.bound)
      if (!value.isTensor() && !value.object) reading_.constants.emplace_back(name, value);
  if (kind == ItemKind::statement || kind == ItemKind::returned)
    noteReads(made, before.token, end, before.bound);
}

void TolerantParser::noteReads(SketchItem& item, std::size_t begin, std::size_t end,
                               const std::optional<PythonValue>& first) const {
  const auto valueOf = [&](const std::string& name) -> ValueId {
    if (name == tokens_[begin].value) {  // may have been bound again since
      if (first) return first->isTensor() ? first->value : -1;
    } else if (const auto found = names_.bound.find(name); found != names_.bound.end()) {
      return found->second.isTensor() ? found->second.value : -1;
    }
    const auto input = std::find(program_.inputs.begin(), program_.inputs.end(), name);
    return input == program_.inputs.end() ? -1
                                          : static_cast<ValueId>(input - program_.inputs.begin());
  };
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& t = tokens_[i];
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    if (t.kind != Token::Kind::name || !namesValue(i, depth)) continue;
    const bool known = std::any_of(item.reads.begin(), item.reads.end(),
                                   [&](const auto& read) { return read.first == t.value; });
    if (known) continue;
    if (const ValueId value = valueOf(t.value); value >= 0) item.reads.emplace_back(t.value, value);
  }
}

bool TolerantParser::startsOtherFunction(const Before& before) const {
  const Token& first = tokens_[before.token];
  if (layout_.mainPart >= 0 && !opensControlFlow(first) && !first.is("with"))
    return !isMain(before.token);
  if (!first.is("def") && !first.is("async")) return false;
  const bool initializes =
      before.token + 1 < tokens_.size() && tokens_[before.token + 1].value == "__init__";
  return initializes || before.declared || before.ops > 0 || before.inputs > 0;
}

/// Marks the statement that was not understood and continues after it.
void TolerantParser::recover(const Before& before, const ProgramError& error, bool lexical) {
  const bool blockMissing = blockAllowed_ && now().kind != Token::Kind::indent &&
                            cursor_.position() == before.token && !lexical;
  if (blockMissing) {
    blockAllowed_ = false;
    return problem(error.place(), error.what(), -1, -1);
  }
  restore(before);
  const Token& first = now();
  if (first.kind == Token::Kind::indent) {
    cursor_.advance();
    return skipBlock(-1, error.what(), true);
  }
  const bool wholeLine = lexical || opensControlFlow(first) || opensHeader(first);
  const std::size_t end = statementEnd(before.token, wholeLine);
  SourceRange range = rangeOf(before.token, end);
  if (lexical) range.begin = std::min(range.begin, lexerProblems_[nextProblem_ - 1].begin);
  const bool header = opensHeader(first) || first.is("import") || first.is("from") || first.is("@");
  if (before.returned || header) {
    problem(error.place(), error.what(), -1, -1);
    return recoverHeader(before, end, range);
  }
  const int op = static_cast<int>(program_.ops.size());
  if (first.is("return")) {
    problem(error.place(), error.what(), -1, op);
    placeholderReturn(before.token, end, range);
    item(ItemKind::returned, range);
  } else {
    problem(error.place(), error.what(), static_cast<int>(program_.statements.size()), op);
    placeholder(before.token, end, range, !opensControlFlow(first));
    item(ItemKind::statement, range);
  }
  reading_.items.back().understood = false;
  reading_.items.back().names = targets(before.token, end);
  noteReads(reading_.items.back(), before.token, end, before.bound);
  const int index = static_cast<int>(reading_.items.size()) - 1;
  cursor_.seek(end);
  if (now().kind != Token::Kind::end) cursor_.advance();
  if (now().kind != Token::Kind::indent) return;
  cursor_.advance();
  const bool control = opensControlFlow(first);
  skipBlock(index,
            control ? "this line is in the block of '" + first.value + "' in line " +
                          std::to_string(first.place.line) +
                          ", which is not understood; move it out of the block"
                    : "this line is indented deeper than the one above it",
            true);
}

/// A header that is not understood has no op. The lines in its block are read, except for those of
/// another function.
void TolerantParser::recoverHeader(const Before& before, std::size_t end, SourceRange range) {
  const Token& first = tokens_[before.token];
  const bool skips = before.returned || startsOtherFunction(before);
  item(skips || !opensHeader(first) ? ItemKind::refused : ItemKind::header, range).understood =
      false;
  const int index = static_cast<int>(reading_.items.size()) - 1;
  // The lines behind the header of the program's function are the program, even if it is wrong.
  if (!skips && (first.is("def") || first.is("async"))) evaluator_.setPreparing(false);
  cursor_.seek(end);
  if (now().kind != Token::Kind::end) cursor_.advance();
  if (now().kind != Token::Kind::indent) return;
  if (!skips && opensHeader(first)) {
    blockAllowed_ = true;
    return;
  }
  cursor_.advance();
  skipBlock(index, {}, false);
}

/// Marks the lines up to the end of the block that has just begun. `keep`: they stand for ops.
void TolerantParser::skipBlock(int header, const std::string& message, bool keep) {
  int depth = 1;
  while (depth > 0 && now().kind != Token::Kind::end) {
    const Token::Kind kind = now().kind;
    if (kind == Token::Kind::indent || kind == Token::Kind::dedent) {
      depth += kind == Token::Kind::indent ? 1 : -1;
      cursor_.advance();
      continue;
    }
    blockLine(header, message, keep);
  }
}

void TolerantParser::blockLine(int header, const std::string& message, bool keep) {
  const std::size_t begin = cursor_.position(), end = statementEnd(begin, true);
  SourceRange range = rangeOf(begin, end);
  const SourcePlace place = now().place;
  while (nextProblem_ < lexerProblems_.size() && now().begin >= lexerProblems_[nextProblem_].begin)
    range.begin = std::min(range.begin, lexerProblems_[nextProblem_++].begin);
  const std::optional<PythonValue> bound = before().bound;
  const bool nothing = tokens_[begin].is("pass") || tokens_[begin].kind == Token::Kind::text;
  if (keep && !nothing) {
    problem(place, message, static_cast<int>(program_.statements.size()),
            static_cast<int>(program_.ops.size()));
    placeholder(begin, end, range, false);
  }
  SketchItem& made = item(keep && !nothing ? ItemKind::statement : ItemKind::refused, range);
  made.understood = false;
  made.names = targets(begin, end);
  made.block = header >= 0 ? header : static_cast<int>(reading_.items.size()) - 1;
  if (keep && !nothing) noteReads(made, begin, end, bound);
  cursor_.seek(end);
  if (now().kind != Token::Kind::end) cursor_.advance();
}

SketchReading readSketch(std::string_view text, const ProgramHints& hints) {
  return readForGradients(
      hints, [&](const ProgramHints& as) { return TolerantParser(text, as).readAll(); });
}

}  // namespace fusebench
