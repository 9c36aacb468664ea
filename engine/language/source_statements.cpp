// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/source_statements.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fusebench {
namespace {

using LineKind = ast::Statement::Kind;

/// Packages whose names a program may use.
constexpr std::array<std::string_view, 12> kKnownPackages = {
    "torch",     "math",   "numpy",       "copy",        "functools", "collections",
    "itertools", "typing", "torchvision", "dataclasses", "einops",    "operator"};

}  // namespace

std::string SourceStatements::lineText(const SourceStatement& s) const {
  std::vector<Edit> edits;
  for (const ast::ExpressionPtr* each : {&s.value, &s.message})
    if (*each) editsOf(**each, edits);
  for (const auto& each : s.values) editsOf(*each, edits);
  for (const auto& each : s.targets)
    if (each) editsOf(*each, edits);
  return slice(s.begin, s.end, std::move(edits));
}

std::string SourceStatements::blockText(const ast::Block& block, int depth) const {
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

std::string SourceStatements::statementText(const SourceStatement& s, int depth) const {
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
      return indented(depth, contextsText(s) + ":") + blockText(s.body, depth + 1);
    case LineKind::attempt: {
      std::string made;
      const bool handled = !s.handlers.empty() && std::ranges::any_of(s.handlers.front().body, in);
      made += blockText(handled ? s.handlers.front().body : s.body, depth);
      for (const ast::Block* more : {&s.otherwise, &s.lastly})
        if (!more->empty()) made += blockText(*more, depth);
      return made;
    }
    case LineKind::match: {
      std::string made = indented(depth, lineText(s) + ":");
      for (const SourceStatement& each : s.handlers)
        made += indented(depth + 1, lineText(each) + ":") + (record_.statements.contains(each.begin)
                                                                 ? blockText(each.body, depth + 2)
                                                                 : unreached(depth + 2));
      return made;
    }
    case LineKind::raise:
      return indented(depth, "raise RuntimeError('line " + std::to_string(s.place.line) +
                                 " of the program raises an error')");
    case LineKind::annotated:
      if (!s.value) return {};
      return indented(depth,
                      expressionText(*s.targets.front()) + " = (" + expressionText(*s.value) + ")");
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

/// The header of `with`, without contexts that are passed over.
std::string SourceStatements::contextsText(const SourceStatement& s) const {
  const auto isPassed = [&](const auto& each) { return record_.bare.contains(each->begin); };
  if (std::ranges::none_of(s.values, isPassed)) return lineText(s);
  std::string made;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    if (isPassed(s.values[i])) continue;
    made += (made.empty() ? "with " : ", ") + expressionText(*s.values[i]);
    if (i < s.targets.size() && s.targets[i]) made += " as " + expressionText(*s.targets[i]);
  }
  return made;
}

std::string SourceStatements::unreached(int depth) {
  return indented(depth, std::string(kNotReached) + "()");
}

std::string SourceStatements::fieldText(const SourceStatement& s, int depth) const {
  const std::string value = s.value ? " = " + expressionText(*s.value) : std::string();
  const std::string name = expressionText(*s.targets.front());
  if (s.text.find("ClassVar") != std::string::npos)
    return s.value ? indented(depth, name + value) : std::string();
  const char* const kind = s.text.find("KW_ONLY") != std::string::npos   ? "dataclasses.KW_ONLY"
                           : s.text.find("InitVar") != std::string::npos ? "dataclasses.InitVar"
                                                                         : "object";
  return indented(depth, name + ": " + kind + value);
}

std::string SourceStatements::headerText(const ast::Function& function) const {
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

std::string SourceStatements::functionText(const ast::Function& function, int depth) const {
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

std::string SourceStatements::classText(const SourceStatement& s, int depth) const {
  std::vector<std::string> bases;
  for (const auto& base : s.values)
    if (std::string shown = baseText(*base); !shown.empty()) bases.push_back(std::move(shown));
  std::string made;
  bool data =
      std::ranges::any_of(s.values, [this](const auto& each) { return isNamedTuple(*each); });
  for (const auto& each : s.decorations) {
    if (!isDataclass(*each)) continue;
    made += indented(depth, "@" + expressionText(*each));
    data = true;
  }
  made += indented(depth,
                   "class " + s.text + (bases.empty() ? "" : "(" + joinedNames(bases) + ")") + ":");
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

bool SourceStatements::isKnownPackage(const std::string& path) {
  const std::string_view package = std::string_view(path).substr(0, path.find('.'));
  return std::ranges::find(kKnownPackages, package) != kKnownPackages.end();
}

std::string SourceStatements::importText(const std::string& bound, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  return (dot == std::string::npos ? "import " + path
                                   : "from " + path.substr(0, dot) + " import " + name) +
         (name == bound ? "" : " as " + bound);
}

}  // namespace fusebench
