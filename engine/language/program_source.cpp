// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_source.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "engine/language/ast_parser.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_parser.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using SourceExpression = ast::Expression;
using SourceStatement = ast::Statement;
using ExpressionKind = ast::Expression::Kind;
using TrailerKind = ast::Trailer::Kind;
using LineKind = ast::Statement::Kind;
using NameSet = std::set<std::string, std::less<>>;

constexpr std::string_view kNotReached = "_not_reached";
/// Packages whose names a program may use.
constexpr std::array<std::string_view, 11> kKnownPackages = {
    "torch",     "math",   "numpy",       "copy",        "functools", "collections",
    "itertools", "typing", "torchvision", "dataclasses", "einops"};

std::string indented(int depth, std::string_view line) {
  return std::string(4 * static_cast<std::size_t>(depth), ' ') + std::string(line) + "\n";
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

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

/// Prints the parts of a text that reading it reached.
class SourcePrinter {
 public:
  SourcePrinter(const Program& program, const Program& whole, const SourceRecord& record)
      : program_(program),
        whole_(whole),
        source_(*program.source),
        record_(record),
        text_(*source_.text),
        tokens_(tokenise(text_)),
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

  std::string run() {
    std::string definitions = layout_.mainPart >= 0 ? aroundFunction() : aroundLines();
    std::string text = imports();
    if (definitions.find(std::string(kNotReached) + "()") != std::string::npos)
      text += "\n\ndef " + std::string(kNotReached) +
              "():\n    raise AssertionError('Fusebench did not get here when it read the "
              "program')\n";
    text += definitions;
    for (const auto& [name, modes] : record_.modes)
      if (needed_.contains(name) && name != kInstanceName)
        text += modeLines(name, text.find("\n" + name + ".eval()") == std::string::npos);
    text += entry() + heldNames();
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
  }

 private:
  // ---- the parts of the text ----

  /// A statement outside of functions. Those that only run the program are lines like any others.
  void addLine(SourceStatement s) {
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

  static void skipLines(TokenCursor& cursor) {
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

  std::size_t offsetOf(int token) const {
    return token < 0 ? std::string::npos : tokens_[static_cast<std::size_t>(token)].begin;
  }

  /// Finds the program's own function and its class.
  void findMain() {
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

  void collectImports(const SourceStatement& s) {
    for (const auto& [bound, path] : s.bindings) {
      imported_[bound] = path;
      importedAt_[bound] = s.place;
    }
    for (const ast::Block* block : {&s.body, &s.otherwise, &s.handlers, &s.lastly})
      for (const SourceStatement& each : *block) collectImports(each);
    if (s.function)
      for (const SourceStatement& each : s.function->body) collectImports(each);
  }

  bool isReached(const SourceStatement& s) const {
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
  /// Whether it was executed and changes no value, as a print.
  bool isPassedOver(const SourceStatement& s) const {
    return record_.leftOut.contains(s.begin) && !isReached(s);
  }
  /// Whether any line of the function was executed.
  bool isCalled(const ast::Function& function) const {
    return std::ranges::any_of(function.body, [this](const SourceStatement& each) {
      return each.kind == LineKind::pass || each.kind == LineKind::docString
                 ? record_.statements.contains(each.begin)
                 : isReached(each) ||
                       (each.kind == LineKind::function && record_.statements.contains(each.begin));
    });
  }
  /// Whether a part of an expression was not evaluated and may have effects.
  bool isLeftOut(const SourceExpression& part) const {
    return !record_.parts.contains({part.begin, part.end}) && calls(part);
  }

  /// The full path of a dotted name, resolved through the imports.
  std::string meant(const std::string& dotted) const {
    const std::size_t dot = std::min(dotted.find('.'), dotted.size());
    const std::string first = dotted.substr(0, dot);
    const auto found = imported_.find(first);
    if (found != imported_.end()) return found->second + dotted.substr(dot);
    const std::string_view known = knownModule(first);
    return (known.empty() ? first : std::string(known)) + dotted.substr(dot);
  }

  // ---- names ----

  /// The parts of an expression that are evaluated conditionally.
  std::vector<const SourceExpression*> choicesOf(const SourceExpression& e) const {
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

  /// Calls visit on the printed parts of an expression.
  void within(const SourceExpression& e,
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

  void readBy(const SourceExpression& e, std::vector<std::string>& names) const {
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

  static void boundBy(const SourceExpression& target, std::vector<std::string>& names) {
    if (target.kind == ExpressionKind::name) names.push_back(target.text);
    if (target.kind == ExpressionKind::tuple || target.kind == ExpressionKind::list ||
        target.kind == ExpressionKind::starred)
      for (const auto& part : target.parts) boundBy(*part, names);
  }

  void boundIn(const SourceExpression& e, std::vector<std::string>& names) const {
    if (e.kind == ExpressionKind::walrus) names.push_back(e.text);
    within(e, [&](const SourceExpression& part) { boundIn(part, names); });
  }

  struct LineNames {
    std::vector<std::string> reads, binds;
    bool changes = false;  ///< assigns to an attribute or an item
  };
  void namesOf(const SourceStatement& s, LineNames& names) const {
    if (s.kind == LineKind::classType || s.kind == LineKind::function)
      names.binds.push_back(s.text);
    else if (!isReached(s))
      return;
    if (s.kind == LineKind::import)
      for (const auto& each : s.bindings) names.binds.push_back(each.first);
    for (const auto& each : s.decorations)
      if (isDataclass(*each)) {
        readBy(*each, names.reads);
        names.reads.emplace_back("dataclasses");  // of its printed annotations
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

  void functionNames(const ast::Function& function, LineNames& names) const {
    for (const ast::Parameter& parameter : function.parameters)
      if (parameter.fallback) readBy(*parameter.fallback, names.reads);
    for (const auto& each : function.decorations)
      if (isKept(*each)) readBy(*each, names.reads);
    LineNames inside;
    for (const SourceStatement& each : function.body) namesOf(each, inside);
    NameSet own(inside.binds.begin(), inside.binds.end());
    for (const ast::Parameter& parameter : function.parameters) own.insert(parameter.name);
    for (const std::string& name : inside.reads)
      if (!own.contains(name)) names.reads.push_back(name);
  }

  // ---- expressions ----

  /// The text between two offsets, with edits: unreached parts and calls of torch.compile are
  /// replaced, because the executor decides what is compiled.
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::string slice(std::size_t begin, std::size_t end, std::vector<Edit> edits) const {
    std::ranges::sort(edits, {}, &Edit::begin);
    std::string made;
    for (const Edit& edit : edits) {
      if (edit.begin < begin || edit.end > end) continue;
      made += text_.substr(begin, edit.begin - begin) + edit.text;
      begin = edit.end;
    }
    return made + text_.substr(begin, end - begin);
  }

  void editsOf(const SourceExpression& e, std::vector<Edit>& edits) const {
    for (const SourceExpression* part : choicesOf(e))
      if (isLeftOut(*part))
        edits.push_back({part->begin, part->end, std::string(kNotReached) + "()"});
    if (const SourceExpression* const compiled = compiledBy(e)) {
      std::vector<Edit> inside;
      editsOf(*compiled, inside);
      edits.push_back(
          {e.begin, endOfCall(e.begin), "(" + slice(compiled->begin, compiled->end, inside) + ")"});
      return;
    }
    if (const std::string* const evaluated = evaluatedBy(e)) {
      edits.push_back({e.begin, endOfCall(e.begin), "(" + *evaluated + ")"});
      return;
    }
    within(e, [&](const SourceExpression& part) { editsOf(part, edits); });
  }

  /// The text that a call of eval() was given, which is written in its place; null: it is none.
  const std::string* evaluatedBy(const SourceExpression& e) const {
    if (e.kind != ExpressionKind::postfix) return nullptr;
    const auto found = record_.evaluated.find(e.begin);
    return found == record_.evaluated.end() || ast::dottedNameOf(e) != "eval" ? nullptr
                                                                              : &found->second;
  }

  /// The argument of torch.compile(...) or torch.jit.script(...); null for other expressions.
  const SourceExpression* compiledBy(const SourceExpression& e) const {
    if (e.kind != ExpressionKind::postfix) return nullptr;
    const std::string path = meant(ast::dottedNameOf(e));
    if (path != "torch.compile" && path != "torch.jit.script") return nullptr;
    for (const ast::Trailer& trailer : e.trailers) {
      if (trailer.kind != TrailerKind::call) continue;
      for (std::size_t i = 0; i < trailer.arguments.size(); ++i)
        if (trailer.keywords[i].empty() || trailer.keywords[i] == "model")
          return trailer.arguments[i].get();
      return nullptr;
    }
    return nullptr;
  }
  /// The end of the first call after an offset.
  std::size_t endOfCall(std::size_t begin) const {
    int depth = 0;
    for (const Token& token : tokens_) {
      if (token.begin < begin) continue;
      if (token.is("(")) ++depth;
      if (token.is(")") && --depth == 0) return token.end;
    }
    return text_.size();
  }

  std::string expressionText(const SourceExpression& e) const {
    std::vector<Edit> edits;
    editsOf(e, edits);
    return slice(e.begin, e.end, std::move(edits));
  }

  /// A line as written, or the header of a block without its colon.
  std::string lineText(const SourceStatement& s) const {
    std::vector<Edit> edits;
    for (const ast::ExpressionPtr* each : {&s.value, &s.message})
      if (*each) editsOf(**each, edits);
    for (const auto& each : s.values) editsOf(*each, edits);
    for (const auto& each : s.targets)
      if (each) editsOf(*each, edits);
    return slice(s.begin, s.end, std::move(edits));
  }

  // ---- statements ----

  std::string blockText(const ast::Block& block, int depth) const {
    std::string made;
    bool gap = false;
    for (const SourceStatement& each : block) {
      if (each.kind == LineKind::docString || each.kind == LineKind::pass) continue;
      const bool defined = each.kind == LineKind::function || each.kind == LineKind::classType;
      if (each.kind != LineKind::raise && !isReached(each) &&
          !(defined && record_.statements.contains(each.begin))) {
        if (isPassedOver(each)) continue;
        if (!gap) made += indented(depth, std::string(kNotReached) + "()");
        gap = true;
        continue;
      }
      made += statementText(each, depth);
    }
    return made.empty() ? indented(depth, "pass") : made;
  }

  std::string statementText(const SourceStatement& s, int depth) const {
    const auto in = [this](const SourceStatement& each) { return isReached(each); };
    switch (s.kind) {
      case LineKind::function:
        return functionText(*s.function, depth);
      case LineKind::classType:
        return classText(s, depth);
      case LineKind::condition: {
        std::string made = indented(depth, lineText(s) + ":") + blockText(s.body, depth + 1);
        if (s.otherwise.empty()) return made;
        const SourceStatement& next = s.otherwise.front();
        const bool chained =
            next.kind == LineKind::condition && text_.compare(next.begin, 4, "elif") == 0;
        if (chained && isReached(next)) return made + statementText(next, depth);
        if (chained) return made + indented(depth, "else:") + unreached(depth + 1);
        return made + indented(depth, "else:") + blockText(s.otherwise, depth + 1);
      }
      case LineKind::loop:
      case LineKind::whileLoop: {
        std::string made = indented(depth, lineText(s) + ":") + blockText(s.body, depth + 1);
        if (!s.otherwise.empty())
          made += indented(depth, "else:") + blockText(s.otherwise, depth + 1);
        return made;
      }
      case LineKind::with:
        if (record_.bare.contains(s.begin)) return blockText(s.body, depth);
        return indented(depth, lineText(s) + ":") + blockText(s.body, depth + 1);
      case LineKind::attempt: {
        std::string made;
        const bool handled =
            !s.handlers.empty() && std::ranges::any_of(s.handlers.front().body, in);
        made += blockText(handled ? s.handlers.front().body : s.body, depth);
        for (const ast::Block* more : {&s.otherwise, &s.lastly})
          if (!more->empty()) made += blockText(*more, depth);
        return made;
      }
      case LineKind::match: {
        std::string made = indented(depth, lineText(s) + ":");
        for (const SourceStatement& each : s.handlers)
          made += indented(depth + 1, lineText(each) + ":") +
                  (record_.statements.contains(each.begin) ? blockText(each.body, depth + 2)
                                                           : unreached(depth + 2));
        return made;
      }
      case LineKind::raise:
        return indented(depth, "raise RuntimeError('line " + std::to_string(s.place.line) +
                                   " of the program raises an error')");
      case LineKind::annotated:
        if (!s.value) return {};
        return indented(
            depth, expressionText(*s.targets.front()) + " = (" + expressionText(*s.value) + ")");
      case LineKind::import: {
        std::string made;
        for (const auto& [bound, path] : s.bindings)
          if (isKnownPackage(path)) made += indented(depth, importText(bound, path));
        return made;
      }
      default:
        return indented(depth, lineText(s));
    }
  }

  static std::string unreached(int depth) {
    return indented(depth, std::string(kNotReached) + "()");
  }

  /// Whether a decorator changes what the function computes; torch.compile and its like do not.
  bool isKept(const SourceExpression& decorator) const {
    const std::string dotted = ast::dottedNameOf(decorator);
    const std::string path = meant(dotted);
    for (const char* mode :
         {"torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.set_grad_enabled",
          "torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast",
          "torch.cpu.amp.autocast", "staticmethod", "classmethod", "property"})
      if (path == mode) return true;
    if (path.ends_with(".setter")) return true;
    const std::string first = dotted.substr(0, dotted.find('.'));
    return !imported_.contains(first) && knownModule(first).empty() && !isPythonBuiltin(first);
  }

  bool isDataclass(const SourceExpression& decorator) const {
    const std::string path = meant(ast::dottedNameOf(decorator));
    return path == "dataclasses.dataclass" || path == "dataclass";
  }

  /// A field of a dataclass. Names used only in annotations are not printed.
  std::string fieldText(const SourceStatement& s, int depth) const {
    const std::string value = s.value ? " = " + expressionText(*s.value) : std::string();
    const std::string name = expressionText(*s.targets.front());
    if (s.text.find("ClassVar") != std::string::npos)
      return s.value ? indented(depth, name + value) : std::string();
    const char* const kind = s.text.find("KW_ONLY") != std::string::npos   ? "dataclasses.KW_ONLY"
                             : s.text.find("InitVar") != std::string::npos ? "dataclasses.InitVar"
                                                                           : "object";
    return indented(depth, name + ": " + kind + value);
  }

  std::string headerText(const ast::Function& function) const {
    std::string list;
    bool starred = false;
    for (const ast::Parameter& each : function.parameters) {
      using ParameterKind = ast::Parameter::Kind;
      if (each.kind == ParameterKind::keywordOnly && !starred) {
        list += list.empty() ? "*" : ", *";
        starred = true;
      }
      starred |= each.kind == ParameterKind::args;
      const char* const stars = each.kind == ParameterKind::args       ? "*"
                                : each.kind == ParameterKind::keywords ? "**"
                                                                       : "";
      list += (list.empty() ? "" : ", ") + (stars + each.name);
      if (each.fallback) list += "=" + expressionText(*each.fallback);
    }
    return "def " + function.name + "(" + list + "):";
  }

  std::string functionText(const ast::Function& function, int depth) const {
    std::string made;
    for (const auto& each : function.decorations)
      if (isKept(*each)) made += indented(depth, "@" + expressionText(*each));
    made += indented(depth, headerText(function));
    if (&function == function_) return made + mainBody(function.body, depth + 1);
    made += blockText(function.body, depth + 1);
    // Without its unreached lines the function must remain a generator.
    if (function.generates) made += indented(depth + 1, "return") + indented(depth + 1, "yield");
    return made;
  }

  /// The base class to print; empty: none.
  std::string baseText(const SourceExpression& base) const {
    const std::string dotted = ast::dottedNameOf(base);
    const std::string first = dotted.substr(0, dotted.find('.'));
    const std::string path = meant(dotted);
    if (dotted == "object" || path.starts_with("typing.") || path.starts_with("abc.")) return {};
    if (!imported_.contains(first) || path.starts_with("torch.")) return expressionText(base);
    // Base classes of packages built on PyTorch are read as modules.
    return path.ends_with("Module") || path.ends_with("Model") ? "torch.nn.Module" : std::string();
  }

  std::string classText(const SourceStatement& s, int depth) const {
    std::vector<std::string> bases;
    for (const auto& base : s.values)
      if (std::string shown = baseText(*base); !shown.empty()) bases.push_back(std::move(shown));
    std::string made;
    bool data = false;
    for (const auto& each : s.decorations) {
      if (!isDataclass(*each)) continue;
      made += indented(depth, "@" + expressionText(*each));
      data = true;
    }
    made += indented(
        depth, "class " + s.text + (bases.empty() ? "" : "(" + joinedNames(bases) + ")") + ":");
    std::string members;
    for (const SourceStatement& each : s.body) {
      if (each.kind == LineKind::docString || each.kind == LineKind::pass) continue;
      const bool own = each.function && each.function.get() == function_;
      if (!own && !isReached(each)) continue;
      members += data && each.kind == LineKind::annotated ? fieldText(each, depth + 1)
                                                          : statementText(each, depth + 1);
    }
    return made + (members.empty() ? indented(depth + 1, "pass") : members);
  }

  // ---- the program's own lines ----

  bool isSegmented() const {
    return std::ranges::any_of(source_.segments, [](int segment) { return segment >= 0; });
  }

  /// A line of the program, and the number of statements up to its end.
  struct Line {
    const SourceStatement* statement;
    int end;
  };

  std::vector<Line> linesOf(const std::vector<const SourceStatement*>& body) const {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const int first = body[i]->place.line;
      const int next = i + 1 < body.size() ? body[i + 1]->place.line : 1 << 30;
      int end = lines.empty() ? 0 : lines.back().end;
      for (int j = end; j < static_cast<int>(whole_.statements.size()); ++j) {
        const SourcePlace place = whole_.statements[static_cast<std::size_t>(j)].place;
        const bool here = place.line == first ? place.column >= body[i]->place.column
                                              : place.line > first && place.line < next;
        const bool before = next != first || i + 1 == body.size() || place.line != next ||
                            place.column < body[i + 1]->place.column;
        if (here && before) end = j + 1;
      }
      lines.push_back({body[i], end});
    }
    return lines;
  }

  std::string mainBody(const ast::Block& block, int depth) const {
    std::vector<const SourceStatement*> body;
    for (const SourceStatement& each : block) body.push_back(&each);
    return mainBody(body, depth);
  }

  std::string mainBody(const std::vector<const SourceStatement*>& body, int depth) const {
    const bool segmented = isSegmented();
    const auto isCut = [&] {
      return source_.statements &&
             *source_.statements != static_cast<int>(whole_.statements.size());
    };
    if (!segmented && !isCut()) {
      std::string made;
      for (const SourceStatement* each : body) {
        if (each->kind == LineKind::docString || each->kind == LineKind::pass ||
            isPassedOver(*each))
          continue;
        made += isReached(*each) || each->kind == LineKind::raise ? statementText(*each, depth)
                                                                  : unreached(depth);
      }
      return made.empty() ? indented(depth, "pass") : made;
    }
    std::vector<const SourceStatement*> computing;
    const SourceStatement* last = nullptr;
    for (const SourceStatement* each : body) {
      if (each->kind == LineKind::returned) last = each;
      if (last) break;
      if (isReached(*each)) computing.push_back(each);
    }
    const std::vector<Line> once = linesOf(computing);
    std::string returned = last && last->value ? expressionText(*last->value) : std::string();
    std::vector<std::pair<const SourceStatement*, std::pair<int, int>>> lines;
    const int length = static_cast<int>(whole_.statements.size());
    const int wanted = isCut() ? *source_.statements : length;
    if (isCut()) returned = source_.returned;
    bool whole = !returned.empty();
    int done = 0;
    while (done < wanted && whole) {
      int before = 0;
      for (const Line& line : once) {
        if (done + line.end > wanted) break;
        lines.push_back({line.statement, {done + before, done + line.end}});
        before = line.end;
      }
      whole = before == length || done + before == wanted;
      done += before;
      if (before == 0) whole = false;
    }
    if (!whole)
      failProgram({}, "PyTorch runs whole lines: the first " + std::to_string(wanted) +
                          " statements of this program end within one of its lines or in a "
                          "function that it calls");
    std::string made;
    for (std::size_t i = 0; i < lines.size();) {
      const int segment = segmented ? segmentOf(lines[i].second) : -1;
      std::size_t end = i + 1;
      while (segmented && end < lines.size() && segmentOf(lines[end].second) == segment) ++end;
      if (segment < 0) {
        for (std::size_t at = i; at < end; ++at) made += statementText(*lines[at].first, depth);
      } else {
        std::vector<const SourceStatement*> group, later;
        for (std::size_t at = i; at < end; ++at) group.push_back(lines[at].first);
        for (std::size_t at = end; at < lines.size(); ++at) later.push_back(lines[at].first);
        std::vector<const SourceStatement*> earlier;
        for (std::size_t at = 0; at < i; ++at) earlier.push_back(lines[at].first);
        made += segmentText(group, earlier, later, last, returned, segment + 1, depth);
      }
      i = end;
    }
    return made + indented(depth, "return " + returned);
  }

  /// The segment of all these statements. Throws if they are in several.
  int segmentOf(std::pair<int, int> statements) const {
    int segment = -2;
    for (int i = statements.first; i < statements.second; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int own = at < source_.segments.size() ? source_.segments[at] : -1;
      if (segment != -2 && own != segment)
        failProgram({},
                    "PyTorch recomputes whole lines: a checkpoint begins within a line of this "
                    "program or in a function that it calls");
      segment = own;
    }
    return segment == -2 ? -1 : segment;
  }

  /// Prints lines as a function that torch.utils.checkpoint calls.
  std::string segmentText(const std::vector<const SourceStatement*>& group,
                          const std::vector<const SourceStatement*>& earlier,
                          const std::vector<const SourceStatement*>& later,
                          const SourceStatement* last, const std::string& returned, int number,
                          int depth) const {
    NameSet locals;
    if (function_)
      for (const ast::Parameter& each : function_->parameters) locals.insert(each.name);
    for (const std::string& input : program_.inputs) locals.insert(input);
    LineNames before;
    for (const SourceStatement* each : earlier) namesOf(*each, before);
    locals.insert(before.binds.begin(), before.binds.end());
    locals.erase("self");
    std::vector<std::string> given, bound;
    for (const SourceStatement* each : group) {
      LineNames names;
      namesOf(*each, names);
      for (const std::string& name : names.reads)
        if (locals.contains(name) && std::ranges::find(bound, name) == bound.end() &&
            std::ranges::find(given, name) == given.end())
          given.push_back(name);
      for (const std::string& name : names.binds)
        if (std::ranges::find(bound, name) == bound.end()) bound.push_back(name);
    }
    LineNames after;
    for (const SourceStatement* each : later) namesOf(*each, after);
    if (last && last->value && !source_.statements) readBy(*last->value, after.reads);
    std::string word;
    for (const char c : returned + " ") {
      if (isNameCharacter(c)) {
        word += c;
        continue;
      }
      after.reads.push_back(word);
      word.clear();
    }
    std::vector<std::string> results;
    for (const std::string& name : bound)
      if (std::ranges::find(after.reads, name) != after.reads.end()) results.push_back(name);
    const std::string name = "segment_" + std::to_string(number);
    std::string made = indented(depth, "def " + name + "(" + joinedNames(given) + "):");
    for (const SourceStatement* each : group) made += statementText(*each, depth + 1);
    if (!results.empty()) made += indented(depth + 1, "return " + joinedNames(results));
    std::vector<std::string> arguments{name};
    arguments.insert(arguments.end(), given.begin(), given.end());
    return made + indented(depth, joinedNames(results) + (results.empty() ? "" : " = ") +
                                      "torch.utils.checkpoint.checkpoint(" +
                                      joinedNames(arguments) + ", use_reentrant=False)");
  }

  // ---- around it ----

  /// Prints the definitions that the program needs, in the order of the text.
  std::string aroundFunction() {
    LineNames names;
    names.reads.push_back(main_->text);
    if (main_->kind == LineKind::function)
      functionNames(*function_, names);
    else
      namesOf(*main_, names);
    if (!prepared().empty())
      names.reads.push_back(prepared());
    else if (made_)
      readBy(*made_, names.reads);
    needed_.insert(names.reads.begin(), names.reads.end());
    std::vector<bool> chosen(top_.size(), false);
    for (std::size_t i = 0; i < top_.size(); ++i) chosen[i] = &top_[i] == main_;
    choose(chosen);
    std::string made;
    for (std::size_t i = 0; i < top_.size(); ++i)
      if (chosen[i]) addTop(made, top_[i]);
    return made;
  }

  /// Adds a global statement, with blank lines around definitions.
  void addTop(std::string& made, const SourceStatement& s) const {
    const bool apart = s.kind == LineKind::function || s.kind == LineKind::classType;
    if (apart && !made.ends_with("\n\n\n")) made += "\n\n";
    made += statementText(s, 0) + (apart ? "\n\n" : "");
  }

  /// Adds the global lines that the chosen lines depend on, until there are no more.
  void choose(std::vector<bool>& chosen) {
    NameSet made;  // names that chosen assignments bind
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = top_.size(); i-- > 0;) {
        const SourceStatement& s = top_[i];
        const bool definition = s.kind == LineKind::function || s.kind == LineKind::classType;
        if (chosen[i] || s.kind == LineKind::import) continue;
        if (!definition && !isReached(s)) continue;
        LineNames names;
        namesOf(s, names);
        const auto isNeeded = [&](const std::string& name) { return needed_.contains(name); };
        const bool binds = std::ranges::any_of(names.binds, isNeeded);
        // Calls such as model.eval(), and loops over model.parameters().
        const bool hooks =
            text_.substr(s.begin, s.end - s.begin).find(".register_forward") != std::string::npos;
        const bool touches =
            !definition && (names.binds.empty() || names.changes || hooks || !s.body.empty()) &&
            std::ranges::any_of(names.reads,
                                [&](const std::string& name) { return made.contains(name); });
        if (!binds && !touches) continue;
        chosen[i] = more = true;
        needed_.insert(names.reads.begin(), names.reads.end());
        if (!definition) made.insert(names.binds.begin(), names.binds.end());
      }
    }
  }

  /// Prints a script as a function. Lines that create modules or optimizers go in front of it.
  std::string aroundLines() {
    std::vector<const SourceStatement*> body;
    std::vector<bool> outside(top_.size(), false);
    NameSet hoisted;
    std::vector<LineNames> names(top_.size());
    for (std::size_t i = top_.size(); i-- > 0;) {
      namesOf(top_[i], names[i]);
      const bool binds = std::ranges::any_of(
          names[i].binds, [&](const auto& name) { return hoisted.contains(name); });
      const bool definition =
          top_[i].kind == LineKind::function || top_[i].kind == LineKind::classType;
      outside[i] = record_.makes.contains(top_[i].begin) || binds || definition ||
                   top_[i].kind == LineKind::import;
      if (outside[i] && !definition) hoisted.insert(names[i].reads.begin(), names[i].reads.end());
    }
    std::string made;
    for (std::size_t i = 0; i < top_.size(); ++i) {
      if (!outside[i])
        body.push_back(&top_[i]);
      else if (top_[i].kind != LineKind::import && isReached(top_[i]))
        addTop(made, top_[i]);
      if (isReached(top_[i])) needed_.insert(names[i].reads.begin(), names[i].reads.end());
    }
    if (!made.ends_with("\n\n\n")) made += "\n\n";
    return made + "def program(" + joinedNames(freeInputs()) + "):\n" + mainBody(body, 1);
  }

  /// Lines that bring a module and those within it into the modes that they had when the program
  /// began, for what the printed lines do not. `training`: the mode that these leave it in.
  std::string modeLines(const std::string& name, bool training) const {
    const auto found = record_.modes.find(name);
    if (found == record_.modes.end()) return {};
    std::string made;
    std::map<std::string, bool> known;
    for (const auto& [path, mode] : found->second) {
      if (path.empty()) continue;
      bool now = training;
      for (std::size_t end = path.size(); end-- > 0;)
        if (path[end] == '.' || path[end] == '[')
          if (const auto holder = known.find(path.substr(0, end)); holder != known.end()) {
            now = holder->second;
            break;
          }
      if (now != mode) made += path + (mode ? ".train()\n" : ".eval()\n");
      known[path] = mode;
    }
    return made;
  }

  // ---- how it is called ----

  std::vector<std::string> freeInputs() const {
    std::vector<std::string> names;
    for (const std::string& input : program_.inputs)
      if (!record_.held.contains(input)) names.push_back(input);
    return names;
  }

  /// The name of the program's object, where methods of it are called before the program is;
  /// empty: they are not.
  std::string prepared() const {
    if (!record_.prepares || layout_.made < 2 || layout_.madeWithin) return {};
    return tokens_[static_cast<std::size_t>(layout_.made) - 2].value;
  }

  /// Binds `program` to what is called with the inputs.
  std::string entry() {
    const std::vector<std::string> inputs = freeInputs();
    std::string text, called = "program";
    bool wraps = false;
    std::vector<std::string> arguments = inputs;
    if (layout_.mainPart >= 0) {
      std::string target = main_->text;
      std::size_t first = 0;
      if (record_.instance) {
        text += std::string(kInstanceName) + " = " +
                (prepared().empty() ? made_ ? expressionText(*made_) : main_->text + "()"
                                    : prepared()) +
                "\n";
        text += modeLines(std::string(kInstanceName), !text.ends_with(".eval()\n"));
        target = kInstanceName;
        const bool direct =
            function_->name == "__call__" || (function_->name == "forward" && record_.module);
        if (!direct) target += "." + function_->name;
        first = 1;
      } else if (main_->kind == LineKind::classType) {
        target += "." + function_->name;
      }
      arguments.clear();
      const auto& parameters = function_->parameters;
      bool inOrder = true;
      for (std::size_t i = first; i < parameters.size(); ++i) {
        const std::string& name = parameters[i].name;
        if (parameters[i].kind == ast::Parameter::Kind::keywords) continue;
        if (parameters[i].kind == ast::Parameter::Kind::args) {
          for (const std::string& input : inputs)
            if (input.starts_with(name + "_")) arguments.push_back(input);
          continue;
        }
        if (std::ranges::find(inputs, name) == inputs.end()) {
          if (const auto known = record_.constants.find(name); known != record_.constants.end()) {
            const bool plain = inOrder && parameters[i].kind == ast::Parameter::Kind::plain;
            arguments.push_back(plain ? known->second : name + "=" + known->second);
            wraps = true;
            continue;
          }
          if (!parameters[i].fallback) {  // self of a function without a class
            arguments.emplace_back("None");
            wraps = true;
          }
          inOrder = false;
          continue;
        }
        const bool keyword = !inOrder || parameters[i].kind != ast::Parameter::Kind::plain;
        arguments.push_back(
            keyword && arguments != std::vector<std::string>{"None"} ? name + "=" + name : name);
        wraps |= keyword;
      }
      called = target;
    }
    if (!wraps && !source_.autocast)
      return called == "program" ? text : text + "program = " + called + "\n";
    // The function may itself be called `program`.
    if (called == "program") {
      text += "\n_program = program\n";
      called = "_program";
    }
    text += "\n\ndef program(" + joinedNames(inputs) + "):\n";
    int depth = 1;
    if (source_.autocast)
      text += indented(
          depth++, std::string("with torch.autocast('") +
                       (source_.autocast->list == AutocastMode::List::cpu ? "cpu" : "cuda") +
                       "', dtype=torch." + std::string(info(source_.autocast->lower).name) + "):");
    return text + indented(depth, "return " + called + "(" + joinedNames(arguments) + ")") + "\n";
  }

  std::string heldNames() const {
    std::string all;
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      const auto found = record_.held.find(program_.inputs[i]);
      if (found == record_.held.end()) continue;
      const std::string& path = found->second;
      all += (all.empty() ? "" : ", ") + std::to_string(i) + ": " +
             (path.empty() ? "None" : "\"" + path + "\"");
    }
    return all.empty() ? std::string() : "_held = {" + all + "}\n";
  }

  static bool isKnownPackage(const std::string& path) {
    const std::string_view package = std::string_view(path).substr(0, path.find('.'));
    return std::ranges::find(kKnownPackages, package) != kKnownPackages.end();
  }

  static std::string importText(const std::string& bound, const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    return (dot == std::string::npos ? "import " + path
                                     : "from " + path.substr(0, dot) + " import " + name) +
           (name == bound ? "" : " as " + bound);
  }

  /// The imports that the printed text needs.
  std::string imports() const {
    std::string made = "import torch\n";
    if (isSegmented()) made += "import torch.utils.checkpoint\n";
    for (const std::string& name : needed_) {
      const auto found = imported_.find(name);
      const bool data = name == "dataclass" || (name == "field" && needed_.contains("dataclass"));
      const std::string path = found != imported_.end() ? found->second
                               : data                   ? "dataclasses." + name
                                                        : std::string(knownModule(name));
      if (path.empty() || path == "torch") continue;
      if (!isKnownPackage(path))
        failProgram(importedAt_.at(name),
                    "PyTorch is given no package but its own, numpy and Python's: " + name +
                        " of " + path + " is used where PyTorch would run it");
      made += importText(name, path) + "\n";
    }
    return made;
  }

  const Program& program_;
  const Program& whole_;  ///< the program with all of its statements
  const ProgramSource& source_;
  const SourceRecord& record_;
  const std::string& text_;
  std::vector<Token> tokens_;
  ProgramLayout layout_;
  ast::Block top_;
  std::vector<std::shared_ptr<const ast::Function>> drivers_;  ///< see ProgramLayout::drivers
  ast::ExpressionPtr made_;  ///< the expression that creates the program's object
  const SourceStatement* main_ = nullptr;
  const ast::Function* function_ = nullptr;
  std::map<std::string, std::string> imported_;
  std::map<std::string, SourcePlace> importedAt_;
  NameSet needed_;
};

}  // namespace

bool drawsNumbers(const Program& program) {
  return std::ranges::any_of(waysOf(program), [](const Program* way) {
    return std::ranges::any_of(way->ops, [](const Op& op) {
      if (!op.row) return false;
      const auto& parameters = op.row->parameters;
      const auto stream = std::ranges::find(parameters, "_stream", &Parameter::name);
      // Dropout in evaluation mode draws none.
      const auto training = std::ranges::find(parameters, "train", &Parameter::name);
      return stream != parameters.end() &&
             (training == parameters.end() ||
              op.parameters.at(static_cast<std::size_t>(training - parameters.begin())) != 0);
    });
  });
}

std::string torchText(const Program& program) {
  if (!program.source) return toText(program);
  SourceRecord record;
  const Program whole = parseProgram(*program.source->text, program.source->hints, &record);
  return SourcePrinter(program, whole, record).run();
}

}  // namespace fusebench
