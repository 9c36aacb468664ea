// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/course/answers.h"

namespace fusebench::course {

/// A lesson in its module.
struct CourseLesson {
  std::string name;
  std::string objective;           ///< what a reader can do afterwards; a message of the catalogue
  int difficulty = 1;              ///< 1 to kHardest
  std::vector<std::string> after;  ///< names of the lessons that it builds upon
};
inline constexpr int kHardest = 3;

/// Lessons on one subject, in the order in which they build upon each other.
struct CourseModule {
  std::string title, about;  ///< messages of the catalogue
  std::vector<CourseLesson> lessons;
};

/// The course: its modules, and the few lessons for a reader who has little time.
struct Course {
  std::vector<CourseModule> modules;
  std::string pathTitle;          ///< a message of the catalogue
  std::vector<std::string> path;  ///< names of lessons
};

/// Reads a course of these lessons, which its modules contain in this order. Throws InputError with
/// a place.
Course parseCourse(std::string_view json, std::string_view file,
                   const std::vector<std::string>& lessons);
/// The course that ships.
Course shippedCourse();

using LessonProgresses = std::map<std::string, LessonProgress, std::less<>>;
/// How far a reader has come in the shipped lessons, by the answers in a folder, one NAME.json
/// each. Answers that cannot be read are ignored.
LessonProgresses progressIn(const std::string& folder);
/// Where the window keeps answers if it is given no other folder.
std::string answersFolder();

/// The lesson to continue with: the first one that is begun, otherwise the first one that is not
/// done and whose prerequisites are done; the path comes before the modules. Empty: all are done.
std::string nextLesson(const Course& course, const LessonProgresses& progress);
/// A difficulty as kHardest circles, of which that many are filled.
std::string difficultyMark(int difficulty);
/// The sign in front of a lesson in a list.
std::string_view progressMark(LessonProgress progress);

}  // namespace fusebench::course
