// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/hand_out.h"

#include <fmt/format.h>

#include "profiler/catalogue/catalogue.h"

namespace fusebench::course {
namespace {

constexpr const char* kRoom = "……………………";

std::string unitText(const Unit& unit) {
  return unit.word.empty() ? std::string() : " " + std::string(said(unit.word));
}

std::string predictionText(const Lesson& lesson, const LessonPart& part, const Answers* answers) {
  const Prediction& prediction = lesson.predictions[part.item];
  std::string text = fmt::format("**{}** {}\n\n", said("Predict"), prediction.ask);
  const GivenAnswer* given = answers && part.item < answers->predictions.size()
                                 ? &answers->predictions[part.item]
                                 : nullptr;
  if (!given || given->given.empty()) return text + kRoom + unitText(prediction.unit) + "\n\n";
  text += saying("Predicted: {}", given->given + unitText(prediction.unit)) + "\n\n";
  if (const std::string verdict = verdictOf(prediction, *given); !verdict.empty())
    text += verdict + "\n\n";
  return text;
}

std::string questionText(const Lesson& lesson, const LessonPart& part, const Answers* answers) {
  const Question& question = lesson.questions[part.item];
  std::string text = fmt::format("**{}** {}\n\n", said("Question"), question.ask);
  const GivenAnswer* given =
      answers && part.item < answers->questions.size() ? &answers->questions[part.item] : nullptr;
  const std::string chosen = given ? given->given : std::string();
  for (const Choice& choice : question.choices)
    text += fmt::format("- {} {}\n", chosen == choice.text ? "☒" : "☐", choice.text);
  if (question.choices.empty())
    text += (chosen.empty() ? std::string(kRoom) : chosen) + unitText(question.unit) + "\n";
  text += "\n";
  if (given && given->right && !chosen.empty())
    text +=
        saying(*given->right ? "Right: {}." : "Not so; the data say: {}.", given->seen) + "\n\n";
  return text;
}

}  // namespace

std::string askedText(const Lesson& lesson, const LessonPart& part) {
  if (part.kind == LessonPart::Kind::predict) return lesson.predictions[part.item].ask;
  if (part.kind == LessonPart::Kind::ask) return lesson.questions[part.item].ask;
  return {};
}

std::string handOut(const Lesson& lesson, const Answers* answers) {
  std::string text;
  for (const LessonPart& part : lesson.parts) switch (part.kind) {
      case LessonPart::Kind::text:
        text += part.text + "\n";
        break;
      case LessonPart::Kind::predict:
        text += predictionText(lesson, part, answers);
        break;
      case LessonPart::Kind::ask:
        text += questionText(lesson, part, answers);
        break;
      case LessonPart::Kind::run:
        text += fmt::format("```python\n{}\n```\n\n", lesson.experiment.programText);
        break;
      case LessonPart::Kind::seen:
        break;  // stands beside each prediction
    }
  return text;
}

}  // namespace fusebench::course
