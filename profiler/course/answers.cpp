// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "profiler/analysis/wording.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/files/input_error.h"

namespace fusebench::course {
namespace {

/// A prediction within this factor is exact, near, or of the right size.
constexpr double kExact = 1.005, kNear = 1.25, kRightSize = 2;

/// "1,5" is what people write in half of the world.
std::optional<double> figureIn(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), ',', '.');
  const std::size_t first = plain.find_first_not_of(' ');
  if (first == std::string::npos) return std::nullopt;
  plain = plain.substr(first, plain.find_last_not_of(' ') - first + 1);
  double value = 0;
  const auto [end, problem] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (problem != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// A word that a crossing may be, as it is written in the catalogue's keys, of what was entered in
/// whatever language; else empty.
std::string crossingWord(std::string_view given) {
  for (const char* word : {"always", "never"})
    for (const std::string& language : languages())
      if (given == saidIn(language, word)) return word;
  return {};
}

std::string withUnit(const std::string& figure, const Unit& unit) {
  if (unit.word.empty()) return figure;
  constexpr std::pair<std::string_view, std::string_view> kOne[] = {{"launches", "launch"},
                                                                    {"calls", "call"},
                                                                    {"statements", "statement"},
                                                                    {"elements", "element"}};
  const auto counted =
      std::ranges::find(kOne, unit.word, &std::pair<std::string_view, std::string_view>::first);
  const bool one = figure == "1" && counted != std::end(kOne);
  constexpr std::string_view kChineseBracket = "）";  // no space goes behind it
  const char* between = figure.ends_with(kChineseBracket) ? "" : " ";
  return figure + between + std::string(said(one ? counted->second : std::string_view(unit.word)));
}

/// "1.3 (1.2 to 1.4) µs", or the word, or nothing.
std::string seenText(const Measured& measured, const Unit& unit) {
  if (!measured.word.empty()) {
    const bool crossing = measured.word == "always" || measured.word == "never";
    if (crossing) return std::string(said(measured.word));
    return measured.alike.empty() ? measured.word
                                  : saying("{} (within noise of it: {})", measured.word,
                                           fmt::join(measured.alike, ", "));
  }
  const Estimate& estimate = measured.estimate;
  if (estimate.kind == Estimate::Kind::none || !std::isfinite(estimate.value)) return {};
  const auto figure = [&](double value) {
    const double scaled = value / unit.scale;
    constexpr double kWithPowers = 1e-3;  // an error's size is its power of ten
    return scaled > 0 && scaled < kWithPowers ? fmt::format("{:.2g}", scaled)
                                              : wording::number(scaled);
  };
  std::string text = figure(estimate.value);
  if (estimate.kind == Estimate::Kind::interval && estimate.low < estimate.high &&
      std::isfinite(estimate.high))
    text += saying(" ({} to {})", figure(estimate.low), figure(estimate.high));
  return withUnit(text, unit);
}

bool holds(const Choice& choice, const Measured& measured, const Unit& unit) {
  if (!choice.word.empty()) return choice.word == measured.word;
  if (measured.estimate.kind == Estimate::Kind::none) return false;
  const double value = measured.estimate.value / unit.scale;
  return (!choice.low || value >= *choice.low) && (!choice.high || value < *choice.high);
}

/// Whether the interval reaches into a choice: then the data do not rule it out.
bool mayHold(const Choice& choice, const Measured& measured, const Unit& unit) {
  if (holds(choice, measured, unit)) return true;
  if (!choice.word.empty())
    return std::ranges::find(measured.alike, choice.word) != measured.alike.end();
  if (measured.estimate.kind == Estimate::Kind::none) return false;
  return (!choice.low || measured.estimate.high / unit.scale >= *choice.low) &&
         (!choice.high || measured.estimate.low / unit.scale < *choice.high);
}

bool isAny(const Measured& measured) {
  return !measured.word.empty() || measured.estimate.kind != Estimate::Kind::none;
}

void forget(GivenAnswer& given) {
  given.seen.clear();
  given.right.reset();
  given.factor.reset();
  given.possible = false;
  given.measured.reset();
}

/// Sets the run's value and judges the entry by it.
void judgePrediction(GivenAnswer& given, const Prediction& prediction, const Measured& measured) {
  if (isAny(measured)) given.measured = measured;
  given.seen = seenText(measured, prediction.unit);
  if (given.seen.empty()) given.seen = measured.missing;
  const auto figure = figureIn(given.given);
  const double value = measured.estimate.value / prediction.unit.scale;
  if (figure && *figure > 0 && measured.estimate.kind != Estimate::Kind::none && value > 0)
    given.factor = *figure / value;
  if (!measured.word.empty() && !given.given.empty())
    given.right = crossingWord(given.given) == measured.word;
}

void judgeQuestion(GivenAnswer& given, const Question& question, const Measured& measured) {
  if (isAny(measured)) given.measured = measured;
  const Unit own{std::string(unitOf(question.value)), 1};
  given.seen = seenText(measured, question.unit.word.empty() ? own : question.unit);
  if (given.seen.empty()) {
    given.seen = measured.missing;
    return;
  }
  if (given.given.empty()) return;
  if (question.choices.empty()) {
    const auto figure = figureIn(given.given);
    const double value = measured.estimate.value / question.unit.scale;
    given.right = measured.word.empty()
                      ? figure && std::abs(*figure - value) <= question.tolerance * std::abs(value)
                      : crossingWord(given.given) == measured.word;
    return;
  }
  for (const Choice& choice : question.choices)
    if (choice.text == given.given) {
      given.right = mayHold(choice, measured, question.unit);
      given.possible = *given.right && !holds(choice, measured, question.unit);
    }
}

/// The lesson in all languages that it ships in, or itself alone.
std::vector<Lesson> inEveryLanguage(const Lesson& lesson) {
  const std::vector<std::string> shipped = shippedLessons();
  if (std::ranges::find(shipped, lesson.name) == shipped.end()) return {lesson};
  std::vector<Lesson> all;
  for (const std::string& language : languages())
    all.push_back(shippedLesson(lesson.name, language));
  return all;
}

/// Whether a text is a choice with the reason behind it that choices used to contain.
bool isWithReason(std::string_view text, const Choice& choice) {
  if (!text.starts_with(choice.text)) return false;
  text.remove_prefix(choice.text.size());
  return std::ranges::any_of(std::initializer_list<std::string_view>{": ", ", ", "：", "，"},
                             [&](std::string_view mark) { return text.starts_with(mark); });
}

/// Which of a question's choices a text is, in whatever language.
std::optional<std::size_t> choiceCalled(std::string_view text, std::size_t question,
                                        const std::vector<Lesson>& lessons) {
  for (const Lesson& lesson : lessons) {
    if (question >= lesson.questions.size()) continue;
    const std::vector<Choice>& choices = lesson.questions[question].choices;
    const auto found = std::ranges::find(choices, text, &Choice::text);
    if (found != choices.end()) return std::size_t(found - choices.begin());
  }
  for (const Lesson& lesson : lessons) {
    if (question >= lesson.questions.size()) continue;
    const std::vector<Choice>& choices = lesson.questions[question].choices;
    const auto found = std::ranges::find_if(
        choices, [&](const Choice& choice) { return isWithReason(text, choice); });
    if (found != choices.end()) return std::size_t(found - choices.begin());
  }
  return std::nullopt;
}

}  // namespace

bool Answers::predicted() const {
  return std::ranges::all_of(predictions, [](const auto& one) { return isPrediction(one.given); });
}

bool Answers::done() const {
  return predicted() &&
         std::ranges::all_of(questions, [](const auto& one) { return one.right.has_value(); });
}

int Answers::right() const {
  return static_cast<int>(
      std::ranges::count_if(questions, [](const auto& one) { return one.right.value_or(false); }));
}

LessonProgress progressOf(const Answers& answers) {
  if (answers.done()) return LessonProgress::done;
  for (const auto* list : {&answers.predictions, &answers.questions})
    if (std::ranges::any_of(*list, [](const GivenAnswer& given) { return !given.given.empty(); }))
      return LessonProgress::begun;
  return LessonProgress::untouched;
}

Answers blankAnswers(const Lesson& lesson) {
  Answers answers;
  answers.lesson = lesson.name;
  answers.title = lesson.title;
  for (const Prediction& prediction : lesson.predictions)
    answers.predictions.push_back({prediction.ask, {}, {}, {}, {}, false});
  for (const Question& question : lesson.questions)
    answers.questions.push_back({question.ask, {}, {}, {}, {}, false});
  return answers;
}

Answers inTheWordsOf(const Lesson& lesson, Answers given) {
  Answers words = blankAnswers(lesson);
  words.who = given.who;
  if (given.predictions.size() != words.predictions.size() ||
      given.questions.size() != words.questions.size())
    return words;
  const std::vector<Lesson> lessons = inEveryLanguage(lesson);
  words.device = given.device;
  words.startedAt = given.startedAt;
  for (std::size_t i = 0; i < words.predictions.size(); ++i) {
    GivenAnswer& answer = given.predictions[i];
    answer.ask = words.predictions[i].ask;
    if (const std::string word = crossingWord(answer.given); !word.empty())
      answer.given = std::string(said(word));
    words.predictions[i] = answer;
  }
  for (std::size_t i = 0; i < words.questions.size(); ++i) {
    GivenAnswer& answer = given.questions[i];
    answer.ask = words.questions[i].ask;
    const std::vector<Choice>& choices = lesson.questions[i].choices;
    if (const auto choice = choiceCalled(answer.given, i, lessons);
        choice && *choice < choices.size())
      answer.given = choices[*choice].text;
    words.questions[i] = answer;
  }
  judgeByKept(words, lesson);  // the text of those that were kept before figures were stays
  return words;
}

void judgeByKept(Answers& answers, const Lesson& lesson) {
  for (std::size_t i = 0; i < lesson.predictions.size() && i < answers.predictions.size(); ++i) {
    GivenAnswer& given = answers.predictions[i];
    if (const auto measured = given.measured) {
      forget(given);
      judgePrediction(given, lesson.predictions[i], *measured);
    }
  }
  for (std::size_t i = 0; i < lesson.questions.size() && i < answers.questions.size(); ++i) {
    GivenAnswer& given = answers.questions[i];
    if (const auto measured = given.measured) {
      forget(given);
      judgeQuestion(given, lesson.questions[i], *measured);
    }
  }
}

void judge(Answers& answers, const Lesson& lesson, const Facts* facts) {
  answers.device = facts ? facts->run.device : std::string();
  answers.startedAt = facts ? facts->run.startedAt : std::string();
  for (auto* list : {&answers.predictions, &answers.questions})
    for (GivenAnswer& given : *list) forget(given);
  if (!facts) return;
  for (std::size_t i = 0; i < lesson.predictions.size() && i < answers.predictions.size(); ++i) {
    const Prediction& prediction = lesson.predictions[i];
    judgePrediction(answers.predictions[i], prediction, measure(prediction.value, *facts));
  }
  for (std::size_t i = 0; i < lesson.questions.size() && i < answers.questions.size(); ++i) {
    const Question& question = lesson.questions[i];
    judgeQuestion(answers.questions[i], question, measure(question.value, *facts));
  }
}

bool isPrediction(std::string_view text) {
  return !crossingWord(text).empty() || figureIn(text).has_value();
}

namespace {

/// Where the window shows why a prediction was wrong.
std::string pictureOf(const Quantity& quantity) {
  switch (quantity.kind) {
    case Quantity::Kind::launches:
    case Quantity::Kind::launchSaved:
      return saying(
          " To see why, click this point in the chart. The operator chain then "
          "outlines each launch.");
    case Quantity::Kind::memory:
    case Quantity::Kind::memoryShare:
      return saying(" To see why, choose Memory above the chart.");
    case Quantity::Kind::compile:
      return saying(" To see why, choose Compile above the chart.");
    case Quantity::Kind::payback:
      return saying(" To see why, choose Payback above the chart.");
    case Quantity::Kind::error:
      return saying(" To see why, read the column rel. error in Results.");
    default:
      return saying(" To see why, read the curves in the chart, then open Call breakdown.");
  }
}

/// The verdict where no figure was measured, or where none was predicted.
std::string withoutFactor(const Quantity& quantity, const GivenAnswer& given) {
  if (given.right.value_or(false))
    return saying("You said {}, and it is {}.", given.given, given.seen);
  if (!given.measured)
    return saying("You said {}. This run has no answer: {}.", given.given, given.seen);
  const bool always = given.measured->word == "always";
  if (!always && given.measured->word != "never")
    return saying("You said {}. In this run it is {}.", given.given, given.seen);
  if (quantity.kind == Quantity::Kind::payback)
    return always
               ? saying("You said {}. In this run {} always pays: it has no compile to pay back.",
                        given.given, quantity.variant)
               : saying("You said {}. In this run the compile of {} never pays for itself.",
                        given.given, quantity.variant);
  return always ? saying("You said {}. In this run {} is always faster: at every point measured.",
                         given.given, quantity.variant)
                : saying("You said {}. In this run {} is never faster: at no point measured.",
                         given.given, quantity.variant);
}

std::string heldAgainst(const Prediction& prediction, const GivenAnswer& given) {
  const std::string yours = withUnit(given.given, prediction.unit);
  const std::string why = given.measured ? pictureOf(prediction.value) : std::string();
  if (!given.factor)
    return withoutFactor(prediction.value, given) + (given.right.value_or(false) ? "" : why);
  const double off = std::max(*given.factor, 1 / *given.factor);
  if (off <= kExact) return saying("You said {}, which is right: {}.", yours, given.seen);
  if (off <= kNear) return saying("You said {}, and it is {}: near enough.", yours, given.seen);
  const std::string times = wording::number(off);
  if (off <= kRightSize)
    return saying("You said {}, and it is {}: the right order of magnitude, off by a factor of {}.",
                  yours, given.seen, times);
  return (*given.factor > 1
              ? saying("You said {}; it is {}. Your prediction is too high by a factor of {}.",
                       yours, given.seen, times)
              : saying("You said {}; it is {}. Your prediction is too low by a factor of {}.",
                       yours, given.seen, times)) +
         why;
}

}  // namespace

std::string verdictOf(const Prediction& prediction, const GivenAnswer& given) {
  if (given.given.empty() || given.seen.empty()) return {};
  return heldAgainst(prediction, given);
}

std::string judgementOf(const GivenAnswer& given) {
  if (given.given.empty() || !given.right) return {};
  if (given.possible) return saying("Not ruled out: the data show {}.", given.seen);
  return *given.right ? saying("Right: {}.", given.seen)
                      : saying("No; the data show: {}.", given.seen);
}

std::string conclusionOf(const Question& question, const GivenAnswer& given,
                         const std::string& device) {
  if (given.given.empty() || !given.right || !given.measured) return {};
  const auto found = std::ranges::find_if(question.choices, [&](const Choice& choice) {
    return holds(choice, *given.measured, question.unit);
  });
  if (found == question.choices.end()) return {};
  std::string others;
  for (const Choice& choice : question.choices)
    if (&choice != &*found && mayHold(choice, *given.measured, question.unit))
      others += (others.empty() ? std::string() : saying("; ")) + choice.text;
  if (others.empty()) return saying("Measured on {}: {}.", device, found->text);
  return saying("Measured on {}: {}. Within noise, it could also be: {}.", device, found->text,
                others);
}

std::optional<std::size_t> rightChoice(const Question& question, const Facts& facts) {
  const Measured measured = measure(question.value, facts);
  for (std::size_t c = 0; c < question.choices.size(); ++c)
    if (holds(question.choices[c], measured, question.unit)) return c;
  return std::nullopt;
}

void demandRunOf(const Lesson& lesson, const Run& run, const std::string& file) {
  const auto demand = [&](const Quantity& quantity) {
    if (const std::string problem = problemOf(quantity, run.experiment); !problem.empty())
      throw InputError(
          saying("{}: this run is not of the lesson's experiment: {}; measure it "
                 "with: fusebench-cli run {}",
                 file, problem,
                 lesson.shippedExperiment.empty()
                     ? saying("EXPERIMENT, which fusebench-cli lesson LESSON --experiment writes")
                     : lesson.shippedExperiment));
  };
  for (const Prediction& prediction : lesson.predictions) demand(prediction.value);
  for (const Question& question : lesson.questions) demand(question.value);
}

}  // namespace fusebench::course
