// SPDX-License-Identifier: GPL-3.0-or-later
// Names: which scope binds them, as Python finds it from where code is written.
#include <limits>
#include <utility>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/token_cursor.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

[[noreturn]] void failGlobal(const std::string& name, SourcePlace place) {
  failProgram(place, "'" + name +
                         "' is a global name, which a program cannot change, because each call "
                         "would find another value; return the value instead");
}

}  // namespace

Names* Evaluator::namesAround() const {
  Names* around = names_;
  while (around && around->of == Names::Of::classBody) around = around->outer;
  return around == &main_ && beside_ ? nullptr : around;
}

const PythonValue* Evaluator::lookUp(std::string_view word) const {
  const auto in = [&](const Names& names) -> const PythonValue* {
    const auto found = names.bound.find(word);
    return found == names.bound.end() ? nullptr : &found->second;
  };
  for (const Names* names = names_; names; names = names->outer) {
    if (const PythonValue* const found = in(*names)) return found;
    const auto other = names->elsewhere.find(word);
    if (other != names->elsewhere.end() && other->second) break;  // it is global
  }
  if (inLibrary_ > 0) return nullptr;
  // Lines outside of functions bind the names that functions see when they are called.
  if (!main_.declared)
    if (const PythonValue* const found = in(main_)) return found;
  return in(globals_);
}

namespace {

void addTarget(const ast::Expression& target, std::set<std::string, std::less<>>& names) {
  if (target.kind == ast::Expression::Kind::name) names.insert(target.text);
  if (target.kind == ast::Expression::Kind::tuple || target.kind == ast::Expression::Kind::list ||
      target.kind == ast::Expression::Kind::starred)
    for (const auto& part : target.parts) addTarget(*part, names);
}

void addAssigned(const ast::Block& block, std::set<std::string, std::less<>>& names,
                 std::set<std::string, std::less<>>& elsewhere) {
  using Of = ast::Statement::Kind;
  for (const ast::Statement& s : block) {
    if (s.kind == Of::scope)
      for (const auto& [name, word] : s.bindings) elsewhere.insert(name);
    if (s.kind == Of::function) names.insert(s.function->name);
    const bool binds = s.kind == Of::assign || s.kind == Of::augmented || s.kind == Of::loop ||
                       s.kind == Of::with || (s.kind == Of::annotated && s.value);
    for (const auto& target : s.targets)
      if (binds && target) addTarget(*target, names);
    if (s.kind == Of::classType || s.kind == Of::function) continue;
    for (const ast::Block* inner : {&s.body, &s.otherwise, &s.handlers, &s.lastly})
      addAssigned(*inner, names, elsewhere);
  }
}

}  // namespace

std::shared_ptr<const std::set<std::string, std::less<>>> assignedIn(const ast::Block& body) {
  std::set<std::string, std::less<>> names, elsewhere;
  addAssigned(body, names, elsewhere);
  for (const std::string& each : elsewhere) names.erase(each);
  return std::make_shared<const std::set<std::string, std::less<>>>(std::move(names));
}

/// Python finds a name that a function binds in that function alone, even before it is bound.
void Evaluator::refuseUnassigned(const std::string& word, SourcePlace place) const {
  for (const Names* names = names_; names; names = names->outer) {
    if (names->bound.contains(word) || names->elsewhere.contains(word)) return;
    if (names->assigned && names->assigned->contains(word))
      failProgram(place, "'" + word +
                             "' is read before this function assigns it, and a name that a "
                             "function assigns is its own: Python raises UnboundLocalError; pass "
                             "it as an argument, or give it another name");
    if (names->of != Names::Of::comprehension) return;
  }
}

PythonValue Evaluator::name(const ast::Expression& e, bool called) {
  const std::string& word = e.text;
  if (word == "True" || word == "False") return PythonValue::flagOf(word == "True", e.place);
  PythonValue value;
  value.place = e.place;
  if (word == "None") return value;
  refuseUnassigned(word, e.place);
  if (const PythonValue* const bound = lookUp(word)) {
    // A value that could not be made outside of the program may not be used in it.
    if (bound->kind == Kind::outside && !bound->text.empty() && !around_)
      failProgram(bound->place, bound->text);
    PythonValue found = *bound;
    if (bound->kind == Kind::outside) found.text.clear();
    found.place = e.place;
    step(e.place, found.text.size() / 16);
    return found;
  }
  if (const std::string_view module = knownModule(word); !module.empty())
    return PythonValue::pathOf(std::string(module), e.place);
  if (word == "inf" || word == "nan")  // exported graphs import them from math
    return PythonValue::numberOf(word == "inf" ? std::numeric_limits<double>::infinity()
                                               : std::numeric_limits<double>::quiet_NaN(),
                                 false, e.place);
  if (isPythonBuiltin(word) || called || word == "self") return PythonValue::pathOf(word, e.place);
  const Names* around = names_;  // the names that a comprehension is within
  while (around->outer) around = around->outer;
  if (around != &main_ || !inScript()) {
    std::vector<std::string_view> known{"torch", "math"};
    for (const Names* names = names_; names; names = names->outer)
      for (const auto& [each, bound] : names->bound) known.push_back(each);
    const std::vector<std::string> near = nearest(word, known);
    if (near.empty()) refuseUndefined("'" + word + "' here", e.place);
    failProgram(e.place,
                "there is no '" + word + "' here" +
                    (near.empty() ? "; add it to the function's arguments to make it an input"
                                  : "; did you mean '" + near[0] + "'?"));
  }
  value = PythonValue::tensorOf(static_cast<ValueId>(program_.inputs.size()), e.place);
  program_.inputs.push_back(word);
  main_.bound[word] = value;
  return value;
}

/// Names the line that calls exec and is left out, if there is one.
void Evaluator::refuseUndefined(const std::string& name, SourcePlace place) const {
  if (unfilledLine_ > 0)
    failProgram(place, "there is no " + name + "; line " + std::to_string(unfilledLine_) +
                           ", which may define it, is left out, because " + unfilledWhy_);
}

void Evaluator::bind(const std::string& name, const PythonValue& value, SourcePlace place) {
  // A comprehension's own names are bound by assign(); `:=` in it binds a name around it.
  Names* names = names_;
  while (names->of == Names::Of::comprehension && names->outer) names = names->outer;
  if (names->of == Names::Of::comprehension) names = &main_;
  const auto other = names->elsewhere.find(name);
  if (other == names->elsewhere.end()) {
    names->bound[name] = value;
    return;
  }
  if (other->second) {
    // Functions that run before the program begins make the values that it finds.
    if (!beside_ || main_.declared) failGlobal(name, place);
    main_.bound[name] = value;
    return;
  }
  Names* around = names->outer;
  const auto binds = [&](const Names& each) {
    return each.bound.contains(name) && (&each != &main_ || main_.declared);
  };
  while (around && !binds(*around)) around = around->outer;
  if (!around) failProgram(place, "no function around this one has the name '" + name + "'");
  around->bound[name] = value;
}

void Evaluator::declareElsewhere(const ast::Statement& s) {
  for (const auto& [name, word] : s.bindings) {
    // Outside of functions every name is global.
    if (names_ == &main_ && !main_.declared) continue;
    if (names_->bound.contains(name)) {
      std::string problem = "'";
      problem.append(name).append("' has a value before this line declares it to be ").append(word);
      failProgram(s.place, problem);
    }
    names_->elsewhere[name] = word == "global";
  }
}

}  // namespace fusebench
