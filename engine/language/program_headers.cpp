// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <vector>

#include "engine/language/exported_text.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_parser.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;
using Part = ProgramLayout::Part;

/// Where in `name = torch.compile(` what is compiled stands, counted from the name.
constexpr int kCompiled = 6;

/// Whether a line gives a name to what torch.compile makes of something.
bool isCompiling(const std::vector<Token>& tokens, std::size_t at) {
  if (at + kCompiled >= tokens.size() || tokens[at].kind != Token::Kind::name) return false;
  const auto is = [&](std::size_t i, std::string_view text) { return tokens[at + i].is(text); };
  return is(1, "=") && tokens[at + 2].value == "torch" && is(3, ".") &&
         tokens[at + 4].value == "compile" && is(5, "(");
}

constexpr std::string_view kSizeComment = "Sym(";

bool isSizeComment(std::string_view hint) {
  return hint.starts_with(kSizeComment) && hint.ends_with(')');
}

/// The type that a comment states, if its extents are numbers.
std::optional<ValueType> commentedType(std::string_view hint) {
  const std::optional<TypeComment> comment = readTypeComment(hint);
  if (!comment || comment->extents.size() > static_cast<std::size_t>(kMaxRank)) return std::nullopt;
  ValueType type;
  type.dtype = comment->dtype;
  for (const std::string& extent : comment->extents) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(extent.data(), extent.data() + extent.size(), number);
    if (error != std::errc() || end != extent.data() + extent.size() || number < 0)
      return std::nullopt;
    type.shape.push(number);
  }
  return type;
}

/// Goes through tokens line by line and notes where functions and classes begin and end.
class LayoutScan {
 public:
  explicit LayoutScan(const std::vector<Token>& tokens) : tokens_(tokens) {}

  ProgramLayout run() {
    parts(layout_.parts, true);
    noteNames();
    noteStarts();
    choose();
    return std::move(layout_);
  }

 private:
  bool at(Token::Kind kind) const { return tokens_[next_].kind == kind; }
  bool atEnd() const { return next_ + 1 >= tokens_.size(); }

  void toNextLine() {
    while (!atEnd() && !at(Token::Kind::newline)) ++next_;
    if (!atEnd()) ++next_;
  }

  /// The statements of one block, up to its dedent.
  void parts(std::vector<Part>& found, bool outermost) {
    int begin = -1;  // of decorators
    while (!atEnd()) {
      if (at(Token::Kind::dedent)) {
        ++next_;
        if (!outermost) return;
        continue;
      }
      if (at(Token::Kind::newline)) {
        ++next_;
        continue;
      }
      if (at(Token::Kind::indent)) {
        ++next_;
        block(outermost);
        continue;
      }
      const Token& first = tokens_[next_];
      if (first.is("@")) {
        if (begin < 0) begin = static_cast<int>(next_);
        toNextLine();
        continue;
      }
      if (first.is("async") && tokens_[next_ + 1].is("def")) ++next_;
      if (tokens_[next_].is("def") || tokens_[next_].is("class"))
        part(found, begin);
      else
        other(outermost);
      begin = -1;
    }
  }

  void part(std::vector<Part>& found, int begin) {
    Part made;
    made.word = static_cast<int>(next_);
    made.begin = begin < 0 ? made.word : begin;
    made.isClass = tokens_[next_].is("class");
    made.name = tokens_[std::min(next_ + 1, tokens_.size() - 1)].value;
    toNextLine();
    if (!atEnd() && at(Token::Kind::indent)) {
      ++next_;
      if (made.isClass)
        parts(made.members, false);
      else
        block(false);
    }
    made.end = static_cast<int>(next_);
    found.push_back(std::move(made));
  }

  void other(bool outermost) {
    if (outermost && tokens_[next_].is("return")) layout_.returns = true;
    if (outermost && tokens_[next_].kind == Token::Kind::name && next_ + 3 < tokens_.size() &&
        tokens_[next_ + 1].is("=") && tokens_[next_ + 3].is("("))
      made_.push_back(static_cast<int>(next_) + 2);
    // f = torch.compile(f) names nothing that was not there; m = torch.compile(M()) makes a module.
    if (outermost && isCompiling(tokens_, next_)) {
      compiled_.insert({static_cast<int>(next_), static_cast<int>(next_) + kCompiled});
      if (next_ + kCompiled + 1 < tokens_.size() && tokens_[next_ + kCompiled + 1].is("("))
        made_.push_back(static_cast<int>(next_) + kCompiled);
    }
    toNextLine();
  }

  /// A block that is looked into only for a return outside of functions.
  void block(bool outermost) {
    int depth = 1;
    bool lineBegins = true;
    for (; depth > 0 && !atEnd(); ++next_) {
      if (at(Token::Kind::indent)) ++depth;
      if (at(Token::Kind::dedent)) --depth;
      if (outermost && lineBegins && tokens_[next_].is("return")) layout_.returns = true;
      lineBegins = at(Token::Kind::newline) || at(Token::Kind::indent) || at(Token::Kind::dedent);
    }
  }

  /// Notes the first and the last place where each name stands but as an attribute.
  void noteNames() {
    const std::set<int> made(made_.begin(), made_.end());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto index = static_cast<int>(i);
      if (tokens_[i].kind != Token::Kind::name || made.contains(index) || compiled_.contains(index))
        continue;
      if (i > 0 && tokens_[i - 1].is(".")) continue;
      const auto found = named_.try_emplace(tokens_[i].value, index, index).first;
      found->second.second = index;
    }
  }

  /// Whether the text names the part outside of it.
  bool isNamedElsewhere(const Part& part) const {
    const auto found = named_.find(part.name);
    return found != named_.end() &&
           (found->second.first < part.begin || found->second.second >= part.end);
  }

  void noteStarts() {
    for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
      const Part& part = layout_.parts[i];
      const std::pair<int, int> own{static_cast<int>(i), -1};
      layout_.starts[part.begin] = layout_.starts[part.word] = own;
      for (std::size_t m = 0; m < part.members.size(); ++m)
        layout_.starts[part.members[m].begin] = {own.first, static_cast<int>(m)};
    }
  }

  static int mainMember(const Part& part) {
    for (const char* name : {"forward", "__call__"})
      for (std::size_t i = 0; i < part.members.size(); ++i)
        if (part.members[i].name == name) return static_cast<int>(i);
    for (std::size_t i = part.members.size(); i-- > 0;)
      if (!part.members[i].isClass && !part.members[i].name.starts_with("__"))
        return static_cast<int>(i);
    return -1;
  }

  void choose() {
    if (layout_.returns) return;
    for (const bool unnamed : {true, false})
      for (std::size_t i = layout_.parts.size(); i-- > 0 && layout_.mainPart < 0;) {
        const Part& part = layout_.parts[i];
        if (unnamed && isNamedElsewhere(part)) continue;
        layout_.mainMember = part.isClass ? mainMember(part) : -1;
        if (!part.isClass || layout_.mainMember >= 0) layout_.mainPart = static_cast<int>(i);
      }
    if (layout_.mainPart < 0) return;
    const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
    for (const int made : made_)
      if (main.isClass && made >= main.end &&
          tokens_[static_cast<std::size_t>(made)].value == main.name)
        layout_.made = made;
  }

  const std::vector<Token>& tokens_;
  ProgramLayout layout_;
  std::map<std::string_view, std::pair<int, int>> named_;  ///< first and last token of each name
  std::vector<int> made_;   ///< tokens of what is called in `name = Class(`
  std::set<int> compiled_;  ///< tokens of names in `name = torch.compile(name`
  std::size_t next_ = 0;
};

}  // namespace

ProgramLayout layoutOf(const std::vector<Token>& tokens) {
  return LayoutScan(tokens).run();
}

bool ProgramParser::isMain(std::size_t token) const {
  if (layout_.mainPart < 0) return false;
  const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  const auto is = [&](const Part& part) {
    return static_cast<int>(token) >= part.begin && static_cast<int>(token) <= part.word;
  };
  if (is(main)) return true;
  return layout_.mainMember >= 0 && is(main.members[static_cast<std::size_t>(layout_.mainMember)]);
}

const Part* ProgramParser::otherPart() const {
  const auto found = layout_.starts.find(static_cast<int>(cursor_.position()));
  if (found == layout_.starts.end()) return nullptr;
  const auto [index, member] = found->second;
  const Part& part = layout_.parts[static_cast<std::size_t>(index)];
  if (index != layout_.mainPart) return member < 0 ? &part : nullptr;
  if (member < 0 || member == layout_.mainMember) return nullptr;
  return &part.members[static_cast<std::size_t>(member)];
}

/// Whether this line only makes the module, or runs the program: Python's own, behind the program.
bool ProgramParser::isTrailing() const {
  if (layout_.mainPart < 0) return false;
  if (static_cast<int>(cursor_.position()) + 2 == layout_.made) return true;
  if (isCompiling(tokens_, cursor_.position())) return true;
  return now().is("if") && cursor_.ahead().value == "__name__";
}

void ProgramParser::define(const Part& part) {
  const auto begin = static_cast<std::size_t>(part.begin);
  if (!defined_[begin]) {
    defined_[begin] = true;
    cursor_.seek(begin);
    evaluator_.execute(parser_.statement());
  }
  cursor_.seek(static_cast<std::size_t>(part.end));
}

void ProgramParser::defineLater() {
  const std::size_t back = cursor_.position();
  for (std::size_t i = 0; i < layout_.parts.size(); ++i) {
    const Part& part = layout_.parts[i];
    if (static_cast<int>(i) == layout_.mainPart || part.begin < static_cast<int>(back)) continue;
    bool& done = defined_[static_cast<std::size_t>(part.begin)];
    if (std::exchange(done, true)) continue;
    try {
      cursor_.seek(static_cast<std::size_t>(part.begin));
      evaluator_.execute(parser_.statement());
    } catch (const ProgramError& error) {
      failAhead(error);
    }
  }
  cursor_.seek(back);
}

void ProgramParser::beginBlock() {
  cursor_.expect(":", "at the end of the header");
  if (now().kind != Token::Kind::newline) return;
  cursor_.advance();
  blockAllowed_ = true;
}

void ProgramParser::with() {
  const Token word = now();
  cursor_.advance();
  ast::Statement header;
  header.kind = ast::Statement::Kind::with;
  header.place = word.place;
  do {
    header.values.push_back(parser_.expression());
    if (cursor_.accept("as")) parser_.nameToBind();
  } while (cursor_.accept(","));
  const BuildModes modes = evaluator_.modesIn(header);
  beginBlock();
  const BuildModes before = builder_.setModes(modes);
  if (blockAllowed_) {
    modes_.push_back({depth_, before});
    return;
  }
  statement();
  builder_.setModes(before);
}

void ProgramParser::classHeader() {
  const Part& main = layout_.parts[static_cast<std::size_t>(layout_.mainPart)];
  defineLater();
  ast::Statement made;
  made.kind = ast::Statement::Kind::classType;
  made.place = now().place;
  cursor_.advance();
  made.text = parser_.nameToBind();
  made.values = parser_.bases();
  beginBlock();
  const std::size_t back = cursor_.position();
  // Everything in the class but the program's function, wherever it stands.
  const Part& own = main.members[static_cast<std::size_t>(layout_.mainMember)];
  if (now().kind == Token::Kind::indent) cursor_.advance();
  while (static_cast<int>(cursor_.position()) < main.end && now().kind != Token::Kind::dedent &&
         now().kind != Token::Kind::end) {
    const std::size_t begin = cursor_.position();
    if (now().kind == Token::Kind::newline) {
      cursor_.advance();
      continue;
    }
    if (static_cast<int>(begin) == own.begin) {
      cursor_.seek(static_cast<std::size_t>(own.end));
      continue;
    }
    try {
      made.body.push_back(parser_.statement());
    } catch (const ProgramError& error) {
      failAhead(error);
      for (const Part& member : main.members)
        if (member.begin == static_cast<int>(begin))
          cursor_.seek(static_cast<std::size_t>(member.end));
      if (cursor_.position() <= begin) skipLine();
    }
    defined_[begin] = true;
  }
  cursor_.seek(back);
  evaluator_.execute(made);
  type_ = names_.bound[made.text];
}

void ProgramParser::function() {
  if (now().is("async")) failProgram(now().place, "found 'async'; a program runs at once");
  if (!type_.object) defineLater();
  cursor_.advance();
  const Token name = now();
  parser_.nameToBind();
  cursor_.expect("(", "after the function's name");
  const std::vector<ast::Parameter> parameters = parser_.parameters(")");
  if (cursor_.accept("->")) parser_.skipHint();
  // Names around the function are what its helpers see, too.
  evaluator_.nameHeldIn(names_);
  for (auto& [bound, value] : names_.bound) evaluator_.globals().bound[bound] = value;
  names_.bound.clear();
  std::vector<PythonValue> fallbacks;
  for (const ast::Parameter& parameter : parameters)
    if (!isSizeComment(parameter.hint)) declare(parameter);
  bindSizes(parameters);
  names_.declared = true;
  if (type_.object && names_.bound.contains("self")) makeModule(name.place);
  evaluator_.setPreparing(false);
  beginBlock();
}

void ProgramParser::makeModule(SourcePlace place) {
  try {
    std::vector<CallArgument> arguments;
    if (layout_.made >= 0) {
      const std::size_t back = cursor_.position();
      cursor_.seek(static_cast<std::size_t>(layout_.made));
      const ast::ExpressionPtr call = parser_.expression();
      cursor_.seek(back);
      names_.bound["self"] = evaluator_.evaluate(*call);
    } else {
      names_.bound["self"] = evaluator_.instantiate(type_, {}, place);
    }
    evaluator_.nameHeld(names_.bound["self"], "", std::string(kInstanceName));
    if (record_) {
      record_->instance = true;
      record_->module = Evaluator::isModule(names_.bound["self"]);
    }
  } catch (const ProgramError& error) {
    const std::string_view what = error.what();
    const bool missing = layout_.made < 0 && what.find("is missing its argument") != what.npos;
    failAhead(missing ? ProgramError(error.place(), std::string(what) +
                                                        "; give it a default, or add a line "
                                                        "that makes the module behind the class")
                      : error);
  }
}

void ProgramParser::declare(const ast::Parameter& parameter) {
  const std::string& name = parameter.name;
  if (parameter.kind == ast::Parameter::Kind::args ||
      parameter.kind == ast::Parameter::Kind::keywords)
    failProgram(parameter.place, "found '*'; write the function's arguments out one by one");
  const bool self = name == "self" || name == "cls";
  if (self && program_.inputs.empty() && !names_.bound.contains(name)) {
    names_.bound[name] = PythonValue::pathOf(name, parameter.place);
    return;
  }
  PythonValue fallback;
  if (parameter.fallback) fallback = evaluator_.evaluate(*parameter.fallback);
  // What may be left out, and is, where the inputs are known.
  if (parameter.fallback && fallback.kind == Kind::none && !builder_.mayBeInput(name)) {
    names_.bound[name] = fallback;
    return;
  }
  // A parameter with a number or the like as default is that number; a tensor otherwise.
  if (fallback.kind != Kind::none && fallback.kind != Kind::held) {
    names_.bound[name] = fallback;
    return;
  }
  for (std::string_view plain : {"float", "int", "bool", "str"})
    if (parameter.hint == plain)
      failProgram(parameter.place, "parameter " + name + " is a " + parameter.hint +
                                       " without a value; inputs are tensors: "
                                       "give it a default, as in " +
                                       name + ": " + parameter.hint + " = ...");
  names_.bound[name] =
      PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), parameter.place);
  program_.inputs.push_back(name);
  if (const std::optional<ValueType> type = commentedType(parameter.hint))
    builder_.addHint(name, *type);
}

/// Exported graphs take sizes that may change as inputs of their own, `s0: "Sym(s0)"`: here they
/// are extents of the tensors whose comments name them.
void ProgramParser::bindSizes(const std::vector<ast::Parameter>& parameters) {
  for (const ast::Parameter& size : parameters) {
    if (!isSizeComment(size.hint)) continue;
    const std::string symbol =
        size.hint.substr(kSizeComment.size(), size.hint.size() - kSizeComment.size() - 1);
    for (const ast::Parameter& tensor : parameters) {
      const std::optional<TypeComment> type = readTypeComment(tensor.hint);
      if (!type) continue;
      const auto at = std::ranges::find(type->extents, symbol);
      if (at == type->extents.end()) continue;
      const auto dim = static_cast<int>(at - type->extents.begin());
      names_.bound[size.name] = builder_.sizeValue(
          program_.sizes.extent(names_.bound[tensor.name].value, dim), size.place);
      break;
    }
    if (!names_.bound.contains(size.name))
      failProgram(size.place, "no input has a dimension of the size " + symbol +
                                  "; write its number in place of " + size.name);
  }
}

}  // namespace fusebench
