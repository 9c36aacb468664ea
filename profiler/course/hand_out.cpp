// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/hand_out.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "profiler/analysis/wording.h"
#include "profiler/catalogue/catalogue.h"

namespace fusebench::course {
namespace {

constexpr const char* kRoom = "……………………";

std::string unitText(const Unit& unit) {
  return unit.word.empty() ? std::string() : " " + std::string(said(unit.word));
}

const GivenAnswer* givenIn(const std::vector<GivenAnswer>& list, std::size_t item) {
  return item < list.size() ? &list[item] : nullptr;
}

std::string predictionText(const Prediction& prediction, const GivenAnswer* given, bool key) {
  std::string text = fmt::format("**{}** {}\n\n", said("Predict"), prediction.ask);
  if (!given || given->given.empty()) {
    text += kRoom + unitText(prediction.unit) + "\n\n";
    return key && given ? text + saying("Measured: {}.", given->seen) + "\n\n" : text;
  }
  text += saying("Predicted: {}", given->given + unitText(prediction.unit)) + "\n\n";
  if (const std::string verdict = verdictOf(prediction, *given); !verdict.empty())
    text += verdict + "\n\n";
  return text;
}

/// The measured answer to a question, and the choice that it makes right.
std::string keyText(const Question& question, const GivenAnswer& given, const Facts& key) {
  std::string text = saying("Measured: {}.", given.seen);
  if (const auto right = rightChoice(question, key))
    text += " " + saying("Right: {}.", question.choices[*right].text);
  return text + "\n\n";
}

std::string questionText(const Question& question, const GivenAnswer* given, const Facts* key,
                         const std::string& device) {
  std::string text = fmt::format("**{}** {}\n\n", said("Question"), question.ask);
  const std::string chosen = given ? given->given : std::string();
  const bool explained = key || (given && given->right);
  // A task list has a box in place of the bullet.
  for (const Choice& choice : question.choices) {
    text += fmt::format("- [{}] {}\n", chosen == choice.text ? "x" : " ", choice.text);
    if (explained && !choice.why.empty()) text += fmt::format("\n  *{}*\n\n", choice.why);
  }
  if (question.choices.empty())
    text += (chosen.empty() ? std::string(kRoom) : chosen) + unitText(question.unit) + "\n";
  text += "\n";
  if (const std::string judged = given ? judgementOf(*given) : std::string(); !judged.empty())
    text += judged + "\n\n";
  if (explained && !question.why.empty()) text += fmt::format("*{}*\n\n", question.why);
  // A teacher's key names the right choice anyway.
  if (const std::string told = given && !key ? conclusionOf(question, *given, device) : "";
      !told.empty())
    text += told + "\n\n";
  if (given && key) text += keyText(question, *given, *key);
  return text;
}

std::string codeBlock(const std::string& language, const std::string& code) {
  return fmt::format("```{}\n{}\n```\n\n", language, code);
}

/// The programs that variants run, each once; with their names where there are several.
std::string programsText(const Experiment& experiment) {
  std::string text;
  std::set<std::string_view> written;
  for (const Variant& variant : experiment.variants) {
    const std::string& program = experiment.programTextOf(variant);
    if (!written.insert(program).second) continue;
    if (!variant.program.empty()) text += fmt::format("**{}**\n\n", variant.program);
    text += codeBlock("python", program);
  }
  return text;
}

/// A line a variant, and the places of the axes.
std::string sweptText(const Experiment& experiment) {
  std::string text;
  for (const Variant& variant : experiment.variants) {
    text += fmt::format("- **{}**", variant.name);
    if (variant.executor != variant.name) text += fmt::format(": {}", variant.executor);
    if (!variant.program.empty() && variant.program != variant.name)
      text += fmt::format(" ({})", variant.program);
    text += "\n";
  }
  text += "\n";
  for (const Axis& axis : experiment.axes)
    text += fmt::format("*{}*: {}\n\n", wording::axisWord(axis.name), fmt::join(axis.values, ", "));
  return text;
}

/// How to measure it without the window, and how to see the lesson's values in that run.
std::string commandsText(const Lesson& lesson) {
  const std::string text(said("Without the window:"));
  std::string commands, experiment = lesson.shippedExperiment;
  if (experiment.empty()) {
    experiment = lesson.name + ".json";
    commands = fmt::format("fusebench-cli lesson {} --experiment {}\n", lesson.name, experiment);
  }
  commands += fmt::format("fusebench-cli run {}{}{} --out run.jsonl\n", experiment,
                          lesson.quick ? " --quick" : "",
                          lesson.device.empty() ? "" : " --device " + lesson.device);
  commands += fmt::format("fusebench-cli lesson {} --run run.jsonl", lesson.name);
  return text + "\n\n" + codeBlock("", commands);
}

std::string runText(const Lesson& lesson) {
  std::string text = programsText(lesson.experiment) + sweptText(lesson.experiment);
  if (!lesson.device.empty()) text += saying("Meant for the device {}.", lesson.device) + "\n\n";
  return text + commandsText(lesson);
}

}  // namespace

std::string askedText(const Lesson& lesson, const LessonPart& part) {
  if (part.kind == LessonPart::Kind::predict) return lesson.predictions[part.item].ask;
  if (part.kind == LessonPart::Kind::ask) return lesson.questions[part.item].ask;
  return {};
}

std::string handOut(const Lesson& lesson, const Answers* answers, const Facts* key,
                    const std::string& charts) {
  const Answers blank = blankAnswers(lesson);
  const Answers& given = answers ? *answers : blank;
  const bool tells =
      std::any_of(lesson.parts.begin(), lesson.parts.end(),
                  [](const LessonPart& part) { return part.kind == LessonPart::Kind::seen; });
  std::string text;
  for (const LessonPart& part : lesson.parts) switch (part.kind) {
      case LessonPart::Kind::text:
        text += part.text + "\n";
        break;
      case LessonPart::Kind::predict:
        text += predictionText(lesson.predictions[part.item], givenIn(given.predictions, part.item),
                               key != nullptr);
        break;
      case LessonPart::Kind::ask:
        text += questionText(lesson.questions[part.item], givenIn(given.questions, part.item), key,
                             given.device);
        break;
      case LessonPart::Kind::code:
        text += fmt::format("```python\n{}```\n\n", part.text);
        break;
      case LessonPart::Kind::run:
        text += runText(lesson);
        if (!tells) text += charts;
        break;
      case LessonPart::Kind::seen:
        text += charts;  // the words follow each prediction
        break;
    }
  return text;
}

}  // namespace fusebench::course
