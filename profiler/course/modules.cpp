// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "profiler/catalogue/catalogue.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_reader.h"
#include "profiler/files/resources.h"

namespace fusebench::course {
namespace {

constexpr std::size_t kMostModules = 100, kMostLessons = 1000;

/// A name among those that may be used there.
std::string lessonNamed(const JsonReader& reader, const std::vector<std::string>& known,
                        const std::string& problem) {
  std::string name = reader.name();
  if (std::ranges::find(known, name) == known.end()) reader.fail(problem);
  return name;
}

CourseLesson lessonIn(const JsonReader& reader, const std::vector<std::string>& known,
                      std::vector<std::string>& seen) {
  reader.expectObject({"name", "difficulty", "objective"}, {"after"});
  CourseLesson lesson;
  lesson.name = lessonNamed(reader["name"], known,
                            saying("no lesson has this name; use a name from lessons/order"));
  if (std::ranges::find(seen, lesson.name) != seen.end())
    reader["name"].fail(saying("this lesson is already in a module; remove it from one of them"));
  lesson.difficulty = static_cast<int>(reader["difficulty"].integer(1, kHardest));
  lesson.objective = reader["objective"].name();
  if (reader.has("after")) {
    const JsonReader after = reader["after"];
    after.expectArray(0, kMostLessons, "names of lessons");
    for (std::size_t i = 0; i < after.size(); ++i)
      lesson.after.push_back(
          lessonNamed(after[i], seen,
                      saying("a lesson can only build upon lessons that are listed before it")));
  }
  seen.push_back(lesson.name);
  return lesson;
}

CourseModule moduleIn(const JsonReader& reader, const std::vector<std::string>& known,
                      std::vector<std::string>& seen) {
  reader.expectObject({"title", "about", "lessons"}, {});
  CourseModule module;
  module.title = reader["title"].name();
  module.about = reader["about"].name();
  const JsonReader lessons = reader["lessons"];
  lessons.expectArray(1, kMostLessons, "lessons");
  for (std::size_t i = 0; i < lessons.size(); ++i)
    module.lessons.push_back(lessonIn(lessons[i], known, seen));
  return module;
}

bool isDone(const LessonProgresses& progress, std::string_view name) {
  const auto found = progress.find(name);
  return found != progress.end() && found->second == LessonProgress::done;
}

}  // namespace

Course parseCourse(std::string_view json, std::string_view file,
                   const std::vector<std::string>& lessons) {
  const JsonDocument document(json, file);
  const JsonReader root(document);
  root.expectObject({"fusebench", "path", "modules"}, {});
  if (root["fusebench"].string() != "course")
    root["fusebench"].fail(saying("this is not the list of a course's modules"));
  Course course;
  std::vector<std::string> seen;
  const JsonReader modules = root["modules"];
  modules.expectArray(1, kMostModules, "modules");
  for (std::size_t i = 0; i < modules.size(); ++i)
    course.modules.push_back(moduleIn(modules[i], lessons, seen));
  for (const std::string& name : lessons)
    if (std::ranges::find(seen, name) == seen.end())
      modules.fail(saying("the lesson {} is in no module; add it to one", name));
  if (const auto [listed, ordered] = std::ranges::mismatch(seen, lessons); listed != seen.end())
    modules.fail(
        saying("the modules list {} where the order lists {}; use one order", *listed, *ordered));
  const JsonReader path = root["path"];
  path.expectObject({"title", "lessons"}, {});
  course.pathTitle = path["title"].name();
  const JsonReader steps = path["lessons"];
  steps.expectArray(1, kMostLessons, "names of lessons");
  for (std::size_t i = 0; i < steps.size(); ++i)
    course.path.push_back(lessonNamed(
        steps[i], lessons, saying("no lesson has this name; use a name from lessons/order")));
  return course;
}

Course shippedCourse() {
  constexpr const char* kFile = "lessons/modules.json";
  return parseCourse(resourceText(kFile), kFile, shippedLessons());
}

LessonProgresses progressIn(const std::string& folder) {
  LessonProgresses progress;
  for (const std::string& name : shippedLessons()) {
    LessonProgress& its = progress[name] = LessonProgress::untouched;
    const std::string file = fmt::format("{}/{}.json", folder, name);
    std::error_code problem;
    if (folder.empty() || !std::filesystem::exists(file, problem)) continue;
    try {
      its = progressOf(parseAnswers(readFile(file, kLargestWritten), file));
    } catch (const InputError&) {
      its = LessonProgress::untouched;  // the window replaces such a file, too
    }
  }
  return progress;
}

std::string answersFolder() {
  // As Qt determines the folder of application data.
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const std::string base = data && data[0] == '/' ? std::string(data)
                           : home && *home        ? std::string(home) + "/.local/share"
                                                  : std::string();
  return base.empty() ? base : base + "/fusebench/fusebench/answers";
}

std::string nextLesson(const Course& course, const LessonProgresses& progress) {
  for (const CourseModule& module : course.modules)
    for (const CourseLesson& lesson : module.lessons)
      if (const auto found = progress.find(lesson.name);
          found != progress.end() && found->second == LessonProgress::begun)
        return lesson.name;
  for (const std::string& name : course.path)
    if (!isDone(progress, name)) return name;
  // The modules list what a lesson builds upon before it, so the first one left is ready.
  for (const CourseModule& module : course.modules)
    for (const CourseLesson& lesson : module.lessons)
      if (!isDone(progress, lesson.name)) return lesson.name;
  return {};
}

std::string difficultyMark(int difficulty) {
  std::string mark;
  for (int i = 0; i < kHardest; ++i) mark += i < difficulty ? "●" : "○";
  return mark;
}

std::string_view progressMark(LessonProgress progress) {
  switch (progress) {
    case LessonProgress::done:
      return "✓";
    case LessonProgress::begun:
      return "◐";
    case LessonProgress::untouched:
      break;
  }
  return {};
}

}  // namespace fusebench::course
