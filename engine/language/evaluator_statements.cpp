// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/language/evaluator.h"
#include "engine/language/lexer.h"
#include "engine/language/program_errors.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using ast::Expression;

using ExprKind = Expression::Kind;
using StatementKind = ast::Statement::Kind;
using Kind = PythonValue::Kind;

/// Statements and expressions evaluated, loops and calls written out: a second or so.
constexpr std::int64_t kMostSteps = 1000000;
/// Calls within expressions within calls: a limit, so that hostile text cannot exhaust the stack.
constexpr int kDeepestEvaluation = 1000;
/// Rounds of a `while`, whose end nothing tells beforehand.
constexpr int kMostRounds = 100000;
/// Longest text of one statement, in characters: loops repeat it.
constexpr std::size_t kLongestShown = 2000;

bool isNegation(const ast::Expression& e) {
  return e.kind == ExprKind::negation && e.parts.size() == 1;
}

}  // namespace

Evaluator::Evaluator(Program& program, ProgramBuilder& builder, Names& names)
    : program_(program), builder_(builder), main_(names), names_(&names) {
  globals_.declared = library_.declared = true;
  builder_.setBeforeWrite(
      [this](ValueId root, SourcePlace place) { computeReadersOf(root, place); });
}

Evaluator::Deeper::Deeper(Evaluator& of, SourcePlace place) : depth(of.depth_) {
  if (++depth > kDeepestEvaluation) {
    --depth;
    failProgram(place, "calls and expressions are nested more than " +
                           std::to_string(kDeepestEvaluation) + " deep here");
  }
}

void Evaluator::step(SourcePlace place, std::size_t count) {
  steps_ += static_cast<std::int64_t>(count);
  if (steps_ > kMostSteps)
    failProgram(place, "this takes more than " + std::to_string(kMostSteps) +
                           " steps to work out; a loop that long cannot be part of a program");
  checkWork(place, static_cast<unsigned>(std::min<std::size_t>(count, 1024)));
}

void Evaluator::search(SourcePlace place, std::size_t among) {
  constexpr std::size_t kLookedAtInAStep = 64;
  step(place, 1 + among / kLookedAtInAStep);
}

void Evaluator::refuseCycle(const PythonValue& value, const PythonObject& into, SourcePlace place) {
  if (!value.object && !value.self) return;
  std::size_t visited = 0;
  const bool cycle = reaches(value, into, visited);
  step(place, visited);
  if (cycle) failProgram(place, "an object that contains itself is not supported");
}

std::string onOneLine(std::string_view text) {
  if (text.find_first_of("\n#\\") == std::string_view::npos) return std::string(text);
  std::vector<LexerProblem> ignored;
  std::string line;
  std::size_t last = 0;
  for (const Token& token : tokenizeTolerantly(text, ignored)) {
    if (token.kind == Token::Kind::newline || token.begin == token.end) continue;
    const std::string_view between = text.substr(last, token.begin - last);
    const bool broken = between.find_first_of("\n#\\") != std::string_view::npos;
    const bool tight = line.empty() || line.back() == '(' || token.is(")");
    if (broken)
      line += tight ? "" : " ";
    else
      line += between;
    line += text.substr(token.begin, token.end - token.begin);
    last = token.end;
  }
  return line;
}

std::string Evaluator::sourceOf(std::size_t begin, std::size_t end) const {
  if (!text_ || end > text_->size() || begin >= end) return {};
  std::string line =
      onOneLine(std::string_view(*text_).substr(begin, std::min(end - begin, kLongestShown)));
  if (end - begin > kLongestShown) line += "...";
  return line;
}

void Evaluator::finishStatement(const std::string& target, const PythonValue& value,
                                const std::string& text, SourcePlace place) {
  const std::size_t count = program_.ops.size();
  Statement made;
  made.target = target;
  made.text = text;
  made.firstOp = static_cast<int>(pending_);
  made.opCount = static_cast<int>(count - pending_);
  made.value = value.isTensor() ? value.value : kFirstResult + static_cast<ValueId>(count) - 1;
  made.place = place;
  const int index = static_cast<int>(program_.statements.size());
  for (std::size_t i = pending_; i < count; ++i) program_.ops[i].statement = index;
  program_.statements.push_back(std::move(made));
  pending_ = count;
}

/// The names of a target that have become tensors, each a statement of the program.
void Evaluator::noteNames(const Expression& target, const std::string& text, SourcePlace place) {
  if (target.kind == ExprKind::starred) return noteNames(*target.parts[0], text, place);
  if (target.kind == ExprKind::tuple || target.kind == ExprKind::list) {
    for (const auto& part : target.parts) noteNames(*part, text, place);
    return;
  }
  if (target.kind != ExprKind::name) return;
  const auto found = names_->bound.find(target.text);
  if (found != names_->bound.end() && found->second.isTensor())
    finishStatement(target.text, found->second, text, place);
}

/// Makes statements of the program of one that was executed.
void Evaluator::noteStatement(const ast::Statement& s) {
  if (inLibrary_ > 0 || preparing_ > 0 || batching_ > 0) return;
  const std::string text = sourceOf(s.begin, s.end);
  for (const auto& target : s.targets) noteNames(*target, text, s.place);
  if (program_.ops.size() == pending_) return;
  // Ops whose results went into a list or an attribute, or were dropped.
  std::string name;
  if (!s.targets.empty() && s.targets[0]->kind == ExprKind::name) name = s.targets[0]->text;
  if (name.empty()) name = "t" + std::to_string(++temporaries_);
  finishStatement(name, {}, text, s.place);
}

Evaluator::Flow Evaluator::execute(const ast::Block& block) {
  for (const ast::Statement& s : block) {
    const Flow flow = execute(s);
    if (flow != Flow::on) return flow;
  }
  return Flow::on;
}

Evaluator::Flow Evaluator::execute(const ast::Statement& s) {
  return around_ && inLibrary_ == 0 ? drive(s) : executeInside(s);
}

Evaluator::Flow Evaluator::executeInside(const ast::Statement& s) {
  step(s.place);
  const Deeper deeper(*this, s.place);
  if (record_ && inLibrary_ == 0 && !quoted_) record_->statements.insert(s.begin);
  switch (s.kind) {
    case StatementKind::expression: {
      const std::size_t before = program_.ops.size();
      if (rankStatement(*s.value)) {
        noteStatement(s);
        return Flow::on;
      }
      const PythonValue value = evaluate(*s.value);
      if (value.kind == Kind::outside) return forget(s);
      // A script sets the mode of its model once, before its first op.
      if (record_ && inScript() && program_.ops.empty() && isModule(value))
        record_->makes.insert(s.begin);
      if (std::any_of(program_.ops.begin() + static_cast<std::ptrdiff_t>(before),
                      program_.ops.end(), [](const Op& op) { return op.writesInto(); })) {
        noteStatement(s);
        return Flow::on;
      }
      if (value.isTensor() && inLibrary_ == 0 && s.value->kind != ExprKind::postfix)
        failProgram(
            s.place,
            "the result of this line is not used; give it a name, as in x = ..., or return it");
      if (value.isTensor() && s.value->kind == ExprKind::postfix) {
        const auto& trailers = s.value->trailers;
        const bool changes = trailers.size() > 1 &&
                             trailers[trailers.size() - 2].name.ends_with("_") &&
                             trailers.back().kind == ast::Trailer::Kind::call;
        const bool waits = pathOfCall(*s.value) == "torch.distributed.barrier";
        if (!changes && !waits)
          failProgram(
              s.place,
              "the result of this line is not used; give it a name, as in x = ..., or return it");
      }
      noteStatement(s);
      return Flow::on;
    }
    case StatementKind::assign: {
      const PythonValue value = evaluate(*s.value);
      for (const auto& target : s.targets) assign(*target, value);
      if (value.kind == Kind::outside) return forget(s);
      if (record_ && inScript() && value.kind == Kind::instance) record_->makes.insert(s.begin);
      noteStatement(s);
      return Flow::on;
    }
    case StatementKind::augmented:
      augmented(s);
      noteStatement(s);
      return Flow::on;
    case StatementKind::annotated:
      if (!s.value) return Flow::on;
      assign(*s.targets[0], evaluate(*s.value));
      noteStatement(s);
      return Flow::on;
    case StatementKind::attempt:
      return attempt(s);
    case StatementKind::match:
      return match(s);
    case StatementKind::returned:
      returned_ = s.value ? evaluatePart(*s.value) : PythonValue();
      if (names_ == &main_ && s.value) returnedText_ = sourceOf(s.value->begin, s.value->end);
      return Flow::returned;
    case StatementKind::yielded:
      yield(s);
      return Flow::on;
    case StatementKind::condition:
      return condition(s);
    case StatementKind::loop:
      return loop(s);
    case StatementKind::whileLoop:
      return whileLoop(s);
    case StatementKind::function: {
      PythonValue made = functionOf(s.function);
      made.place = s.place;
      names_->bound[s.function->name] = decorated(std::move(made));
      return Flow::on;
    }
    case StatementKind::classType:
      defineClass(s);
      return Flow::on;
    case StatementKind::with: {
      return with(s);
    }
    case StatementKind::check:
      check(s);
      return Flow::on;
    case StatementKind::raise:
      raise(s);
      return Flow::on;
    case StatementKind::leave:
      return Flow::leave;
    case StatementKind::next:
      return Flow::next;
    case StatementKind::import:
      for (const auto& [bound, path] : s.bindings)
        names_->bound[bound] = PythonValue::pathOf(path, s.place);
      return Flow::on;
    case StatementKind::remove:
      remove(*s.value);
      return Flow::on;
    case StatementKind::scope:
      declareElsewhere(s);
      return Flow::on;
    case StatementKind::pass:
    case StatementKind::docString:
      return Flow::on;
  }
  return Flow::on;
}

/// A line that is left out of the program is not what PyTorch runs, either.
Evaluator::Flow Evaluator::forget(const ast::Statement& s) {
  if (!record_ || inLibrary_ > 0 || quoted_) return Flow::on;
  record_->statements.erase(s.begin);
  record_->leftOut.insert(s.begin);
  return Flow::on;
}

/// The frame that statements are in, set again once others have been entered.
class Evaluator::OuterFrame {
 public:
  explicit OuterFrame(Evaluator& of) : of_(of), frame_(of.frame_) {}
  ~OuterFrame() { restore(); }
  OuterFrame(const OuterFrame&) = delete;
  OuterFrame& operator=(const OuterFrame&) = delete;
  void restore() const { of_.builder_.setFrame(of_.frame_ = frame_); }

 private:
  Evaluator& of_;
  int frame_;
};

Evaluator::Flow Evaluator::condition(const ast::Statement& s) {
  bool expected = true;
  const PythonValue value = asked(*s.value, expected);
  if (value.isTensor() && !s.body.empty() && s.body.front().kind == ast::Statement::Kind::raise) {
    builder_.checkValue(value, !expected, raised(s.body.front()), s.place);
    return execute(s.otherwise);
  }
  if (value.isTensor()) {
    // The call waits for the condition without each `not` before it.
    const ast::Expression* condition = s.value.get();
    while (isNegation(*condition)) condition = condition->parts[0].get();
    const OuterFrame outer(*this);
    const bool holds = branchOn(value, *condition, s.place);
    return execute(holds == expected ? s.body : s.otherwise);
  }
  return execute(truth(value, s.place, "this 'if'") == expected ? s.body : s.otherwise);
}

Evaluator::Flow Evaluator::loop(const ast::Statement& s) {
  const PythonValue over = iteratorOf(evaluate(*s.value), s.value->place);
  const OuterFrame outer(*this);
  int round = 0;
  while (const std::optional<PythonValue> next = nextOf(over, s.value->place)) {
    const PythonValue& item = *next;
    step(s.place);
    outer.restore();
    assign(*s.targets[0], item);
    const std::string name = s.targets[0]->kind == ExprKind::name ? s.targets[0]->text : "round";
    enterFrame(Frame::Kind::round,
               name + " = " + (item.isNumber() ? shownText(item, s.place) : std::to_string(round)),
               s.place);
    ++round;
    const Flow flow = execute(s.body);
    if (flow == Flow::leave) return Flow::on;
    if (flow == Flow::returned) return flow;
  }
  outer.restore();
  return execute(s.otherwise);
}

Evaluator::Flow Evaluator::whileLoop(const ast::Statement& s) {
  for (int round = 0;; ++round) {
    const PythonValue value = [&] {
      struct Inside {
        int& depth;
        ~Inside() { --depth; }
      } const inside{++inWhile_};
      PythonValue asked = evaluate(*s.value);
      if (asked.isTensor()) branchOn(asked, *s.value, s.place);
      return asked;
    }();
    if (!truth(value, s.place, "this 'while'")) return execute(s.otherwise);
    if (round >= kMostRounds)
      failProgram(s.place, "this loop runs for more than " + std::to_string(kMostRounds) +
                               " iterations; loops in a program must terminate by themselves");
    const Flow flow = execute(s.body);
    if (flow == Flow::leave) return Flow::on;
    if (flow == Flow::returned) return flow;
  }
}

void Evaluator::check(const ast::Statement& s) {
  bool expected = true;
  const PythonValue value = asked(*s.value, expected);
  if (value.kind == Kind::outside) return void(forget(s));
  std::string message = "this assert does not hold: " + sourceOf(s.value->begin, s.value->end);
  std::string own;
  if (s.message) {
    own = messageOf(*s.message).value_or(std::string());
  }
  if (value.isTensor())
    return builder_.checkValue(value, expected, own.empty() ? message : own, s.place);
  if (!own.empty()) message += " (" + own + ")";
  if (value.isSize()) return builder_.check(value.size, expected, message, s.place);
  if (truth(value, s.place, "this assert") != expected) failProgram(s.place, message);
}

PythonValue Evaluator::asked(const ast::Expression& e, bool& expected) {
  const ast::Expression* condition = &e;
  for (; isNegation(*condition); condition = condition->parts[0].get()) expected = !expected;
  return evaluate(*condition);
}

std::string Evaluator::raised(const ast::Statement& s) {
  std::string message = "this line raises an error";
  if (s.value && s.value->kind == ExprKind::postfix)
    for (const ast::Trailer& trailer : s.value->trailers)
      if (trailer.kind == ast::Trailer::Kind::call && !trailer.arguments.empty()) {
        message = messageOf(*trailer.arguments[0]).value_or(message);
      }
  return message;
}

/// Whether a raise is of StopIteration, with or without a value.
static bool raisesStop(const ast::Statement& s) {
  if (!s.value) return false;
  const ast::Expression& e = *s.value;
  const ast::Expression& named = e.kind == ExprKind::postfix ? *e.parts[0] : e;
  return named.kind == ExprKind::name && named.text == "StopIteration";
}

void Evaluator::raise(const ast::Statement& s) {
  if (raisesStop(s)) throw StopIteration(s.place);
  std::string message = "this line raises an error";
  if (s.value && s.value->kind == ExprKind::postfix) {
    for (const ast::Trailer& trailer : s.value->trailers)
      if (trailer.kind == ast::Trailer::Kind::call && !trailer.arguments.empty()) {
        if (const auto said = messageOf(*trailer.arguments[0])) message += ": " + *said;
      }
  }
  failProgram(s.place, message);
}

void Evaluator::defineClass(const ast::Statement& s) {
  PythonValue made;
  made.kind = Kind::type;
  made.place = s.place;
  made.object = std::make_shared<PythonObject>();
  made.object->name = s.text;
  made.object->library = inLibrary_ > 0;
  for (const auto& base : s.values) {
    const PythonValue value = evaluate(*base);
    if (value.kind == Kind::type) {
      made.object->bases.push_back(value.object);
    } else if (value.kind == Kind::path) {
      const bool known =
          value.text.starts_with("torch.nn.") || value.text == "torch.autograd.Function";
      const PythonValue* found = known ? libraryFind(value.text) : nullptr;
      // Modules of packages that build on PyTorch: pl.LightningModule, PreTrainedModel.
      const bool model = value.text.ends_with("Model") && !value.text.ends_with("BaseModel");
      if (!found && inLibrary_ == 0 && (value.text.ends_with("Module") || model))
        found = libraryNamed("Module");
      if (found) made.object->bases.push_back(found->object);
    }
  }
  Names& scope = scopes_.emplace_back();
  scope.outer = namesAround();
  scope.declared = true;
  scope.of = Names::Of::classBody;
  Names* const before = names_;
  const std::shared_ptr<PythonObject> type = std::exchange(type_, made.object);
  names_ = &scope;
  try {
    execute(s.body);
  } catch (...) {
    names_ = before;
    type_ = type;
    throw;
  }
  names_ = before;
  type_ = type;
  for (auto& [name, value] : scope.bound) made.object->attributes[name] = value;
  decorateClass(*made.object, s);
  decorateTuple(*made.object, s);
  names_->bound[s.text] = made;
}

}  // namespace fusebench
