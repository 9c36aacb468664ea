// SPDX-License-Identifier: GPL-3.0-or-later
// Generators: functions that pause where they give an item, and continue when the next one is
// requested.
#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/fiber.h"
#include "engine/language/evaluator.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

/// The limit of generators that have begun and not ended, since each has a stack.
constexpr std::size_t kMostGenerators = 500;

/// Unwinds a generator that nobody asks any more.
struct GeneratorLeft {};

}  // namespace

/// The state of the running function: a generator restores it when it continues.
struct Evaluator::Context {
  Names* names;
  std::shared_ptr<const std::string> text;
  std::shared_ptr<PythonObject> type;
  int inLibrary, frame, calls, depth;
  Generator* generator;
  PythonValue returned;
  std::optional<SourcePlace> place;
  ProgramBuilder::ListedCall listed;
  BuildModes modes;
  Surroundings* around;
};

Evaluator::Context Evaluator::context() const {
  return {names_,
          text_,
          type_,
          inLibrary_,
          frame_,
          calls_,
          depth_,
          generator_,
          returned_,
          builder_.place(),
          builder_.listed(),
          builder_.modes(),
          around_};
}

void Evaluator::setContext(const Context& to) {
  names_ = to.names;
  text_ = to.text;
  type_ = to.type;
  inLibrary_ = to.inLibrary;
  frame_ = to.frame;
  calls_ = to.calls;
  depth_ = to.depth;
  generator_ = to.generator;
  around_ = to.around;
  returned_ = to.returned;
  builder_.setFrame(frame_);
  builder_.setPlace(to.place);
  builder_.setListed(to.listed);
  builder_.setModes(to.modes);
}

struct Evaluator::Generator {
  Generator(Evaluator& evaluator, PythonValue calledFunction, Names& ownScope,
            SourcePlace calledFrom)
      : of(&evaluator), function(std::move(calledFunction)), scope(ownScope), place(calledFrom) {}
  ~Generator() {
    leave();
    if (of) std::erase(of->generators_, this);
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  bool isPaused() const { return fiber && fiber->begun() && !fiber->ended(); }
  /// Unwinds the paused function, which frees what it holds.
  void leave() {
    if (!of || !isPaused() || running) return;
    left = true;
    of->goOn(*this);
  }
  void work() {
    try {
      of->runBody(function, scope, place, this);
    } catch (const GeneratorLeft&) {
    } catch (...) {
      failure = std::current_exception();
    }
  }

  Evaluator* of;  ///< null: it is gone
  PythonValue function;
  Names& scope;
  SourcePlace place;
  std::optional<PythonValue> given;
  std::exception_ptr failure;
  std::optional<Context> own;  ///< where it paused; calls and depth are counted from there
  bool running = false, left = false;
  std::optional<Fiber> fiber;  ///< once it has begun
};

Evaluator::~Evaluator() {
  for (Generator* const each : std::exchange(generators_, {})) {
    each->leave();
    each->of = nullptr;
  }
}

PythonValue Evaluator::generatorOf(const PythonValue& function, Names& scope, SourcePlace place) {
  PythonValue made = iteratorOver({}, place, Iterating::generated);
  const auto generator = std::make_shared<Generator>(*this, function, scope, place);
  made.object->generator = generator;
  generators_.push_back(generator.get());
  return made;
}

/// Runs a generator until it gives an item or ends.
void Evaluator::goOn(Generator& generator) {
  const Context outer = context();
  if (generator.own) {
    Context own = *generator.own;
    own.calls += outer.calls;
    own.depth += outer.depth;
    setContext(own);
  } else {
    generator.fiber.emplace([&generator] { generator.work(); });
  }
  generator.running = true;
  generator.fiber->resume();
  generator.running = false;
  generator.own = context();
  generator.own->calls -= outer.calls;
  generator.own->depth -= outer.depth;
  setContext(outer);
}

std::optional<PythonValue> Evaluator::nextGiven(const std::shared_ptr<void>& of,
                                                SourcePlace place) {
  const auto generator = std::static_pointer_cast<Generator>(of);
  if (generator->running) failProgram(place, "this generator is running already");
  if (generator->fiber && generator->fiber->ended()) return std::nullopt;
  step(place);
  const Deeper deeper(*this, place);
  checkCalls(place);
  if (!generator->fiber) {
    const auto paused = std::ranges::count_if(
        generators_, [](const Generator* each) { return each->isPaused() || each->running; });
    if (static_cast<std::size_t>(paused) >= kMostGenerators)
      failProgram(place,
                  "more than " + std::to_string(kMostGenerators) + " generators are unfinished");
  }
  goOn(*generator);
  if (generator->failure) std::rethrow_exception(std::exchange(generator->failure, nullptr));
  return std::exchange(generator->given, std::nullopt);
}

void Evaluator::give(const PythonValue& item) {
  Generator& generator = *generator_;
  generator.given = item;
  generator.fiber->pause();
  if (generator.left) throw GeneratorLeft();
}

void Evaluator::yield(const ast::Statement& s) {
  if (!generator_)
    failProgram(
        s.place,
        "found 'yield' in the program's own function; a program runs from its first line to "
        "its return");
  const PythonValue value = s.value ? evaluate(*s.value) : PythonValue();
  if (s.text != "from") return give(value);
  const PythonValue from = iteratorOf(value, s.place);
  while (const std::optional<PythonValue> item = nextOf(from, s.place)) give(*item);
}

}  // namespace fusebench
