// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/course/answers.h"

namespace fusebench::course {

/// A lesson to be read on paper, as Markdown: its text, room for each prediction, its questions
/// with their choices, the measurement and how to do it. With `answers`, the entries and results
/// replace the room. With a `key` it is for teachers: each prediction and question shows the value
/// of that run, whether entered or not, and `answers` are judged by it. `charts`, in Markdown, are
/// placed at the measurement.
std::string handout(const Lesson& lesson, const Answers* answers = nullptr,
                    const Facts* key = nullptr, const std::string& charts = {});

/// The text of a lesson at the place of a part; for a prediction or a question, the question
/// itself.
std::string askedText(const Lesson& lesson, const LessonPart& part);

}  // namespace fusebench::course
