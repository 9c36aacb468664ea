// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_exec.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "engine/language/ast_parser.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_layout.h"
#include "engine/language/surroundings.h"

namespace fusebench {
namespace {

using BuiltLine = ast::Statement;
using BuiltLineKind = ast::Statement::Kind;
using BuiltKind = ast::Expression::Kind;
using BuiltName = std::set<std::string, std::less<>>;

/// A text for exec may call exec again.
constexpr int kMostExpansions = 4;
constexpr std::size_t kLongestExpanded = 4u << 20;

bool callsExec(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].kind == Token::Kind::name && tokens[i].value == "exec" && tokens[i + 1].is("(") &&
        (i == 0 || !tokens[i - 1].is(".")))
      return true;
  return false;
}

std::deque<BuiltLine> linesOf(std::string_view text, const std::vector<Token>& tokens,
                              bool tolerant) {
  std::deque<BuiltLine> lines;
  TokenCursor cursor(tokens);
  AstParser parser(cursor);
  parser.setText(text);
  while (cursor.now().kind != Token::Kind::end) {
    const Token::Kind kind = cursor.now().kind;
    if (kind == Token::Kind::newline || kind == Token::Kind::indent ||
        kind == Token::Kind::dedent) {
      cursor.advance();
      continue;
    }
    const std::size_t begin = cursor.position();
    try {
      lines.push_back(parser.statement());
    } catch (const ProgramError&) {  // said when the program is read, if it needs the line
      if (!tolerant) throw;
      cursor.seek(begin);
      while (cursor.now().kind != Token::Kind::newline && cursor.now().kind != Token::Kind::end)
        cursor.advance();
    }
  }
  return lines;
}

/// Names that the lines of a text bind.
BuiltName namesBoundBy(const std::deque<BuiltLine>& lines) {
  BuiltName names;
  for (const BuiltLine& each : lines) {
    if (each.kind == BuiltLineKind::function) names.insert(each.function->name);
    if (each.kind == BuiltLineKind::classType) names.insert(each.text);
    for (const auto& target : each.targets)
      if (target && target->kind == BuiltKind::name) names.insert(target->text);
  }
  return names;
}

class ExecReader {
 public:
  explicit ExecReader(std::string_view text)
      : text_(text),
        tokens_(tokenize(text)),
        builder_(program_),
        evaluator_(program_, builder_, names_) {}

  std::optional<ExpandedText> run() {
    if (!callsExec(tokens_)) return std::nullopt;
    lines_ = linesOf(text_, tokens_, true);
    around_.drivers = layoutOf(tokens_, text_).drivers;
    evaluator_.setText(std::make_shared<const std::string>(text_));
    evaluator_.setPreparing(true);
    evaluator_.setSurroundings(&around_);
    evaluator_.setBuilt(&built_);
    for (const BuiltLine& line : lines_) {
      const std::size_t before = built_.size();
      try {
        evaluator_.execute(line);
      } catch (const ProgramError&) {  // said when the program is read
      }
      for (std::size_t i = before; i < built_.size(); ++i) take(built_[i], line);
    }
    if (inserted_.empty()) return std::nullopt;
    for (const BuiltLine& line : lines_) removeCalls(line);
    replaceNames();
    return written();
  }

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
    int line = 0;  ///< where exec is called; 0: not a text for exec
  };

  static bool isAt(const SourcePlace& a, const SourcePlace& b) {
    return a.line == b.line && a.column == b.column;
  }

  /// Inserts the text of a call before the line that reaches the call.
  void take(const BuiltText& built, const BuiltLine& line) {
    const auto same = [&](const BuiltText& each) { return isAt(each.place, built.place); };
    const auto known = std::ranges::find_if(taken_, same);
    if (known != taken_.end()) {
      if (known->text != built.text)
        notes_.push_back(
            {built.place.line,
             "exec gets a different string at each call; the program uses the first one"});
      return;
    }
    taken_.push_back(built);
    try {
      const std::vector<Token> tokens = tokenize(built.text);
      const std::deque<BuiltLine> lines = linesOf(built.text, tokens, false);
      defined_.merge(namesBoundBy(lines));
      for (const BuiltLine& each : lines)
        if (each.kind == BuiltLineKind::function || each.kind == BuiltLineKind::classType)
          last_ = each.kind == BuiltLineKind::function ? each.function->name : each.text;
    } catch (const ProgramError& error) {
      failProgram({built.place.line, built.place.column},
                  "in line " + std::to_string(error.place().line) +
                      " of the string that exec gets: " + error.what());
    }
    std::string text = built.text;
    if (!text.ends_with('\n')) text += '\n';
    inserted_.push_back({line.begin, line.begin, std::move(text), built.place.line});
    notes_.push_back({built.place.line, "exec: the string that it gets is read in its place"});
  }

  void removeCalls(const BuiltLine& line) {
    for (const ast::Block* block : {&line.body, &line.otherwise, &line.handlers, &line.lastly})
      for (const BuiltLine& each : *block) removeCalls(each);
    if (line.function)
      for (const BuiltLine& each : line.function->body) removeCalls(each);
    if (line.kind != BuiltLineKind::expression || line.value->kind != BuiltKind::postfix) return;
    const ast::Trailer& call = line.value->trailers.front();
    if (std::ranges::none_of(
            taken_, [&](const BuiltText& each) { return isAt(each.place, line.value->place); }) ||
        call.kind != ast::Trailer::Kind::call)
      return;
    std::string assigned;
    for (std::size_t i = 1; i < call.arguments.size(); ++i)
      if (call.arguments[i]->kind == BuiltKind::name)
        for (const std::string& each : defined_)
          assigned.append(assigned.empty() ? "" : "; ")
              .append(call.arguments[i]->text)
              .append("[\"")
              .append(each)
              .append("\"] = ")
              .append(each);
    edits_.push_back({line.begin, line.end, assigned.empty() ? "pass" : assigned});
  }

  /// globals()["f"] is f.
  void replaceNames() {
    for (std::size_t i = 0; i + 5 < tokens_.size(); ++i) {
      const bool all = tokens_[i].value == "globals" || tokens_[i].value == "locals";
      if (!all || !tokens_[i + 1].is("(") || !tokens_[i + 2].is(")") || !tokens_[i + 3].is("["))
        continue;
      const Token& name = tokens_[i + 4];
      if (name.kind == Token::Kind::text && defined_.contains(name.value) && tokens_[i + 5].is("]"))
        edits_.push_back({tokens_[i].begin, tokens_[i + 5].end, name.value});
    }
  }

  /// Where the program would be the function that calls exec, it is the last one of the text that
  /// exec gets.
  void chooseEntry(ExpandedText& made) const {
    if (last_.empty() || !entryOf(made.text).empty()) return;
    const ProgramLayout layout = layoutOf(tokenize(made.text), made.text);
    if (defined_.contains(layout.entry)) return;
    const auto builds = std::ranges::any_of(lines_, [&](const BuiltLine& line) {
      return line.kind == BuiltLineKind::function && line.function->name == layout.entry &&
             std::ranges::any_of(taken_, [&](const BuiltText& each) {
               return each.place.line > line.place.line &&
                      each.place.line <= lastLineOf(*line.function);
             });
    });
    if (!builds) return;
    made.text = std::string(kEntryComment) + last_ + "\n" + made.text;
    for (ExpandedText::Piece& piece : made.pieces) {
      ++piece.first;
      ++piece.last;
    }
    made.pieces.insert(made.pieces.begin(), {1, 1, 1});
  }

  static int lastLineOf(const ast::Function& function) {
    int last = function.place.line;
    const auto visit = [&](const auto& self, const ast::Block& block) -> void {
      for (const BuiltLine& each : block) {
        last = std::max(last, each.place.line);
        for (const ast::Block* inner : {&each.body, &each.otherwise, &each.handlers, &each.lastly})
          self(self, *inner);
      }
    };
    visit(visit, function.body);
    return last;
  }

  ExpandedText written() {
    edits_.insert(edits_.begin(), inserted_.begin(), inserted_.end());
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    ExpandedText made;
    made.notes = notes_;
    std::size_t at = 0;
    const auto lineOf = [&] { return static_cast<int>(std::ranges::count(made.text, '\n')) + 1; };
    for (const Edit& edit : edits_) {
      if (edit.begin < at) continue;
      made.text += text_.substr(at, edit.begin - at);
      const int first = lineOf();
      made.text += edit.text;
      if (edit.line > 0) made.pieces.push_back({first, lineOf() - 1, edit.line});
      at = edit.end;
      if (made.text.size() > kLongestExpanded)
        failProgram({1, 1}, "the strings passed to exec are too long for a program");
    }
    made.text += text_.substr(at);
    chooseEntry(made);
    return made;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::deque<BuiltLine> lines_;
  Program program_;
  Names names_;
  ProgramBuilder builder_;
  Evaluator evaluator_;
  Surroundings around_;
  std::vector<BuiltText> built_, taken_;
  BuiltName defined_;  ///< by the texts that exec gets
  std::string last_;   ///< the last function or class of these
  std::vector<Edit> edits_, inserted_;
  std::vector<ProgramNote> notes_;
};

}  // namespace

ProgramError ExpandedText::original(const ProgramError& error) const {
  SourcePlace place = error.place();
  int before = 0;
  for (const Piece& piece : pieces) {
    if (place.line < piece.first) break;
    if (place.line <= piece.last)
      return ProgramError({piece.line, 1}, "in line " +
                                               std::to_string(place.line - piece.first + 1) +
                                               " of the string that exec gets: " + error.what());
    before += piece.last - piece.first + 1;
  }
  if (place.line > 0) place.line -= before;
  return ProgramError(place, error.what());
}

std::optional<ExpandedText> expandedText(std::string_view text) {
  std::optional<ExpandedText> found = ExecReader(text).run();
  for (int i = 1; found && i < kMostExpansions; ++i) {
    std::optional<ExpandedText> inner;
    try {
      inner = ExecReader(found->text).run();
    } catch (const ProgramError& error) {
      throw found->original(error);
    }
    if (!inner) break;
    inner->notes.insert(inner->notes.begin(), found->notes.begin(), found->notes.end());
    // Lines of the outer text, once those of the inner one are in it.
    for (ExpandedText::Piece piece : found->pieces) {
      for (const ExpandedText::Piece& within : inner->pieces) {
        const int lines = within.last - within.first + 1;
        if (within.first <= piece.first) piece.first += lines;
        if (within.first <= piece.last) piece.last += lines;
      }
      inner->pieces.push_back(piece);
    }
    std::ranges::sort(inner->pieces, {}, &ExpandedText::Piece::first);
    found = std::move(inner);
  }
  return found;
}

}  // namespace fusebench
