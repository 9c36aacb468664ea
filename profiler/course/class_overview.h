// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/course/answers.h"

namespace fusebench::course {

/// What a folder's files NAME.json contain, in the order of their names.
struct FolderAnswers {
  std::vector<Answers> answers;
  std::vector<std::string> problems;  ///< a line for each file that contains something else
};

/// Throws InputError if no file of the folder contains answers.
FolderAnswers answersInFolder(const std::string& folder);

/// A class at a glance (CSV): a line per reader with the right answers in each lesson, then the
/// share of right answers and of predictions within a factor of two. The last line is of all. If a
/// reader handed in a lesson several times, the latest measurement counts.
std::string classOverview(std::vector<Answers> all);

}  // namespace fusebench::course
