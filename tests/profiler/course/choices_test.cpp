// SPDX-License-Identifier: GPL-3.0-or-later
// Choices explain themselves once the answer is judged; code to run in PyTorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/hand_out.h"
#include "profiler/files/input_error.h"

namespace fusebench::course {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHead = R"text(```experiment
{"fusebench": "experiment", "version": 1, "title": "A test", "program": ["return x + 1"],
 "inputs": [{"name": "one", "tensors": [{"name": "x", "extents": ["n"]}]}],
 "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
 "baseline": "eager", "axes": [{"name": "n", "values": [1, 8]}]
}
```
# T
)text";
const std::string kAsked = "```ask\nask: x\nvalue: speed-up of static at 8\n";

std::string problemIn(const std::string& text) {
  try {
    parseLesson(kHead + text, "my.fblesson");
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Choices, ExplainThemselvesOnceTheAnswerIsJudged) {
  const Lesson lesson = parseLesson(
      kHead + kAsked + "choice: no | .. 1\nwhy: It has one launch.\nchoice: yes | 1 ..\n```\n",
      "my.fblesson");
  EXPECT_EQ(lesson.questions.at(0).choices.at(0).why, "It has one launch.");
  EXPECT_EQ(lesson.questions.at(0).choices.at(1).why, "");
  Answers answers = blankAnswers(lesson);
  EXPECT_THAT(handOut(lesson, &answers), Not(HasSubstr("one launch")));
  answers.questions[0].given = "yes";
  EXPECT_THAT(handOut(lesson, &answers), Not(HasSubstr("one launch"))) << "nothing measured yet";
  answers.questions[0].right = true;
  EXPECT_THAT(handOut(lesson, &answers), HasSubstr("☐ no\n  - *It has one launch.*\n- ☒ yes\n"));
}

TEST(Choices, HaveOneExplanationEachBelowThem) {
  const char* told = "one line per choice";
  EXPECT_THAT(problemIn(kAsked + "why: a\nchoice: no | .. 1\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy: a\nwhy: b\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy:\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy: a\n```\n"), "taken");
}

/// English again at the end, whatever was read.
struct EveryLanguage {
  ~EveryLanguage() { setLanguage("en"); }
};

TEST(Choices, OfShippedLessonsAllExplainThemselves) {
  const EveryLanguage reset;
  std::size_t choices = 0;
  for (const std::string& language : languages()) {
    setLanguage(language);
    for (const std::string& name : shippedLessons())
      for (const Question& question : findLesson(name).questions) {
        SCOPED_TRACE(name + " in " + language + ": " + question.ask);
        std::set<std::string> texts, whys;
        for (const Choice& choice : question.choices) {
          EXPECT_NE(choice.why, "") << choice.text;
          texts.insert(choice.text);
          whys.insert(choice.why);
          ++choices;
        }
        EXPECT_EQ(texts.size(), question.choices.size()) << "answers are kept by their texts";
        EXPECT_EQ(whys.size(), question.choices.size());
      }
  }
  EXPECT_GT(choices, 500u);
}

TEST(Choices, ThatUsedToContainTheirReasonAreFoundInAnswersKeptBefore) {
  const EveryLanguage reset;
  const Lesson lesson = findLesson("launch-cost");
  Answers kept = blankAnswers(lesson);
  kept.questions[1].given = "faster: it saves dispatch and allocation before each launch";
  EXPECT_EQ(inTheWordsOf(lesson, kept).questions[1].given, lesson.questions[1].choices[1].text);
  setLanguage("zh_CN");
  const Lesson chinese = findLesson("launch-cost");
  EXPECT_EQ(inTheWordsOf(chinese, kept).questions[1].given, chinese.questions[1].choices[1].text);
}

TEST(OwnCode, IsAPartOfItsOwnAndCodeOnPaper) {
  const Lesson lesson =
      parseLesson(kHead + "Before.\n```pytorch\nimport torch\n```\nAfter.\n", "my.fblesson");
  ASSERT_EQ(lesson.parts.size(), 3u);
  EXPECT_EQ(lesson.parts[1].kind, LessonPart::Kind::code);
  EXPECT_EQ(lesson.parts[1].text, "import torch\n");
  EXPECT_THAT(handOut(lesson), HasSubstr("```python\nimport torch\n```"));
  EXPECT_THAT(problemIn("```pytorch\n\n```\n"),
              HasSubstr("my.fblesson:10: a block \"pytorch\" must contain Python code"));
}

TEST(OwnCode, EndsEveryShippedLessonInEveryLanguage) {
  const EveryLanguage reset;
  for (const std::string& language : languages()) {
    setLanguage(language);
    for (const std::string& name : shippedLessons()) {
      const Lesson lesson = findLesson(name);
      const auto codes =
          std::ranges::count(lesson.parts, LessonPart::Kind::code, &LessonPart::kind);
      EXPECT_GE(codes, 1) << name << " in " << language;
    }
  }
}

}  // namespace
}  // namespace fusebench::course
