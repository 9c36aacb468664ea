// SPDX-License-Identifier: GPL-3.0-or-later
// Lines around a program, which are read for what they say of it, and what a program has nothing
// of: see surroundings.h and surrounding_rows.h.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"
#include "engine/language/surrounding_rows.h"
#include "engine/language/surroundings.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using DrivenExpression = ast::Expression;
using DrivenKind = ast::Expression::Kind;
using DrivenLine = ast::Statement::Kind;
using GivenKind = PythonValue::Kind;

/// Packages that a text may import; the contents of others are not known.
constexpr std::array<std::string_view, 18> kReadPackages = {
    "torch",     "math",       "numpy",  "copy",        "functools",  "collections",
    "itertools", "typing",     "time",   "torchvision", "__future__", "dataclasses",
    "enum",      "contextlib", "random", "warnings",    "einops",     "os"};

bool isReadPackage(std::string_view path) {
  return std::ranges::find(kReadPackages, path.substr(0, path.find('.'))) != kReadPackages.end();
}

/// Whether a block imports a package of which it is not known what is in it.
const ast::Statement* foreignImport(const ast::Block& block) {
  for (const ast::Statement& each : block)
    if (each.kind == DrivenLine::import)
      for (const auto& [bound, path] : each.bindings)
        if (!isReadPackage(path)) return &each;
  return nullptr;
}

bool isTensorLike(const PythonValue& value) {
  if (value.kind == GivenKind::list) return std::ranges::any_of(value.items(), isTensorLike);
  return value.kind == GivenKind::held || value.kind == GivenKind::outside || value.isTensor();
}

bool isOwnCallable(const PythonValue& value) {
  if (value.kind == GivenKind::path) return value.text == kProgramPath;
  return (value.kind == GivenKind::function || value.kind == GivenKind::instance ||
          value.kind == GivenKind::type) &&
         !value.object->library;
}

/// The last line of a statement with its blocks.
int lastLineOf(const ast::Statement& s, std::string_view text) {
  int last = s.place.line;
  if (s.end > s.begin && s.end <= text.size())
    last += static_cast<int>(std::ranges::count(text.substr(s.begin, s.end - s.begin), '\n'));
  for (const ast::Block* block : {&s.body, &s.otherwise, &s.handlers, &s.lastly})
    for (const ast::Statement& each : *block) last = std::max(last, lastLineOf(each, text));
  return last;
}

}  // namespace

void Evaluator::note(SourcePlace place, const std::string& text) {
  if (inLibrary_ > 0) return;
  const bool known = std::ranges::any_of(program_.notes, [&](const ProgramNote& each) {
    return each.line == place.line && each.text == text;
  });
  if (!known) program_.notes.push_back({place.line, text});
}

/// mp.spawn(train, args=(world_size,)): the function's call on the first rank.
void Evaluator::spawn(const std::vector<CallArgument>& given, SourcePlace place) {
  std::vector<CallArgument> arguments{{"", PythonValue::numberOf(0, true, place), place}};
  const PythonValue* function = nullptr;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].keyword == "fn" || (given[i].keyword.empty() && i == 0))
      function = &given[i].value;
    if (given[i].keyword == "args" || (given[i].keyword.empty() && i == 1))
      for (const PythonValue& each : iterated(given[i].value, place))
        arguments.push_back({"", each, place});
  }
  if (function) call(*function, std::move(arguments), place);
}

bool Evaluator::passedOver(const PythonValue& callee, const ast::Trailer& call,
                           PythonValue& result) {
  if (inLibrary_ > 0) return false;
  if (callee.kind == GivenKind::outside) {
    if (around_) arguments(call);  // one of them may call the program
    result = PythonValue::outsideFrom(callee, callee.place);
    return true;
  }
  if (callee.kind != GivenKind::path) return false;
  const SurroundingRow* const row = findSurrounding(callee.text);
  if (!row) return false;
  using enum SurroundingRow::How;
  if (row->how != passedOver) note(callee.place, callee.text + ": " + row->note);
  if (around_ && callee.text == "torch.multiprocessing.spawn") {
    spawn(arguments(call), callee.place);
    result = PythonValue::outsideOf({}, callee.place);
    return true;
  }
  if (row->how == same && !call.arguments.empty()) {
    result = evaluate(*call.arguments.front());
    return true;
  }
  if (around_)
    arguments(call);
  else if (row->how == passedOver)
    note(callee.place, callee.text + " is left out");
  result = PythonValue::outsideOf({}, callee.place);
  for (const char* reads : {"open", "json.load", "torch.load", "numpy.load"})
    if (callee.text == reads) result.number = callee.place.line;
  return true;
}

bool Evaluator::isProgramCall(const PythonValue& callee,
                              const std::vector<CallArgument>& arguments) const {
  if (callee.kind == GivenKind::path) return callee.text == kProgramPath;
  if (callee.kind == GivenKind::instance) return callee.object->type && !callee.object->library;
  if (callee.kind != GivenKind::function || callee.object->library || callee.self) return false;
  if (around_->drivers.contains(callee.object->function->name)) return false;
  const auto any = [&](const auto& is) {
    return std::ranges::any_of(arguments, [&](const CallArgument& each) { return is(each.value); });
  };
  return any(isTensorLike) && !any(isOwnCallable);
}

void Evaluator::bindOutside(const DrivenExpression& target, const std::string& why,
                            SourcePlace place) {
  if (target.kind == DrivenKind::starred) return bindOutside(*target.parts[0], why, place);
  if (target.kind == DrivenKind::tuple || target.kind == DrivenKind::list)
    for (const auto& part : target.parts) bindOutside(*part, why, place);
  if (target.kind == DrivenKind::name)
    names_->bound[target.text] = PythonValue::outsideOf(why, place);
}

/// Remembers which dicts and names a line that is left out may have filled or defined, for errors
/// that follow.
void Evaluator::noteUnfilled(const ast::Statement& s, const ProgramError& error) {
  if (!text_ || s.end <= s.begin || s.kind != DrivenLine::expression) return;
  const std::string_view line = std::string_view(*text_).substr(s.begin, s.end - s.begin);
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && isNameCharacter(line[end])) ++end;
    const std::string_view word = line.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word == "exec" && unfilledLine_ == 0) {
      unfilledLine_ = s.place.line;
      unfilledWhy_ = error.what();
    }
    const auto bound = names_->bound.find(word);
    if (bound == names_->bound.end() || bound->second.kind != GivenKind::dict) continue;
    bound->second.object->leftOutLine = s.place.line;
    bound->second.object->leftOutWhy = error.what();
  }
}

/// The names of a line that cannot be read stay unknown.
void Evaluator::leaveOut(const ast::Statement& s, const ProgramError& error) {
  noteUnfilled(s, error);
  forget(s);
  for (const auto& target : s.targets)
    if (target) bindOutside(*target, error.what(), error.place());
  if (s.kind == DrivenLine::function || s.kind == DrivenLine::classType)
    names_->bound[s.text] = PythonValue::outsideOf(error.what(), error.place());
  around_->left.push_back({s.place.line,
                           lastLineOf(s, text_ ? std::string_view(*text_) : std::string_view()),
                           error.what()});
}

Evaluator::Flow Evaluator::driveBlock(const ast::Block& block) {
  for (const ast::Statement& each : block)
    if (const Flow flow = drive(each); flow != Flow::on) return flow;
  return Flow::on;
}

Evaluator::Flow Evaluator::drive(const ast::Statement& s) {
  switch (s.kind) {
    case DrivenLine::condition:
      return driveBranches(s);
    case DrivenLine::loop:
    case DrivenLine::whileLoop:
      return driveLoop(s);
    case DrivenLine::attempt:
      if (foreignImport(s.body) && !s.handlers.empty()) {
        driveBlock(s.handlers.front().body);
      } else if (const Flow flow = driveBlock(s.body); flow != Flow::on) {
        return flow;
      } else {
        driveBlock(s.otherwise);
      }
      return driveBlock(s.lastly);
    case DrivenLine::with: {
      const BuildModes before = builder_.modes();
      try {
        builder_.setModes(modesIn(s));
      } catch (const ProgramError&) {  // a context of somebody else's
      }
      for (const auto& target : s.targets)
        if (target) bindOutside(*target, {}, s.place);
      const Flow flow = driveBlock(s.body);
      builder_.setModes(before);
      return flow;
    }
    default:
      return driveLine(s);
  }
}

Evaluator::Flow Evaluator::driveLine(const ast::Statement& s) {
  const std::size_t calls = around_->calls.size(), ops = program_.ops.size();
  try {
    const Flow flow = executeInside(s);
    if (calls != around_->calls.size()) {
      forget(s);
      around_->left.push_back(
          {s.place.line, lastLineOf(s, text_ ? std::string_view(*text_) : std::string_view()), {}});
    }
    return flow;
  } catch (const ProgramError& error) {
    program_.ops.resize(ops);
    forgetPending();
    builder_.forgetTypes();
    leaveOut(s, error);
    return s.kind == DrivenLine::returned ? Flow::returned : Flow::on;
  }
}

/// `if __name__ == "__main__":` holds; where a condition is not known, both ways are read.
Evaluator::Flow Evaluator::driveBranches(const ast::Statement& s) {
  try {
    const PythonValue asked = evaluate(*s.value);
    if (asked.kind != GivenKind::outside && !asked.isTensor())
      return driveBlock(truth(asked, s.place, "this 'if'") ? s.body : s.otherwise);
  } catch (const ProgramError&) {
  }
  driveBlock(s.body);
  return driveBlock(s.otherwise);
}

/// A loop that prepares something goes all its rounds; one that runs the program goes one.
Evaluator::Flow Evaluator::driveLoop(const ast::Statement& s) {
  std::optional<PythonValue> over;
  if (s.kind == DrivenLine::loop) {
    try {
      const PythonValue value = evaluate(*s.value);
      if (value.kind != GivenKind::outside) over = iteratorOf(value, s.value->place);
    } catch (const ProgramError&) {
    }
    if (!over) bindOutside(*s.targets[0], {}, s.place);
  }
  const std::size_t calls = around_->calls.size(), left = around_->left.size();
  for (;;) {
    if (over) {
      const std::optional<PythonValue> item = nextOf(*over, s.place);
      if (!item) return Flow::on;
      step(s.place);
      assign(*s.targets[0], *item);
    }
    const Flow flow = driveBlock(s.body);
    if (flow == Flow::returned) return flow;
    const bool runs = around_->calls.size() != calls || around_->left.size() != left;
    if (flow == Flow::leave || runs || !over) return Flow::on;
  }
}

Evaluator::Flow Evaluator::attempt(const ast::Statement& s) {
  const ast::Statement* const foreign = foreignImport(s.body);
  if (foreign && !s.handlers.empty()) {
    note(foreign->place, "this package is not supported; the lines under 'except' are read");
    const Flow flow = execute(s.handlers.front().body);
    return flow == Flow::on ? execute(s.lastly) : flow;
  }
  const bool imports = std::ranges::all_of(
      s.body, [](const ast::Statement& each) { return each.kind == DrivenLine::import; });
  if (!imports && inLibrary_ == 0)
    note(s.place, "exceptions are not handled; the lines under 'try' are read");
  Flow flow = execute(s.body);
  if (flow == Flow::on) flow = execute(s.otherwise);
  if (flow == Flow::on) flow = execute(s.lastly);
  return flow;
}

bool Evaluator::matches(const PythonValue& value, const DrivenExpression& pattern) {
  if (pattern.kind == DrivenKind::name && pattern.text != "None" && pattern.text != "True" &&
      pattern.text != "False") {
    if (pattern.text != "_") names_->bound[pattern.text] = value;
    return true;
  }
  if (pattern.kind == DrivenKind::tuple || pattern.kind == DrivenKind::list) {
    if (value.kind != GivenKind::list && value.kind != GivenKind::shape) return false;
    const std::vector<PythonValue> items = iterated(value, pattern.place);
    if (items.size() != pattern.parts.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!matches(items[i], *pattern.parts[i])) return false;
    return true;
  }
  const bool ofClass = pattern.kind == DrivenKind::postfix &&
                       pattern.trailers.back().kind == ast::Trailer::Kind::call;
  if (ofClass) {
    if (!pattern.trailers.back().arguments.empty() || pattern.trailers.size() != 1)
      failProgram(pattern.place,
                  "a pattern with arguments is not supported; use isinstance in an 'if'");
    return isInstance(value, evaluate(*pattern.parts[0]), pattern.place);
  }
  return same(value, evaluate(pattern), pattern.place);
}

Evaluator::Flow Evaluator::match(const ast::Statement& s) {
  const PythonValue value = evaluate(*s.value);
  if (value.isTensor())
    failProgram(s.place,
                "found 'match' on a tensor's values; data-dependent control flow is not supported");
  for (const ast::Statement& each : s.handlers) {
    const bool fits = std::ranges::any_of(
        each.values, [&](const auto& pattern) { return matches(value, *pattern); });
    if (!fits) continue;
    if (!each.text.empty()) names_->bound[each.text] = value;
    if (each.message && !truth(evaluate(*each.message), each.place, "this case")) continue;
    if (record_ && inLibrary_ == 0 && !quoted_) record_->statements.insert(each.begin);
    return execute(each.body);
  }
  return Flow::on;
}

}  // namespace fusebench
