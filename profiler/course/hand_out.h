// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/course/answers.h"

namespace fusebench::course {

/// A lesson to be read on paper, as Markdown: its text, room for each prediction, its questions
/// with their choices, what it measures and how to do so. With `answers` what was entered and seen
/// stands where the room was. With a `key` it is a teacher's: what that run says stands at each
/// prediction and question, entered or not; `answers` are judged by it. `charts`, Markdown, stand
/// where the lesson tells what was measured.
std::string handOut(const Lesson& lesson, const Answers* answers = nullptr,
                    const Facts* key = nullptr, const std::string& charts = {});

/// What a lesson says at the place of its part: of a prediction and a question what is asked.
std::string askedText(const Lesson& lesson, const LessonPart& part);

}  // namespace fusebench::course
