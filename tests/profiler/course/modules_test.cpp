// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of the course: reading them, how far a reader is, and what comes next.
#include "profiler/course/modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/class_overview.h"
#include "profiler/course/lesson.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "tests/temporary_folder.h"

namespace fusebench::course {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kOne = R"({"name": "one", "difficulty": 1, "objective": "You can count."})";
const std::string kTwoModules =
    R"({"name": "two", "difficulty": 3, "objective": "You can add.", "after": ["one"]})";

std::string courseOf(const std::string& first, const std::string& second,
                     const std::string& path = R"("two")") {
  return "{\"fusebench\": \"course\", \"path\": {\"title\": \"In short\", \"lessons\": [" + path +
         "]},\n \"modules\": [\n  {\"title\": \"A\", \"about\": \"a\", \"lessons\": [" + first +
         "]},\n  {\"title\": \"B\", \"about\": \"b\", \"lessons\": [" + second + "]}]}";
}

std::string courseProblem(const std::string& json,
                          const std::vector<std::string>& lessons = {"one", "two"}) {
  try {
    parseCourse(json, "modules.json", lessons);
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(CourseModules, AreReadWithWhatEachLessonBuildsUpon) {
  const Course course = parseCourse(courseOf(kOne, kTwoModules), "modules.json", {"one", "two"});
  ASSERT_EQ(course.modules.size(), 2u);
  EXPECT_EQ(course.modules[0].title, "A");
  const CourseLesson& two = course.modules[1].lessons.at(0);
  EXPECT_EQ(two.difficulty, 3);
  EXPECT_THAT(two.after, testing::ElementsAre("one"));
  EXPECT_EQ(two.objective, "You can add.");
  EXPECT_THAT(course.path, testing::ElementsAre("two"));
  EXPECT_EQ(difficultyMark(two.difficulty - 1), "●●○");
}

TEST(CourseModules, NameTheirMistakesWithAPlace) {
  EXPECT_EQ(courseProblem(courseOf(kOne, kTwoModules)), "taken");
  EXPECT_THAT(courseProblem("{\"fusebench\": \"run\", \"path\": 1, \"modules\": 1}"),
              HasSubstr("modules.json:1:15: fusebench: this is not the list"));
  EXPECT_THAT(courseProblem(courseOf(kTwoModules, kOne)), StartsWith("modules.json:3:"));
  EXPECT_THAT(courseProblem(courseOf(kTwoModules, kOne)), HasSubstr("listed before it"));
  EXPECT_THAT(courseProblem(courseOf(kOne, kOne)), HasSubstr("already in a module"));
  EXPECT_THAT(courseProblem(courseOf(kOne, kTwoModules), {"one", "two", "three"}),
              HasSubstr("the lesson three is in no module"));
  EXPECT_THAT(courseProblem(courseOf(kOne, kTwoModules), {"two", "one"}),
              HasSubstr("the modules list one where the order lists two"));
  EXPECT_THAT(courseProblem(courseOf(kOne, kTwoModules), {"one"}),
              HasSubstr("no lesson has this name"));
  EXPECT_THAT(courseProblem(courseOf(kOne, kTwoModules, R"("six")")),
              HasSubstr("no lesson has this name"));
  EXPECT_THAT(
      courseProblem(courseOf(kOne, R"({"name": "two", "difficulty": 4, "objective": "x"})")),
      HasSubstr("modules.json:4:"));
  EXPECT_THAT(courseProblem(courseOf(kOne, R"({"name": "two", "objective": "x"})")),
              HasSubstr("difficulty"));
}

TEST(CourseModules, ContinueWithWhatIsBegunThenThePathThenTheRest) {
  const Course course = parseCourse(courseOf(kOne, kTwoModules), "modules.json", {"one", "two"});
  LessonProgresses progress{{"one", LessonProgress::untouched}, {"two", LessonProgress::untouched}};
  EXPECT_EQ(nextLesson(course, progress), "two") << "the path";
  progress["one"] = LessonProgress::begun;
  EXPECT_EQ(nextLesson(course, progress), "one");
  progress["one"] = LessonProgress::untouched;
  progress["two"] = LessonProgress::done;
  EXPECT_EQ(nextLesson(course, progress), "one");
  progress["one"] = LessonProgress::done;
  EXPECT_EQ(nextLesson(course, progress), "");
}

/// Answers to a shipped lesson as the window keeps them.
Answers answersTo(const std::string& lesson, bool right) {
  Answers answers = blankAnswers(findLesson(lesson));
  for (GivenAnswer& given : answers.predictions) given.given = "1", given.factor = 1.5;
  for (GivenAnswer& given : answers.questions) given.given = "x", given.right = right;
  return answers;
}

TEST(CourseModules, ReadProgressFromTheAnswersThatAreKept) {
  const test::TemporaryFolder folder;
  writeFile(folder.path("queue.json"), toJson(answersTo("queue", false)));
  Answers begun = blankAnswers(findLesson("views"));
  begun.predictions[0].given = "2";
  writeFile(folder.path("views.json"), toJson(begun));
  writeFile(folder.path("copies.json"), "{");
  const LessonProgresses progress = progressIn(folder.string());
  EXPECT_EQ(progress.size(), shippedLessons().size());
  EXPECT_EQ(progress.at("queue"), LessonProgress::done);
  EXPECT_EQ(progress.at("views"), LessonProgress::begun);
  EXPECT_EQ(progress.at("copies"), LessonProgress::untouched);
  EXPECT_EQ(progress.at("overlap"), LessonProgress::untouched);
  EXPECT_EQ(nextLesson(shippedCourse(), progress), "views");
}

TEST(CourseModules, OfTheShippedCourseHaveEveryLessonAndAnHoursPath) {
  const Course course = shippedCourse();
  EXPECT_GE(course.modules.size(), 7u);
  ASSERT_EQ(course.path.size(), 5u);
  int minutes = 0;
  for (const std::string& name : course.path) minutes += findLesson(name).minutes;
  EXPECT_LE(minutes, 60);
  for (const CourseModule& module : course.modules)
    for (const CourseLesson& lesson : module.lessons) {
      EXPECT_LE(findLesson(lesson.name).minutes, 15) << lesson.name;
      if (std::ranges::find(course.path, lesson.name) == course.path.end()) continue;
      for (const std::string& before : lesson.after)
        EXPECT_NE(std::ranges::find(course.path, before), course.path.end())
            << lesson.name << " builds upon " << before << ", which is not on the path";
    }
}

TEST(ClassOverview, HasALinePerReaderAndTheLatestAnswersOfEach) {
  const test::TemporaryFolder folder;
  const auto handIn = [&](const char* file, const char* who, const char* lesson, bool right,
                          const char* at) {
    Answers answers = answersTo(lesson, right);
    answers.who = who;
    answers.startedAt = at;
    writeFile(folder.path(file), toJson(answers));
  };
  handIn("a.json", "Ada", "queue", false, "2026-01-02T00:00:00Z");
  handIn("b.json", "Ada", "queue", true, "2026-01-03T00:00:00Z");
  handIn("c.json", "Ada", "views", true, "2026-01-01T00:00:00Z");
  handIn("d.json", "Bo, C.", "queue", false, "2026-01-01T00:00:00Z");
  writeFile(folder.path("notes.txt"), "not read");
  const std::vector<Answers> all = answersInFolder(folder.string()).answers;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(classOverview(all),
            "who,queue,views,right,predictions within 2\n"
            "Ada,1.00,1.00,1.00,1.00\n"
            "\"Bo, C.\",0.00,,0.00,1.00\n"
            "all,0.50,1.00,0.67,1.00\n");
}

TEST(ClassOverview, NamesDamagedFilesAndKeepsTheAnswersOfTheOthers) {
  const test::TemporaryFolder folder;
  writeFile(folder.path("a.json"), toJson(answersTo("queue", true)));
  writeFile(folder.path("b.json"), toJson(answersTo("queue", false)).substr(0, 100));
  writeFile(folder.path("c.json"), toJson(answersTo("views", true)));
  writeFile(folder.path("d.json"), "{\"fusebench\": \"run\"}");
  const FolderAnswers found = answersInFolder(folder.string());
  EXPECT_EQ(found.answers.size(), 2u);
  ASSERT_EQ(found.problems.size(), 2u);
  EXPECT_THAT(found.problems[0], HasSubstr("b.json"));
  EXPECT_THAT(found.problems[1], HasSubstr("d.json"));
}

TEST(ClassOverview, RefusesAFolderWhoseFilesAreAllDamaged) {
  const test::TemporaryFolder folder;
  writeFile(folder.path("e.json"), "{\"fusebench\": \"run\"}");
  EXPECT_THROW(answersInFolder(folder.string()), InputError);
}

TEST(ClassOverview, NamesAFolderWithoutAnswers) {
  const test::TemporaryFolder folder;
  const auto problem = [](const std::string& given) {
    try {
      answersInFolder(given);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(problem(folder.string()), HasSubstr("contains no answers"));
  EXPECT_THAT(problem(folder.path("missing")), HasSubstr("could not list this folder"));
}

TEST(LessonHeads, AreThoseOfTheWholeLessonsInEachLanguage) {
  for (const char* spoken : {"en", "zh_CN"}) {
    setLanguage(spoken);
    for (const std::string& name : shippedLessons()) {
      const Lesson lesson = findLesson(name);
      const LessonHead head = shippedLessonHead(name);
      EXPECT_EQ(head.title, lesson.title) << name << ", " << spoken;
      EXPECT_EQ(head.minutes, lesson.minutes) << name << ", " << spoken;
    }
  }
  setLanguage("en");
}

}  // namespace
}  // namespace fusebench::course
