// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/course/quantity.h"
#include "profiler/experiment/experiment.h"

namespace fusebench::course {

/// The unit of a figure that a reader enters: a word that people write, and the factor that
/// converts it to one of a Quantity's own (nanoseconds, bytes, or plain numbers).
struct Unit {
  std::string word;  ///< "µs"; empty: a plain number
  double scale = 1;
};

/// A figure that the reader predicts before anything is measured.
struct Prediction {
  std::string ask;
  Quantity value;
  Unit unit;
};

/// An answer to choose. Right where the question's value is in [low, high), or is this word.
struct Choice {
  std::string text;
  std::optional<double> low, high;  ///< in the question's unit; missing: no such end
  std::string word;                 ///< of a value that is a name, or "always", "never"
  std::string why;                  ///< shown after the answer: under which conditions it is right
};

/// A question that the data on the screen answer: with a figure, or by one of several choices.
struct Question {
  std::string ask;
  Quantity value;
  Unit unit;
  double tolerance = 0.1;       ///< for a figure: the relative error that is still right
  std::vector<Choice> choices;  ///< empty: the answer is a figure
  std::string why;              ///< explains the figure
};

/// A piece of a lesson, in order.
struct LessonPart {
  enum class Kind { text, predict, run, seen, ask, code };
  Kind kind = Kind::text;
  std::string text;      ///< Markdown of a text; Python of code to run in PyTorch
  std::size_t item = 0;  ///< index of the prediction or the question
};

/// A lesson: Markdown with an experiment, predictions and questions inside; see docs/lessons.md.
struct Lesson {
  std::string name;    ///< name of its file, without language and ending
  std::string title;   ///< its first heading
  std::string source;  ///< the text that it was read from
  int minutes = 10;
  Experiment experiment;
  std::string shippedExperiment;  ///< the name of a shipped one that it uses; empty: it has its own
  bool quick = true;              ///< measured with a tenth of the time
  std::string device;             ///< recommended; empty: any
  std::vector<LessonPart> parts;
  std::vector<Prediction> predictions;
  std::vector<Question> questions;
};

/// Reads a lesson; `file` names it in messages. Throws InputError "file:line: what; what would be
/// right".
Lesson parseLesson(std::string_view text, std::string_view file);
/// A lesson given by its file or by the name of a shipped one, in the chosen language if it exists
/// there, else in English. Throws InputError naming the existing lessons.
Lesson findLesson(const std::string& given);
/// A shipped one in a language that it ships in.
Lesson shippedLesson(const std::string& name, const std::string& language);
/// The part of a lesson that a list of lessons shows.
struct LessonHead {
  std::string title;
  int minutes = 10;
};
/// Title and minutes of a shipped lesson, in the language of messages. Nothing else of it is read
/// or checked, which would take a while for all of them. Throws InputError.
LessonHead shippedLessonHead(const std::string& name);
/// A lesson as one file to hand on: its text, with its experiment inside where it only names one.
std::string asOneFile(const Lesson& lesson);
/// The names of the shipped lessons in the order in which they build upon each other.
std::vector<std::string> shippedLessons();

}  // namespace fusebench::course
