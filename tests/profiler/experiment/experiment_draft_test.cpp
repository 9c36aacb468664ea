// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/work_limit.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/experiment_parameters.h"
#include "profiler/files/resources.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// "path: message" of each problem.
std::vector<std::string> problemLines(const Experiment& experiment) {
  std::vector<std::string> lines;
  for (const ExperimentProblem& problem : problemsOf(experiment))
    lines.push_back(problem.path + ": " + problem.message);
  return lines;
}

TEST(Drafts, WithAWrongProgramAreSavedAndOpenedAgain) {
  Experiment draft = smallExperiment();
  draft.programText = "def program(x):\n    x = torch.sinn(x)\n    y = = 3\n";
  draft.program = {};
  const std::string text = toJson(draft);
  const Experiment again = parseDraft(text, "draft.json");
  EXPECT_EQ(again.programText, draft.programText);
  EXPECT_EQ(toJson(again), text);
  EXPECT_THROW(parseExperiment(text, "draft.json"), InputError);
}

TEST(Drafts, WithManyInputsAreCheckedInTime) {
  Experiment draft = smallExperiment();
  draft.program.inputs.clear();
  for (int i = 0; i < 40'000; ++i) draft.program.inputs.push_back("a" + std::to_string(i));
  const WorkLimit limit;
  EXPECT_THAT(problemLines(draft), testing::Contains(HasSubstr("input \"a39999\" has no tensor")));
  EXPECT_EQ(WorkLimit::state(), WorkLimit::State::going);
}

TEST(Drafts, KeepEverySettingThatDoesNotFit) {
  Experiment draft = smallExperiment();
  draft.title = "";
  draft.baseline = "nobody";
  draft.variants[0].executor = "";
  draft.variants[1].name = draft.variants[0].name;
  draft.variants[1].inputs = "gone";
  draft.variants[1].threads = -4;
  draft.variants[1].series = 9;
  draft.inputSets[0].count = 0;
  draft.inputSets[0].inputs[0].extents = {"i %", "batch", "1", "2", "3", "4", "5", "6", "7"};
  draft.inputSets[0].inputs[0].fill = "sand";
  draft.inputSets[0].inputs[0].layout = "upside down";
  draft.axes[0].values = {3, 3, -1};
  draft.axes.push_back({"batch", "", {}});
  draft.axes.push_back({"", "m", {1}});
  draft.measure.precision = 0;
  draft.measure.minimumSamples = 1'000'000;
  const std::string text = toJson(draft);
  EXPECT_EQ(toJson(parseDraft(text, "draft.json")), text);
  draft.variants.clear();
  draft.inputSets.clear();
  draft.axes.clear();
  EXPECT_EQ(toJson(parseDraft(toJson(draft), "draft.json")), toJson(draft));
}

TEST(Drafts, AreRefusedWhereTheFormIsWrong) {
  const auto refused = [](std::string_view find, std::string_view put) {
    std::string text = smallExperimentText();
    text.replace(text.find(find), find.size(), put);
    try {
      parseDraft(text, "draft.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused("\"title\"", "\"titel\""), HasSubstr("titel: this key is unknown"));
  EXPECT_THAT(refused("\"count\": 3", "\"count\": \"3\""), HasSubstr("found a string"));
  EXPECT_THAT(refused("\"count\": 3", "\"count\": 3000000000"), HasSubstr("is out of range"));
  EXPECT_THAT(refused("[1, 2, 3]", "[1.5]"), HasSubstr("found a number; a whole number"));
  EXPECT_THAT(refused("\n}\n", ""), HasSubstr("this is not JSON"));
  EXPECT_THAT(refused("\"title\"", "\"note\""), HasSubstr("the key \"title\" is missing"));
}

TEST(Problems, OfARightExperimentAreNone) {
  EXPECT_THAT(problemLines(smallExperiment()), IsEmpty());
  for (const std::string& name : shippedExperiments())
    EXPECT_THAT(problemLines(parseExperiment(resourceText("experiments/" + name + ".json"), name)),
                IsEmpty())
        << name;
}

TEST(Problems, AreAllFoundNotOnlyTheFirst) {
  Experiment draft = smallExperiment();
  draft.variants[1].executor = "statik";
  draft.inputSets[0].count = 0;
  draft.baseline = "eagre";
  draft.measure.precision = 2;
  EXPECT_THAT(problemLines(draft),
              ElementsAre("/inputs/0/count: 0 is out of range; give a whole number from 1 to "
                          "100000",
                          "/measure/precision: 2 is out of range; give a number from 0.0001 to "
                          "1",
                          "/variants/1/executor: there is no executor \"statik\"; did you mean "
                          "\"static\"?",
                          "/baseline: there is no variant \"eagre\"; did you mean \"eager\"?"));
}

TEST(Problems, OfShapesBlameTheVariant) {
  Experiment draft = smallExperiment();
  draft.inputSets[0].inputs[0].extents = {"i"};
  draft.programText = "def program(x):\n    x = x.amax(dim=1)\n    return x.sum()";
  draft.program = parseDraft(toJson(draft), "draft").program;
  EXPECT_THAT(problemLines(draft),
              testing::Each(testing::AnyOf(StartsWith("/variants/0: the program does not fit"),
                                           StartsWith("/variants/1: the program does not fit"))));
  EXPECT_EQ(problemLines(draft).size(), 2u);
}

TEST(Problems, AreEmptyExactlyWhenStrictReadingSucceeds) {
  const auto agree = [](const char* what, const std::function<void(Experiment&)>& change) {
    Experiment draft = smallExperiment();
    change(draft);
    const auto problems = problemLines(draft);
    std::string strict;
    try {
      parseExperiment(toJson(draft), "f");
    } catch (const InputError& error) {
      strict = error.what();
    }
    EXPECT_EQ(problems.empty(), strict.empty()) << what << ": " << strict;
    if (!problems.empty()) {
      const std::string& first = problems.front();
      EXPECT_THAT(strict, HasSubstr(first.substr(first.find(": ") + 2))) << what;
    }
  };
  agree("nothing", [](Experiment&) {});
  agree("title", [](Experiment& e) { e.title.clear(); });
  agree("name", [](Experiment& e) { e.variants[0].name = "a\nb"; });
  agree("set", [](Experiment& e) { e.inputSets[0].name = ""; });
  agree("series", [](Experiment& e) { e.variants[0].series = 7; });
  agree("series fits", [](Experiment& e) { e.variants[0].series = 6; });
  agree("recompiles", [](Experiment& e) { e.variants[0].options.recompileLimit = 0; });
  agree("no axis", [](Experiment& e) { e.axes.clear(); });
  agree("no values", [](Experiment& e) { e.axes[0].values.clear(); });
  agree("three axes", [](Experiment& e) { e.axes.resize(3, e.axes[0]); });
  agree("order", [](Experiment& e) { e.axes[0].values = {2, 2}; });
  agree("zero", [](Experiment& e) { e.axes[0].values = {0, 2}; });
  agree("cycles", [](Experiment& e) { e.axes[0].values = {1, 9'999}; });
  agree("too long", [](Experiment& e) { e.axes[0].values = {1, 1'000'000'000}; });
  agree("layout", [](Experiment& e) { e.inputSets[0].inputs[0].layout = "strided"; });
  agree("tensor", [](Experiment& e) { e.inputSets[0].inputs[0].name = "q"; });
  agree("samples", [](Experiment& e) { e.measure.maximumSamples = 30; });
  agree("repeats", [](Experiment& e) { e.measure.compileRepeats = -1; });
  agree("budget", [](Experiment& e) { e.measure.budgetSeconds = 0.05; });
  agree("seed", [](Experiment& e) { e.measure.seed = ~std::uint64_t{0}; });
}

TEST(Series, AreWrittenUnlessTheyAreByPosition) {
  Experiment experiment = smallExperiment();
  EXPECT_THAT(toJson(experiment), testing::Not(HasSubstr("series")));
  experiment.variants[1].series = 4;
  EXPECT_THAT(toJson(experiment), HasSubstr("\"series\": 4"));
  EXPECT_EQ(parseExperiment(toJson(experiment), "f").variants[1].series, 4);
}

constexpr const char* kParameters =
    "def program(x, k=2, *, low: float = -0.5, name='a', w=None, t=(1, 2)):\n"
    "    x = x * k\n"
    "    return torch.clamp(x, min=low).sum()";

TEST(HeaderParameters, AreTheNumbersOfTheHeader) {
  EXPECT_THAT(numberParameters(kParameters), ElementsAre("k", "low"));
  EXPECT_THAT(numberParameters("x = x + 1\nreturn x"), IsEmpty());
  EXPECT_THAT(numberParameters("def f(x, k=1, (("), IsEmpty());
  EXPECT_THAT(withParameter(kParameters, "low", 7), HasSubstr("low: float = 7, name='a'"));
  EXPECT_EQ(withParameter(kParameters, "none", 7), kParameters);
}

TEST(HeaderParameters, CanBeSwept) {
  Experiment experiment = smallExperiment();
  experiment.programText =
      "def program(x, dim=0):\n    x = x + 1\n    x = "
      "torch.amax(x, dim=dim)\n    return x";
  experiment.program = parseDraft(toJson(experiment), "f").program;
  experiment.axes = {{"dim", "", {0, 1}}};
  EXPECT_THAT(problemLines(experiment), IsEmpty());
  EXPECT_EQ(programAt(experiment, CellKey{0, {0}}).ops[1].dims, std::vector<int>{0});
  EXPECT_EQ(programAt(experiment, CellKey{0, {1}}).ops[1].dims, std::vector<int>{1});
  experiment.axes[0].values = {0, 1, 2};
  EXPECT_THAT(problemLines(experiment),
              testing::Contains(StartsWith("/variants/0: the program does not fit the inputs")));
}

TEST(HeaderParameters, CombineWithStatements) {
  Experiment experiment = smallExperiment();
  experiment.programText = "def program(x, k=2):\n    x = x * k\n    x = x + k\n    return x.sum()";
  experiment.program = parseDraft(toJson(experiment), "f").program;
  experiment.axes = {{"k", "", {3, 5}}, {"statements", "", {1, 4}}};
  EXPECT_THAT(problemLines(experiment), IsEmpty());
  const Program program = programAt(experiment, CellKey{0, {5, 4}});
  EXPECT_EQ(program.ops.size(), 5u);
  EXPECT_EQ(program.ops[3].operands[1].number, 5);
}

TEST(HeaderParameters, ThatAnOpRefusesAreProblemsOfTheAxis) {
  Experiment experiment = smallExperiment();
  experiment.programText =
      "def program(x, k=1):\n    x = torch.celu(x, alpha=k)\n    return x.sum()";
  experiment.program = parseDraft(toJson(experiment), "f").program;
  experiment.axes = {{"k", "", {0, 1, 2}}};
  EXPECT_THAT(problemLines(experiment),
              ElementsAre(StartsWith("/axes/0/values/0: the program does not accept k = 0: ")));
}

}  // namespace
}  // namespace fusebench
