// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_lesson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli_commands.h"
#include "engine/base/shown_text.h"
#include "engine/base/standard_streams.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/course/class_overview.h"
#include "profiler/course/handout.h"
#include "profiler/course/modules.h"
#include "profiler/course/queue_picture.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"

namespace fusebench::cli {
namespace {

struct LessonOptions {
  std::string lesson, run, answers, experiment, overview;
  std::vector<std::string> collected;
  bool json = false;
};

/// A line per lesson: its name, how far the reader is, its minutes, its difficulty and its title.
std::string lessonLine(const course::CourseLesson& its, const course::Lesson& lesson,
                       course::LessonProgress progress) {
  std::string line =
      saying("{:<20} {:<2}{:>3} min  {}  {}", its.name, course::progressMark(progress),
             lesson.minutes, course::difficultyMark(its.difficulty), lesson.title);
  if (!its.after.empty()) line += saying(" (after {})", fmt::join(its.after, ", "));
  return line + "\n";
}

nlohmann::ordered_json lessonJson(const course::CourseLesson& its,
                                  const course::CourseModule& module, const course::Lesson& lesson,
                                  course::LessonProgress progress) {
  constexpr const char* kProgress[] = {"untouched", "begun", "done"};
  return {{"name", its.name},
          {"title", lesson.title},
          {"minutes", lesson.minutes},
          {"module", said(module.title)},
          {"difficulty", its.difficulty},
          {"objective", said(its.objective)},
          {"after", its.after},
          {"progress", kProgress[static_cast<std::size_t>(progress)]}};
}

void printCourse(bool json) {
  const course::Course course = course::shippedCourse();
  const course::LessonProgresses progress = course::progressIn(course::answersFolder());
  const std::string next = course::nextLesson(course, progress);
  nlohmann::ordered_json lessons = nlohmann::ordered_json::array();
  std::string text = saying("\n{}: {}\n", said(course.pathTitle), fmt::join(course.path, ", "));
  for (const course::CourseModule& module : course.modules) {
    text += saying("\n{}: {}\n", said(module.title), said(module.about));
    for (const course::CourseLesson& its : module.lessons) {
      const course::Lesson lesson = course::findLesson(its.name);
      lessons.push_back(lessonJson(its, module, lesson, progress.at(its.name)));
      text += lessonLine(its, lesson, progress.at(its.name));
    }
  }
  if (json)
    return printJson(
        {{"fusebench", "lessons"}, {"lessons", lessons}, {"path", course.path}, {"next", next}});
  if (!next.empty()) text += saying("\nNext: fusebench-cli lesson {}\n", next);
  printOut(text.substr(1));
}

int collect(const std::vector<std::string>& files) {
  std::vector<course::Answers> all;
  for (const std::string& file : files)
    all.push_back(course::parseAnswers(readFile(file, kLargestWritten), file));
  printOut(course::collectedTable(all));
  return kDone;
}

/// Files of the folder that contain no answers are named, and the others are in the table.
int printOverview(const std::string& folder) {
  course::FolderAnswers found = course::answersInFolder(folder);
  for (const std::string& problem : found.problems) putError(shownText(problem) + "\n");
  printOut(course::classOverview(std::move(found.answers)));
  return found.problems.empty() ? kDone : kWrongInput;
}

int lessonCommand(const LessonOptions& options) {
  if (!options.collected.empty()) return collect(options.collected);
  if (!options.overview.empty()) return printOverview(options.overview);
  if (options.lesson.empty()) {
    printCourse(options.json);
    return kDone;
  }
  const course::Lesson lesson = course::findLesson(options.lesson);
  if (!options.experiment.empty()) {
    saveExperiment(lesson.experiment, options.experiment);
    return kDone;
  }
  course::Answers answers = course::blankAnswers(lesson);
  if (!options.answers.empty()) {
    answers = course::parseAnswers(readFile(options.answers, kLargestWritten), options.answers);
    if (answers.predictions.size() != lesson.predictions.size() ||
        answers.questions.size() != lesson.questions.size())
      throw InputError(saying("{}: these are answers to the lesson \"{}\", not to {}",
                              options.answers, answers.lesson, options.lesson));
    answers = course::inTheWordsOf(lesson, std::move(answers));
  }
  std::optional<Run> run;
  std::optional<course::Facts> facts;
  if (!options.run.empty()) {
    run = loadRun(options.run);
    course::demandRunOf(lesson, *run, options.run);
    facts.emplace(course::factsOf(*run));
    course::judge(answers, lesson, &*facts);
  }
  if (options.json)
    printJson(nlohmann::ordered_json(jsonOf(course::toJson(answers))));
  else
    printOut(
        course::withPlainPictures(course::handout(lesson, &answers, facts ? &*facts : nullptr)));
  return kDone;
}

}  // namespace

void addLessonCommand(CLI::App& app, int& code) {
  auto options = std::make_shared<LessonOptions>();
  CLI::App* command = app.add_subcommand(
      "lesson",
      saying("List the lessons of the course, print one, or check answers against a run"));
  command->add_option(
      "LESSON", options->lesson,
      saying("A lesson's file (.fblesson), or the name of a shipped one; all of them if "
             "not given"));
  command
      ->add_option("--run", options->run, saying("Run with which to check the lesson's questions"))
      ->type_name("RUN.jsonl");
  command->add_option("--answers", options->answers, saying("Answers to the lesson's questions"))
      ->type_name("ANSWERS.json");
  command
      ->add_option("--experiment", options->experiment,
                   saying("Write the experiment that it measures to this file"))
      ->type_name("OUT.json");
  command
      ->add_option("--collect", options->collected,
                   saying("CSV table of the answers in these files, one line per file"))
      ->type_name("ANSWERS.json");
  command
      ->add_option("--overview", options->overview,
                   saying("CSV table for a class: the answers in this folder, one line per reader"))
      ->type_name("DIR");
  command->add_flag("--json", options->json, saying("Print one JSON object"));
  command->callback([options, &code] { code = lessonCommand(*options); });
}

}  // namespace fusebench::cli
