// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/course/answers.h"

namespace fusebench::course {

/// The answers in a folder's files NAME.json, in the order of their names. Throws InputError if
/// there are none, or if a file contains something else.
std::vector<Answers> answersInFolder(const std::string& folder);

/// A class at a glance (CSV): a line per reader with the right answers in each lesson, then the
/// share of right answers and of predictions within a factor of two. The last line is of all. If a
/// reader handed in a lesson several times, the latest measurement counts.
std::string classOverview(std::vector<Answers> all);

}  // namespace fusebench::course
