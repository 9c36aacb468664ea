// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/course/lesson.h"

namespace fusebench::course {

/// A reader's entry, with its outcome once something was measured.
struct GivenAnswer {
  std::string ask, given;     ///< as the lesson asks it, and as it was entered
  std::string seen;           ///< the measured value in the reader's unit; empty: not measured yet
  std::optional<bool> right;  ///< for a question; missing: not answered, or nothing measured
  std::optional<double>
      factor;             ///< for a prediction: the predicted value divided by the measured one
  bool possible = false;  ///< right only by the interval: by the median, another choice is right
  /// Like `seen`, but independent of the language; nothing if nothing could be measured.
  std::optional<Measured> measured = {};
};

/// A reader's answers to one lesson: kept as progress in the course, and handed in.
struct Answers {
  std::string lesson, title;
  std::string who;                ///< the name that the reader entered; may be empty
  std::string device, startedAt;  ///< of the run that they are about
  std::vector<GivenAnswer> predictions, questions;

  bool predicted() const;  ///< whether every prediction is entered
  bool done() const;       ///< whether every question is answered and checked
  int right() const;       ///< number of questions that are answered correctly
};

/// How far a reader has come in a lesson.
enum class LessonProgress { untouched, begun, done };
LessonProgress progressOf(const Answers& answers);

/// None given yet.
Answers blankAnswers(const Lesson& lesson);
/// Answers given with the lesson in any language, translated to the language of this lesson:
/// choices in its words, and also the measured results. They are blank if the lesson now has
/// another question; the name of the reader is kept.
Answers inTheWordsOf(const Lesson& lesson, Answers given);
/// Throws InputError if the run, of that file, is of another experiment than the lesson is about.
void demandRunOf(const Lesson& lesson, const Run& run, const std::string& file);
/// Judges the entries again by the values of an earlier run, which are saved with them.
void judgeByKept(Answers& answers, const Lesson& lesson);
/// Judges the entries by a run; without one, there are no measured values.
void judge(Answers& answers, const Lesson& lesson, const Facts* facts);

/// Whether a text is a valid prediction: a number, or "always" or "never".
bool isPrediction(std::string_view text);
/// One sentence on a prediction and the result; empty before both are known.
std::string verdictOf(const Prediction& prediction, const GivenAnswer& given);
/// One sentence on an answered question; empty before it is judged.
std::string judgementOf(const GivenAnswer& given);
/// One sentence on what this run shows: the choice that is right on its device. Empty before the
/// answer is judged, and for a question without choices.
std::string conclusionOf(const Question& question, const GivenAnswer& given,
                         const std::string& device);
/// The choice that is right by the median; nothing while the run has no value. Other choices that
/// the interval overlaps also count as right.
std::optional<std::size_t> rightChoice(const Question& question, const Facts& facts);

/// The file that they are kept in: JSON. Throws InputError with a place.
std::string toJson(const Answers& answers);
Answers parseAnswers(std::string_view json, std::string_view file);
/// A table (CSV) of several readers' answers, a line each.
std::string collectedTable(const std::vector<Answers>& all);

}  // namespace fusebench::course
