// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "profiler/catalogue/catalogue.h"
#include "profiler/course/handout.h"
#include "profiler/course/queue_picture.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/input_error.h"
#include "profiler/files/resources.h"

namespace fusebench::course {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kLessonExperiment = R"text(```experiment
{"fusebench": "experiment", "version": 1, "title": "A test",
 "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
 "inputs": [{"name": "one", "tensors": [{"name": "x", "extents": [4, 16]}]}],
 "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
 "baseline": "eager", "axes": [{"name": "statements", "values": [1, 2, 4, 8]}]
}
```
)text";

const std::string kLesson = kLessonExperiment + R"text(
# How much?

Some text.

```predict
ask: How long?
value: latency of eager at 8
unit: us
```

```run
```

```seen
```

```ask
ask: Who is ahead?
value: fastest at 8
choice: this one | = eager
choice: that one | = static
```

```ask
ask: By how much?
value: speed-up of static at 8
choice: not | .. 1
choice: somewhat | 1 .. 1.5
choice: a lot | 1.5 ..
```

```ask
ask: How many launches?
value: launches of eager at 8
within: 0
```
)text";

/// A run of the lesson's experiment: per statement, eager takes 1 us and static 0.5 us.
Run runOf(const Lesson& lesson) {
  Run run;
  run.experiment = lesson.experiment;
  run.startedAt = "2026-01-02T03:04:05Z";
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    const double statements = static_cast<double>(key.at[0]);
    cell.launches = LaunchCounts{key.at[0] + 1, statements + 1, key.at[0] + 1};
    for (int round = 0; round < 40; ++round) {
      Sample& sample = cell.samples.emplace_back();
      sample.round = round;
      sample.nanoseconds = (key.variant == 0 ? 1000 * statements : 500) + 0.1 * (round % 7);
    }
  }
  return run;
}

std::string messageOf(const std::string& text) {
  try {
    parseLesson(text, "my.fblesson");
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Course, ALessonIsTextWithPartsInTheirPlaces) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  EXPECT_EQ(lesson.title, "How much?");
  ASSERT_EQ(lesson.parts.size(), 7u);
  EXPECT_EQ(lesson.parts[0].kind, LessonPart::Kind::text);
  EXPECT_EQ(lesson.parts[1].kind, LessonPart::Kind::predict);
  EXPECT_EQ(lesson.parts[2].kind, LessonPart::Kind::run);
  EXPECT_EQ(lesson.predictions.at(0).unit.word, "µs");
  EXPECT_EQ(lesson.questions.size(), 3u);
  EXPECT_EQ(lesson.experiment.title, "A test");
}

TEST(Course, AGridShowsWhereElementsLie) {
  const std::string grid = "```grid\nlabel: x.t()\nextents: 2, 3\nstrides: 1, 2\noffset: 5\n```\n";
  const Lesson lesson =
      parseLesson(kLessonExperiment + "# T\nBefore.\n" + grid + "After.\n", "my.fblesson");
  ASSERT_EQ(lesson.parts.size(), 1u);
  EXPECT_THAT(
      lesson.parts[0].text,
      HasSubstr("Before.\n\nx.t() (strides 1, 2); each cell shows the offset "
                "in memory:\n\n| | [:, 0] | [:, 1] | [:, 2] |\n|---|---|---|---|\n| **[0]** | "
                "5 | 7 | 9 |\n| **[1]** | 6 | 8 | 10 |\n\nAfter."));
  const Lesson column = parseLesson(
      kLessonExperiment + "# T\n```grid\nlabel: v\nextents: 2\nstrides: 4\n```\n", "my.fblesson");
  EXPECT_THAT(column.parts[0].text, HasSubstr("| [0] | [1] |\n|---|---|\n| 0 | 4 |\n"));
}

TEST(Course, AQueueIsDrawnAsWhatItsModelDoes) {
  const QueuePicture dry = pictureOf({.launch = 20, .kernel = 6, .launches = 3, .depth = 0});
  EXPECT_EQ(dry.end, 66) << "the last kernel follows the last launch";
  EXPECT_EQ(dry.idle.size(), 3u);
  EXPECT_NEAR(dry.idleShare(), (66 - 18) / 66.0, 1e-12);
  EXPECT_TRUE(dry.waits.empty());
  const QueuePicture full = pictureOf({.launch = 10, .kernel = 50, .launches = 4, .depth = 2});
  EXPECT_EQ(full.end, 10 + 4 * 50) << "kernel follows kernel";
  ASSERT_EQ(full.waits.size(), 2u);
  EXPECT_EQ(full.waits[0].begin, 20);
  EXPECT_EQ(full.waits[0].end, 60) << "until the first kernel has ended";
  EXPECT_EQ(full.waits[1].end, 110);
  EXPECT_EQ(full.idle.size(), 1u) << "before the first one";
}

TEST(Course, AQueueInALessonIsAPictureAndASentence) {
  const Lesson lesson = parseLesson(
      kLessonExperiment +
          "# T\nBefore.\n```queue\nlabel: Dry\nlaunch: 20\nkernel: 6\nlaunches: 3\n```\nAfter.\n",
      "my.fblesson");
  ASSERT_EQ(lesson.parts.size(), 1u);
  const std::string& text = lesson.parts[0].text;
  EXPECT_THAT(text,
              HasSubstr("Dry\n\n![Launches and kernels over "
                        "time](queue:launch=20;kernel=6;launches=3;depth=0)\n\n*3 launches of 20 "
                        "µs, kernels of 6 µs: the device is idle for 73% of 66 µs.*\n\nAfter."));
  const auto model = queueOf("queue:launch=20;kernel=6;launches=3;depth=0");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->launch, 20);
  EXPECT_EQ(model->launches, 3);
  for (const char* other : {"image.png", "queue:", "queue:launch=20;kernel=6;launches=3;depth=0x",
                            "queue:launch=20;kernel=nan;launches=3;depth=0",
                            "queue:launch=20;kernel=6;launches=3000;depth=0"})
    EXPECT_FALSE(queueOf(other)) << other;
  const std::string plain = withPlainPictures("a ![x](y.png) " + text + " ![half");
  EXPECT_THAT(plain, HasSubstr("a ![x](y.png) "));
  EXPECT_THAT(plain, HasSubstr("```\nL------------------L"));
  EXPECT_THAT(plain, HasSubstr("\n...................K=====..............K")) << plain;
  EXPECT_THAT(plain, Not(HasSubstr("queue:")));
  EXPECT_THAT(plain, testing::EndsWith(" ![half"));
}

TEST(Course, PredictionsAreHeldAgainstTheReadersOwnData) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  const auto verdict = [&](const char* given) {
    answers.predictions[0].given = given;
    judge(answers, lesson, &facts);
    return verdictOf(lesson.predictions[0], answers.predictions[0]);
  };
  EXPECT_THAT(verdict("8"), StartsWith("You said 8 µs, which is right: 8"));
  EXPECT_THAT(verdict("7"), HasSubstr("near enough"));
  EXPECT_THAT(verdict("12"), HasSubstr("the right order of magnitude, off by a factor of 1.5"));
  EXPECT_THAT(verdict("40"), HasSubstr("too high by a factor of 5"));
  EXPECT_THAT(verdict("0,8"), HasSubstr("too low by a factor of 10"));
  EXPECT_EQ(verdict(""), "");
}

TEST(Course, QuestionsAreCheckedByTheData) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  answers.predictions[0].given = "1";
  answers.questions[0].given = "that one";
  answers.questions[1].given = "somewhat";
  answers.questions[2].given = "9";
  judge(answers, lesson, nullptr);
  EXPECT_FALSE(answers.done());
  judge(answers, lesson, &facts);
  EXPECT_EQ(answers.questions[0].right, true);
  EXPECT_EQ(answers.questions[1].right, false);
  EXPECT_EQ(answers.questions[1].seen, "16 (16 to 16) times") << "with the unit of what is asked";
  EXPECT_EQ(answers.questions[2].right, true);
  EXPECT_EQ(answers.right(), 2);
  EXPECT_TRUE(answers.done());
}

/// A run in which static differs from eager by `share`, and from round to round by far more.
Run unsettledRunOf(const Lesson& lesson, double share) {
  auto run = runOf(lesson);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) {
      const int noise = sample.round * (cell.key.variant == 0 ? 7 : 3) % 11;
      sample.nanoseconds = (cell.key.variant == 0 ? 1 : 1 - share) * (1000 + 10 * noise);
    }
  return run;
}

TEST(Course, AnswersThatTheDataDoNotRuleOutArePossible) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = unsettledRunOf(lesson, 0.01);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  const auto judgement = [&](std::size_t question, const char* given) {
    answers.questions[question].given = given;
    judge(answers, lesson, &facts);
    return judgementOf(answers.questions[question]);
  };
  EXPECT_EQ(judgement(0, "that one"), "Right: static (within noise of it: eager).");
  EXPECT_EQ(judgement(0, "this one"),
            "Not ruled out: the data show static (within noise of it: eager).");
  EXPECT_THAT(judgement(1, "not"), StartsWith("Not ruled out: the data show 1"));
  EXPECT_THAT(judgement(1, "somewhat"), StartsWith("Right: 1"));
  EXPECT_THAT(judgement(1, "a lot"), StartsWith("No; the data show: 1"));
  EXPECT_EQ(judgement(1, ""), "");
  judgement(1, "not");
  EXPECT_EQ(conclusionOf(lesson.questions[1], answers.questions[1], "cpu"),
            "Measured on cpu: somewhat. Within noise, it could also be: not.");
  EXPECT_EQ(conclusionOf(lesson.questions[0], answers.questions[0], "cpu"),
            "Measured on cpu: that one. Within noise, it could also be: this one.");
  EXPECT_TRUE(parseAnswers(toJson(answers), "a.json").questions[1].possible);
  setLanguage("zh_CN");
  EXPECT_THAT(judgement(1, "somewhat"), HasSubstr("）倍")) << "no space beside a Chinese mark";
  setLanguage("en");
  const auto settled = unsettledRunOf(lesson, 0.3);
  EXPECT_TRUE(measure(lesson.questions[0].value, factsOf(settled)).alike.empty());
  const Facts sure = factsOf(settled);
  judge(answers, lesson, &sure);
  EXPECT_EQ(conclusionOf(lesson.questions[0], answers.questions[0], "cpu"),
            "Measured on cpu: that one.");
}

TEST(Course, ANewAnswerIsJudgedByTheFiguresThatWereKept) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  answers.questions[0].given = "this one";
  judge(answers, lesson, &facts);
  EXPECT_EQ(answers.questions[0].right, false);
  answers = parseAnswers(toJson(answers), "a.json");
  answers.questions[0].given = "that one";
  judgeByKept(answers, lesson);
  EXPECT_EQ(answers.questions[0].right, true);
  EXPECT_EQ(judgementOf(answers.questions[0]), "Right: static.");
  EXPECT_NE(answers.device + answers.startedAt, "");
}

TEST(Course, AGrowthWithoutAnIntervalSaysWhatIsMissing) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  auto run = runOf(lesson);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) {
      sample.session = sample.round / 10;
      if (sample.session == 3) sample.nanoseconds *= 1000;  // sessions that differ this much
    }
  const Measured measured = measure(parseQuantity("growth of eager"), factsOf(run));
  EXPECT_EQ(measured.estimate.kind, Estimate::Kind::none);
  EXPECT_EQ(measured.missing, "too few samples there");
}

TEST(Course, EachLaunchThatIsSparedSavesItsShare) {
  const std::string text = kLessonExperiment +
                           "# T\n```predict\nask: a\nvalue: saving per launch of static at 8\n"
                           "unit: ns\n```\n```predict\nask: b\n"
                           "value: saving per launch of eager over static at 8\n```\n";
  const Lesson lesson = parseLesson(text, "my.fblesson");
  auto run = runOf(lesson);
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.launches = LaunchCounts{1, 1, 1};
  const Facts facts = factsOf(run);
  EXPECT_NEAR(measure(lesson.predictions[0].value, facts).estimate.value, (8000 - 500) / 8., 0.1);
  EXPECT_EQ(measure(lesson.predictions[1].value, facts).missing, "eager saves no launches there");
}

TEST(Course, WhatIsNotMeasuredIsSaidAndNotJudged) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  auto run = runOf(lesson);
  for (Cell& cell : run.cells) cell.samples.clear();
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  answers.questions[1].given = "a lot";
  judge(answers, lesson, &facts);
  EXPECT_FALSE(answers.questions[1].right.has_value());
  EXPECT_THAT(answers.questions[1].seen, testing::EndsWith("is not measured there"));
  run.quick = true;
  for (Cell& cell : run.cells) cell.stop = Stop::budget;
  judge(answers, lesson, &facts);
  EXPECT_THAT(answers.questions[1].seen,
              HasSubstr("is not measured there: a quick run leaves points out; measure without"));
}

TEST(Course, ACrossingMayBeAWord) {
  const std::string text =
      kLessonExperiment +
      "# T\n```predict\nask: From where on?\nvalue: break-even of static\n```\n";
  const Lesson lesson = parseLesson(text, "my.fblesson");
  auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  answers.predictions[0].given = "always";
  judge(answers, lesson, &facts);
  EXPECT_EQ(answers.predictions[0].seen, "always");
  EXPECT_EQ(answers.predictions[0].right, true);
  const auto verdict = [&](const char* given, const Facts& about) {
    answers.predictions[0].given = given;
    judge(answers, lesson, &about);
    return verdictOf(lesson.predictions[0], answers.predictions[0]);
  };
  EXPECT_THAT(verdict("5", facts), StartsWith("You said 5. In this run static is always faster: at "
                                              "every point measured. To see why,"));
  auto other = runOf(lesson);
  for (Cell& cell : other.cells)
    for (Sample& sample : cell.samples)
      if (cell.key.variant == 1) sample.nanoseconds += 10'000;
  EXPECT_THAT(verdict("5", factsOf(other)),
              StartsWith("You said 5. In this run static is never faster: at no point measured."));
  for (Cell& cell : other.cells)
    if (cell.key.variant == 1 && cell.key.at[0] > 2)
      for (Sample& sample : cell.samples) sample.nanoseconds -= 10'000;
  EXPECT_THAT(verdict("always", factsOf(other)), StartsWith("You said always. In this run it is "));
  for (Cell& cell : other.cells) cell.samples.clear();
  EXPECT_THAT(verdict("5", factsOf(other)), StartsWith("You said 5. This run has no answer: "));
}

TEST(Course, MemoryCompilesAndErrorsCanBeAskedFor) {
  const std::string text =
      kLessonExperiment +
      "# T\n```predict\nask: a\nvalue: memory share of static at 8\n```\n"
      "```predict\nask: b\nvalue: memory share of eager over static at 8\n```\n"
      "```predict\nask: c\nvalue: compile of static at 8\nunit: us\n```\n"
      "```predict\nask: d\nvalue: error of static at 8\n```\n"
      "```predict\nask: e\nvalue: launches of static at 1\nunit: launches\n```\n";
  const Lesson lesson = parseLesson(text, "my.fblesson");
  auto run = runOf(lesson);
  for (Cell& cell : run.cells) {
    cell.peakBytes = cell.key.variant == 0 ? 1000 : 250;
    cell.relativeError = 2e-7;
    cell.launches = LaunchCounts{1, 1, 1};
    for (const int compiler : {1000, 9000, 3000})
      cell.firstCompiles.emplace_back().compiler = compiler;
  }
  const auto seen = [&] {
    const Facts facts = factsOf(run);
    Answers answers = blankAnswers(lesson);
    judge(answers, lesson, &facts);
    std::vector<std::string> all;
    for (const GivenAnswer& given : answers.predictions) all.push_back(given.seen);
    return all;
  };
  EXPECT_THAT(seen(), testing::ElementsAre("0.25", "4", "3 µs", "2e-07", "1 launch"));
  for (Cell& cell : run.cells) {
    cell.peakBytes.reset();
    cell.relativeError.reset();
    cell.firstCompiles.clear();
    cell.launches.reset();
  }
  EXPECT_THAT(seen(), testing::Each(HasSubstr("it is not counted there")));
}

TEST(Course, AnswersAreKeptAndCollected) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  answers.who = "Ada, L.";
  answers.predictions[0].given = "4";
  answers.questions[0].given = "that one";
  judge(answers, lesson, &facts);
  const Answers read = parseAnswers(toJson(answers), "ada.json");
  EXPECT_EQ(read.who, answers.who);
  EXPECT_EQ(read.predictions[0].factor, answers.predictions[0].factor);
  EXPECT_EQ(toJson(read), toJson(answers));
  EXPECT_THAT(collectedTable({read}), HasSubstr("\"Ada, L.\",,cpu,1,3,2\n"));
  EXPECT_THROW(parseAnswers("{\"fusebench\": \"run\"}", "x.json"), InputError);
}

/// A run of an experiment without equal values: each variant is faster than the one before and has
/// one launch less, and each point has one launch more than the point before.
Run fullRunOf(const Experiment& experiment) {
  Run run;
  run.experiment = experiment;
  for (const CellKey& key : cells(experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    const auto& places = experiment.axes[0].values;
    const auto place = std::ranges::find(places, key.at[0]) - places.begin() + 1;
    const auto variants = static_cast<std::int64_t>(experiment.variants.size());
    const std::int64_t launches = place + variants - key.variant;
    cell.launches = LaunchCounts{launches, static_cast<double>(launches), launches};
    const Variant& variant = experiment.variants[static_cast<std::size_t>(key.variant)];
    if (!runsInTorch(variant.executor)) cell.peakBytes = 1000 * place / (key.variant + 1);
    cell.relativeError = 1e-7;
    for (int repeat = 0; repeat < 5; ++repeat)
      cell.firstCompiles.emplace_back().compiler = 1000 * (key.variant + 1) + repeat;
    for (int round = 0; round < 40; ++round) {
      Sample& sample = cell.samples.emplace_back();
      sample.round = round;
      sample.nanoseconds =
          1000. * static_cast<double>(place) / (key.variant + 1) + 0.1 * (round % 7);
    }
  }
  return run;
}

/// English for the length of a test, whatever it has read.
struct InChinese {
  InChinese() { setLanguage("zh_CN"); }
  ~InChinese() { setLanguage("en"); }
};

TEST(Course, AnswersKeepWhatWasChosenAndSeenInAnotherLanguage) {
  const std::string name = "turning-point";
  const Lesson english = findLesson(name);
  const auto run = fullRunOf(english.experiment);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(english);
  answers.who = "Ada";
  for (GivenAnswer& prediction : answers.predictions) prediction.given = "2.5";
  for (std::size_t i = 0; i < answers.questions.size(); ++i)
    answers.questions[i].given = english.questions[i].choices.at(0).text;
  judge(answers, english, &facts);
  const Answers kept = parseAnswers(toJson(answers), "kept.json");

  const InChinese chinese;
  const Lesson lesson = findLesson(name);
  ASSERT_NE(lesson.title, english.title);
  const Answers read = inTheWordsOf(lesson, kept);
  EXPECT_EQ(read.title, lesson.title);
  EXPECT_EQ(read.who, "Ada");
  EXPECT_EQ(read.startedAt, run.startedAt);
  Answers anew = blankAnswers(lesson);
  anew.who = "Ada";
  for (GivenAnswer& prediction : anew.predictions) prediction.given = "2.5";
  for (std::size_t i = 0; i < anew.questions.size(); ++i)
    anew.questions[i].given = lesson.questions[i].choices.at(0).text;
  judge(anew, lesson, &facts);
  EXPECT_EQ(toJson(read), toJson(anew)) << "as if they had been given and judged in Chinese";
}

TEST(Course, AnswersThatWereKeptBeforeFiguresWereStayAsTheyWere) {
  const Lesson english = findLesson("turning-point");
  Answers answers = blankAnswers(english);
  answers.questions[0].given = english.questions[0].choices.at(1).text;
  answers.questions[0].seen = "3.1 (3 to 3.2)";
  answers.questions[0].right = true;
  answers.startedAt = "2026-01-02T03:04:05Z";
  const InChinese chinese;
  const Lesson lesson = findLesson("turning-point");
  const Answers read = inTheWordsOf(lesson, answers);
  EXPECT_EQ(read.questions[0].given, lesson.questions[0].choices.at(1).text);
  EXPECT_EQ(read.questions[0].right, true);
  EXPECT_EQ(read.questions[0].seen, "3.1 (3 to 3.2)");
}

TEST(Course, AWordThatWasPredictedIsOneInEveryLanguage) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  Answers answers = blankAnswers(lesson);
  answers.predictions[0].given = "never";
  {
    const InChinese chinese;
    answers = inTheWordsOf(lesson, answers);
    EXPECT_NE(answers.predictions[0].given, "never");
    EXPECT_TRUE(isPrediction(answers.predictions[0].given));
  }
  EXPECT_TRUE(isPrediction(answers.predictions[0].given));
  EXPECT_EQ(inTheWordsOf(lesson, answers).predictions[0].given, "never");
}

TEST(Course, AGapIsHowFarTwoAreApartOverHowFarTwoOthersAre) {
  Lesson lesson = parseLesson(kLesson, "my.fblesson");
  Experiment& experiment = lesson.experiment;
  for (const char* name : {"eager on two", "static on two"}) {
    experiment.variants.push_back(experiment.variants[experiment.variants.size() % 2]);
    experiment.variants.back().name = name;
  }
  experiment.variants[3].against = "eager on two";
  auto run = runOf(lesson);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) {
      const double times[] = {1000, 800, 600, 400};
      sample.nanoseconds = times[cell.key.variant] + 0.01 * (sample.round % 7);
    }
  const Facts facts = factsOf(run);
  const Quantity quantity = parseQuantity("gap of static on two over static at 8");
  EXPECT_EQ(problemOf(quantity, experiment), "");
  EXPECT_NEAR(measure(quantity, facts).estimate.value, 1.5 / 1.25, 1e-3);
  EXPECT_NEAR(measure(parseQuantity("gap of static over static on two at 8"), facts).estimate.value,
              1.25 / 1.5, 1e-3);
  EXPECT_THAT(problemOf(parseQuantity("gap of static at 8"), experiment),
              HasSubstr("over VARIANT"));
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.samples = run.find({0, cell.key.at})->samples;
  EXPECT_THAT(measure(quantity, factsOf(run)).missing, HasSubstr("within noise of"));
}

TEST(Course, MistakesInALessonAreNamedWithTheirLine) {
  EXPECT_THAT(messageOf("text"), HasSubstr("a lesson must begin with a heading"));
  EXPECT_THAT(messageOf("# T\n"), HasSubstr("a lesson needs an experiment"));
  EXPECT_THAT(messageOf("# T\n```predict\nask: x\n"),
              StartsWith("my.fblesson:2: the block \"predict\""));
  const std::string head = kLessonExperiment + "# T\n";
  const auto with = [&](const std::string& block) { return messageOf(head + block); };
  EXPECT_THAT(with("```predict\nask: x\nvalue: speed of eager at 8\n```\n"),
              HasSubstr("my.fblesson:11: \"speed of eager at 8\" is not a known metric"));
  EXPECT_THAT(with("```predict\nask: x\nvalue: latency of eger at 8\n```\n"),
              HasSubstr("no variant \"eger\""));
  EXPECT_THAT(with("```predict\nask: x\nvalue: latency of eager at 7\n```\n"),
              HasSubstr("the axis statements has no value 7"));
  EXPECT_THAT(with("```predict\nask: x\nvalue: latency of eager at 8\nunit: h\n```\n"),
              HasSubstr("there is no unit \"h\""));
  EXPECT_THAT(with("```ask\nask: x\nvalue: fastest at 8\n```\n"),
              HasSubstr("add \"choice\" lines"));
  EXPECT_THAT(with("```ask\nask: x\nvalue: fastest at 8\nchoice: eager\n```\n"),
              HasSubstr("does not state when it is right"));
  for (const char* lines : {"", "extents: 13\nstrides: 1\n", "extents: 2, 2\nstrides: 1\n",
                            "extents: 0\nstrides: 1\n", "extents: 2, 2, 2\nstrides: 4, 2, 1\n"})
    EXPECT_THAT(with(std::string("```grid\n") + lines + "```\n"),
                HasSubstr("a grid has one or two extents from 1 to 12 and as many strides"));
  EXPECT_THAT(with("```grid\nextents: two\n```\n"),
              HasSubstr("extents: \"two\" must be a whole number from 0 to 9999"));
  EXPECT_THAT(with("```queue\nlaunch: long\n```\n"),
              HasSubstr("launch: \"long\" is no time in microseconds from 0.01 to 10000"));
  EXPECT_THAT(with("```queue\nkernel: 0\n```\n"), HasSubstr("kernel: \"0\" is no time"));
  EXPECT_THAT(with("```queue\nlaunches: 25\n```\n"),
              HasSubstr("launches: \"25\" must be a whole number from 1 to 24"));
  EXPECT_THAT(with("```ask\nwhat: x\n```\n"), HasSubstr("is not a line of a block \"ask\""));
}

TEST(Course, AHandoutHasRoomForWhatIsAsked) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const std::string text = handout(lesson);
  EXPECT_THAT(text, HasSubstr("Some text."));
  EXPECT_THAT(text, HasSubstr("…… µs"));
  EXPECT_THAT(text, HasSubstr("\n- [ ] this one\n"));
  EXPECT_THAT(text, HasSubstr("torch.sin(x)"));
}

TEST(Course, AHandoutNamesEachProgramAndHowToMeasureThem) {
  const std::string text = handout(findLesson("in-place"));
  EXPECT_THAT(text, HasSubstr("**add, in place**\n\n```python\ndef program(x):\n    x.add_(1)"));
  EXPECT_THAT(text, HasSubstr("- **normalise, fused**: static (normalise)"));
  EXPECT_THAT(text, HasSubstr("*rows*: 16, 64, 256, 1024, 4096"));
  EXPECT_THAT(text, HasSubstr("fusebench-cli run inplace_memory --quick --out run.jsonl"));
  EXPECT_THAT(handout(findLesson("copies")), HasSubstr(" --quick --device sim:h100 --out"));
  const std::string own = handout(findLesson("aliasing"));
  EXPECT_THAT(own, HasSubstr("fusebench-cli lesson aliasing --experiment aliasing.json\n"
                             "fusebench-cli run aliasing.json --quick"));
}

TEST(Course, ALessonIsHandedOnAsOneFileWithItsExperimentInside) {
  const Lesson shipped = findLesson("launch-cost");
  ASSERT_EQ(shipped.shippedExperiment, "launches_and_graphs");
  const Lesson alone = parseLesson(asOneFile(shipped), "alone.fblesson");
  EXPECT_EQ(alone.shippedExperiment, "") << "it needs none that ships";
  EXPECT_EQ(toJson(alone.experiment), toJson(shipped.experiment));
  EXPECT_EQ(alone.title, shipped.title);
  EXPECT_EQ(alone.parts.size(), shipped.parts.size());
  EXPECT_EQ(asOneFile(alone), alone.source);
  EXPECT_EQ(asOneFile(parseLesson(kLesson, "my.fblesson")), kLesson);
}

TEST(Course, ATeachersHandoutSaysWhatTheRunDoes) {
  const Lesson lesson = parseLesson(kLesson, "my.fblesson");
  const auto run = runOf(lesson);
  const Facts facts = factsOf(run);
  Answers answers = blankAnswers(lesson);
  judge(answers, lesson, &facts);
  EXPECT_THAT(handout(lesson, &answers), Not(HasSubstr("Measured: ")));
  const std::string text = handout(lesson, &answers, &facts);
  EXPECT_THAT(text, HasSubstr("…… µs\n\nMeasured: 8"));
  EXPECT_THAT(text, HasSubstr("Right: that one."));
  EXPECT_THAT(text, HasSubstr("Measured: 9 launches."));
}

TEST(Course, ARunSettlesWhatAShippedLessonAsks) {
  for (const std::string& name : shippedLessons()) {
    const Lesson lesson = findLesson(name);
    const auto run = fullRunOf(lesson.experiment);
    const Facts facts = factsOf(run);
    for (const Prediction& prediction : lesson.predictions)
      EXPECT_EQ(measure(prediction.value, facts).missing, "") << name << ": " << prediction.ask;
    for (const Question& question : lesson.questions) {
      EXPECT_EQ(measure(question.value, facts).missing, "") << name << ": " << question.ask;
      if (question.choices.empty()) continue;
      EXPECT_TRUE(rightChoice(question, facts)) << name << ": " << question.ask;
    }
  }
}

/// Ranges that leave no gap and share no figure; words that the value can be.
TEST(Course, ChoicesOfShippedLessonsHaveOneRightOneWhateverIsMeasured) {
  for (const std::string& name : shippedLessons()) {
    const Lesson lesson = findLesson(name);
    for (const Question& question : lesson.questions) {
      SCOPED_TRACE(name + ": " + question.ask);
      constexpr double kNone = 1e300;
      std::vector<std::pair<double, double>> ranges;
      std::set<std::string> words;
      for (const Choice& choice : question.choices) {
        if (!choice.word.empty())
          words.insert(choice.word);
        else
          ranges.emplace_back(choice.low.value_or(-kNone), choice.high.value_or(kNone));
      }
      std::ranges::sort(ranges);
      for (std::size_t r = 1; r < ranges.size(); ++r)
        EXPECT_EQ(ranges[r - 1].second, ranges[r].first);
      if (!ranges.empty()) {
        EXPECT_EQ(ranges.front().first, -kNone);
        EXPECT_EQ(ranges.back().second, kNone);
      }
      if (!question.value.isName()) continue;
      for (const std::string& word : words)
        EXPECT_TRUE(std::ranges::any_of(lesson.experiment.variants, [&](const Variant& variant) {
          return variant.name == word;
        })) << word;
    }
  }
}

/// A variant without its runner: "PyTorch, moved" becomes "moved", "per call, eager" "per call",
/// "torch-static" "static".
std::string doneBy(std::string variant) {
  if (variant == "torch") return "eager";
  if (variant.starts_with("torch-")) return variant.substr(6);
  for (const std::string_view who : {"PyTorch: ", "PyTorch, ", ", PyTorch", "eager, ", ", eager"})
    if (const std::size_t at = variant.find(who); at != std::string::npos)
      variant.erase(at, who.size());
  return variant;
}

/// What was published is for the reader to check: what a shipped experiment claims of two variants
/// is in what a lesson measures.
TEST(Course, LessonsMeasureEachClaimOfTheExperimentsThatShip) {
  using What = std::tuple<std::string, std::string, Claim::Metric, double>;
  const auto what = [](const Claim& claim) {
    return What{doneBy(claim.variant), doneBy(claim.against), claim.metric, claim.ratio};
  };
  std::set<What> measured;
  for (const std::string& name : shippedLessons())
    for (const Claim& claim : findLesson(name).experiment.claims) measured.insert(what(claim));
  std::size_t claims = 0;
  for (const std::string& name : shippedExperiments())
    for (const Claim& claim :
         parseExperiment(resourceText("experiments/" + name + ".json"), name).claims) {
      ++claims;
      EXPECT_TRUE(measured.contains(what(claim))) << name << ": " << claim.text;
    }
  EXPECT_GE(claims, 40u);
}

/// The same questions of the same data, so that a class may read either.
TEST(Course, ShippedLessonsAskTheSameInEveryLanguage) {
  ASSERT_GE(shippedLessons().size(), 31u);
  for (const std::string& name : shippedLessons()) {
    SCOPED_TRACE(name);
    setLanguage("en");
    const Lesson english = findLesson(name);
    setLanguage("zh_CN");
    const Lesson chinese = findLesson(name);
    setLanguage("en");
    EXPECT_NE(english.title, chinese.title);
    EXPECT_EQ(english.questions.size(), 3u);
    EXPECT_GE(english.predictions.size(), 2u);
    ASSERT_EQ(english.predictions.size(), chinese.predictions.size());
    ASSERT_EQ(english.questions.size(), chinese.questions.size());
    ASSERT_EQ(english.parts.size(), chinese.parts.size());
    for (std::size_t i = 0; i < english.questions.size(); ++i) {
      ASSERT_EQ(english.questions[i].choices.size(), chinese.questions[i].choices.size());
      EXPECT_EQ(english.questions[i].value.variant, chinese.questions[i].value.variant);
      EXPECT_EQ(english.questions[i].value.at, chinese.questions[i].value.at);
      for (std::size_t c = 0; c < english.questions[i].choices.size(); ++c) {
        EXPECT_EQ(english.questions[i].choices[c].low, chinese.questions[i].choices[c].low);
        EXPECT_EQ(english.questions[i].choices[c].word, chinese.questions[i].choices[c].word);
      }
    }
    EXPECT_EQ(english.experiment.variants.size(), chinese.experiment.variants.size());
  }
}

}  // namespace
}  // namespace fusebench::course
