// SPDX-License-Identifier: GPL-3.0-or-later
// Choices explain themselves once the answer is judged; code to run in PyTorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/handout.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"

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
  EXPECT_THAT(handout(lesson, &answers), Not(HasSubstr("one launch")));
  answers.questions[0].given = "yes";
  EXPECT_THAT(handout(lesson, &answers), Not(HasSubstr("one launch"))) << "nothing measured yet";
  answers.questions[0].right = true;
  EXPECT_THAT(handout(lesson, &answers),
              HasSubstr("\n\n- [ ] no\n\n  *It has one launch.*\n\n- [x] yes\n"));
}

TEST(Choices, HaveOneExplanationEachBelowThem) {
  const char* told = "one line per choice";
  EXPECT_THAT(problemIn(kAsked + "why: a\nchoice: no | .. 1\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "why: a\nwhy: b\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy: a\nwhy: b\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy:\n```\n"), HasSubstr(told));
  EXPECT_THAT(problemIn(kAsked + "choice: no | .. 1\nwhy: a\n```\n"), "taken");
}

TEST(Figures, ExplainThemselvesOnceTheAnswerIsJudged) {
  const Lesson lesson =
      parseLesson(kHead + kAsked + "unit: times\nwhy: It has one launch.\n```\n", "my.fblesson");
  EXPECT_EQ(lesson.questions.at(0).why, "It has one launch.");
  Answers answers = blankAnswers(lesson);
  answers.questions[0].given = "3";
  EXPECT_THAT(handout(lesson, &answers), Not(HasSubstr("one launch"))) << "nothing measured yet";
  answers.questions[0].right = true;
  EXPECT_THAT(handout(lesson, &answers), HasSubstr("\n\n*It has one launch.*\n\n"));
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
        EXPECT_TRUE(!question.choices.empty() || !question.why.empty());
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
  EXPECT_THAT(handout(lesson), HasSubstr("```python\nimport torch\n```"));
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

/// The edits that a lesson asks for under "What to change": a part of its program, and its
/// replacement.
struct Task {
  const char* lesson;
  const char* program;  ///< its name; empty: there is one only
  std::vector<std::pair<std::string, std::string>> edits;
  const char* said = "";  ///< code that the lesson's text quotes
};

const std::vector<Task>& tasks() {
  const std::string hidden = "        x = F.relu(self.fc2(x))\n";
  static const std::vector<Task> kTasks = {
      {"autotuning",
       "",
       {{"torch.relu(F.conv2d(x, w, b, padding=1))",
         "F.conv2d(torch.relu(F.conv2d(x, w, b, padding=1))[:, :16], w, b, padding=1)"}},
       "F.conv2d(torch.relu(F.conv2d(x, w, b, padding=1))[:, :16], w, b, padding=1)"},
      {"calibration", "", {{"        self.fc2 = nn.Linear(width, width)\n", ""}, {hidden, ""}}},
      {"capstone",
       "block",
       {{"    mean = x.mean(dim=1, keepdim=True)\n    centered = x - mean\n    deviation = "
         "torch.sqrt((centered * centered).mean(dim=1, keepdim=True) + 0.00001)\n    h = centered "
         "/ "
         "deviation\n",
         "    h = F.layer_norm(x, (64,))\n"}},
       "F.layer_norm(x, (64,))"},
      {"copies",
       "",
       {{"x.sum()", "torch.sin(torch.exp(x)).sum()"}},
       "torch.sin(torch.exp(x)).sum()"},
      {"gradients", "", {{"torch.exp", "torch.relu"}}, "torch.relu"},
      {"hoisting",
       "per call",
       {{"    mean = torch.tensor([0.485, 0.456, 0.406])\n    std = torch.tensor([0.229, 0.224, "
         "0.225])\n    return (x - mean.view(-1, 1, 1)) / std.view(-1, 1, 1)",
         "    return (x - 0.485) / 0.229"}},
       "(x - 0.485) / 0.229"},
      {"int8",
       "",
       {{"        self.fc3", "        self.more = nn.Linear(width, width)\n        self.fc3"},
        {hidden, hidden + "        x = F.relu(self.more(x))\n"}},
       "nn.Linear(width, width)"},
      {"launch-cost",
       "",
       {{"    x = x + 0.1\n    x = torch.sin(x)\n", "    x = torch.sin(x + 0.1)\n"}},
       "x = torch.sin(x + 0.1)"},
      {"many-devices",
       "",
       {{"self.second = nn.Linear(256, 256)", "self.second = nn.Linear(256, 1024)"},
        {"nn.Linear(256, 10)", "nn.Linear(1024, 10)"}},
       "nn.Linear(1024, 10)"},
      {"matrix-products", "", {{"F.linear(x, w, b)", "x"}}, "F.linear(x, w, b)"},
      {"memory-layout", "", {{"torch.relu", "torch.sin"}}, "torch.sin"},
      {"precision",
       "moves",
       {{"    return x", "    x = torch.sin(x)\n    return x"}},
       "x = torch.sin(x)"},
      {"queue",
       "",
       {{"    x = torch.relu(x)\n", "    x = x + x.sum() * 0\n    x = torch.relu(x)\n"}},
       "x = x + x.sum() * 0"},
      {"reading-a-trace",
       "",
       {{"    x = x + 0.1\n    x = torch.sin(x)\n    x = x * 1.1\n    x = torch.cos(x)\n", ""}}},
      {"row-fusion",
       "",
       {{"    m = x.amax(dim=1, keepdim=True)\n", ""},
        {"e = torch.exp(x - m)", "e = torch.exp(x)"}},
       "e = torch.exp(x)"},
      {"transposes",
       "moved",
       {{"x.t().contiguous()", "x.t().contiguous().t()"}},
       "x.t().contiguous().t()"},
      {"turning-point", "", {{"torch.sin", "torch.exp"}}, "torch.exp"},
      {"measuring", "one more", {{"x = torch.cos(x)", "x = x + 0.1"}}, "x = x + 0.1"},
      {"roofline", "8 ops", {{"range(8)", "range(64)"}}, "range(8)"},
      {"looking",
       ".item() every round",
       {{"x = x - x.mean().item()", "x = x - (x.mean().item() if i % 4 == 3 else x.mean())"}},
       "x = x - (x.mean().item() if i % 4 == 3 else x.mean())"},
      {"views",
       "permute, contiguous",
       {{"x.permute(0, 2, 3, 1).contiguous()", "x.permute(0, 2, 3, 1).contiguous().flatten(1)"}},
       "x.permute(0, 2, 3, 1).contiguous().flatten(1)"},
      {"views",
       "view",
       {{"x.view(-1, 12288)", "x.view(-1, 64, 64)[:, ::2]"}},
       "x.view(-1, 64, 64)[:, ::2]"},
      {"in-place", "add, in place", {{"x.add_(1)", "x[:16] += 1"}}, "x[:16] += 1"},
      {"in-place", "add, in place", {{"x.add_(1)", "x[x > 0] += 1"}}, "x[x > 0] += 1"},
      {"overlap", "", {{"    return x", "    x = torch.sin(x)\n    return x"}}},
      {"norms",
       "RMS norm",
       {{"F.rms_norm(x, (x.shape[-1],))", "x / x.abs().amax(-1, keepdim=True)"}},
       "x / x.abs().amax(-1, keepdim=True)"},
      {"strided-products", "product", {{"x @ y", "x[:8] @ y[:, :8]"}}, "x[:8] @ y[:, :8]"},
      {"saved-tensors", "", {{"    x = torch.relu(x)\n", ""}, {"    x = torch.sigmoid(x)\n", ""}}},
      {"saved-tensors", "", {{"torch.sin(x)", "x * x"}}, "x * x"},
      {"checkpointing", "", {{"torch.relu(x)", "x + 0.6"}}, "x + 0.6"},
      {"optimiser",
       "",
       {{"p1.sub_(0.1 * m1.mul_(0.9).add_(g1))",
         "p1.sub_(0.1 * m1.mul_(0.9).add_(g1 + 0.01 * p1))"}},
       "p1.sub_(0.1 * m1.mul_(0.9).add_(g1 + 0.01 * p1))"},
      {"mixed-precision", "", {{"256", "1024"}}, "1024"},
      {"in-place-layers",
       "matmul, relu in place",
       {{"return y.relu_()", "return torch.exp(y.relu_())"}},
       "return torch.exp(y.relu_())"},
      {"image-layouts",
       "convolution",
       {{"F.conv2d(x, w, b, padding=1)", "F.conv2d(x, w, b, padding=1).contiguous()"}},
       "F.conv2d(x, w, b, padding=1).contiguous()"},
      {"checkpointed-network",
       "checkpointed",
       {{"        x = checkpoint(self.block1, x, use_reentrant=False)\n", ""},
        {"checkpoint(self.block2, x, ", "checkpoint(lambda x: self.block2(self.block1(x)), x, "}},
       "checkpoint(lambda x: self.block2(self.block1(x)), x)"},
  };
  return kTasks;
}

std::string changeSection(const Lesson& lesson, const char* heading) {
  const std::size_t begin = lesson.source.find(heading);
  EXPECT_NE(begin, std::string::npos) << lesson.name;
  if (begin == std::string::npos) return {};
  const std::size_t end = lesson.source.find("\n## ", begin + 4);
  return lesson.source.substr(begin, end - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// A reader who follows a task finds the named code in the program, and can measure the changed
/// program.
TEST(Tasks, ThatChangeAProgramCanBeDoneWithTheLessonsOwn) {
  for (const Task& task : tasks()) {
    const Lesson lesson = findLesson(task.lesson);
    nlohmann::json file = jsonOf(toJson(lesson.experiment));
    ASSERT_TRUE(file.is_object()) << task.lesson;
    nlohmann::json& lines = *task.program ? file["programs"][task.program] : file["program"];
    std::string text;
    for (const auto& line : lines) text += line.get<std::string>() + "\n";
    for (const auto& [from, to] : task.edits) {
      ASSERT_THAT(text, HasSubstr(from)) << task.lesson << " names what its program does not have";
      text = replaced(text, from, to);
    }
    std::vector<std::string> changed;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      changed.push_back(text.substr(at, text.find('\n', at) - at));
    lines = changed;
    EXPECT_NO_THROW(parseExperiment(file.dump(), task.lesson)) << text;
    for (const char* language : {"en", "zh_CN"})
      EXPECT_THAT(shippedLesson(task.lesson, language).source, HasSubstr(task.said))
          << task.lesson << ", " << language;
  }
}

/// A new task is checked, too.
TEST(Tasks, OfEveryLessonThatSendsTheReaderToTheProgramAreChecked) {
  for (const std::string& name : shippedLessons()) {
    const std::string section = changeSection(shippedLesson(name, "en"), "## What to change");
    if (section.find("In **PyTorch**") == std::string::npos) continue;
    EXPECT_TRUE(std::any_of(tasks().begin(), tasks().end(),
                            [&](const Task& task) { return task.lesson == name; }))
        << name << " has a task that no test follows";
  }
}

}  // namespace
}  // namespace fusebench::course
