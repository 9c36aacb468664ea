// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments whose program defines inputs itself, or is read to find the sizes of its inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string experimentOf(const std::string& program) {
  return R"({"fusebench": "experiment", "version": 1, "title": "t", "program": [)" + program + R"(],
    "inputs": [{"name": "in", "count": 2, "tensors": [{"name": "x", "extents": ["n", 3]}]}],
    "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
    "axes": [{"name": "n", "values": [2, 4]}]})";
}

constexpr const char* kModule = R"py("class Net(nn.Module):", "  def __init__(self, size=3):",
    "    super().__init__()", "    self.w = nn.Parameter(torch.rand(size))",
    "    self.register_buffer('k', torch.tensor([1.0, 2.0, 4.0]))", "  def forward(self, x):",
    "    return x * self.w + self.k")py";

constexpr const char* kRounds =
    R"py("def f(x):", "  for i in range(x.shape[0]):", "    x = x + i", "  return x")py";

TEST(ExperimentModules, WeightsAreInputsThatTheFileNeedNotName) {
  const Experiment experiment = parseExperiment(experimentOf(kModule), "e.json");
  EXPECT_TRUE(problemsOf(experiment).empty());
  const auto& inputs = experiment.inputSets[0].inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[1].name, "w");
  EXPECT_EQ(inputs[1].extents, std::vector<std::string>{"3"});
  EXPECT_EQ(elementOf(inputs[2], 1, 0, 2, 2), 4);
  const double weight = elementOf(inputs[1], 1, 0, 1, 0);
  EXPECT_GE(weight, 0);
  EXPECT_LT(weight, 1);
  EXPECT_EQ(weight, elementOf(inputs[1], 1, 1, 1, 0)) << "held: the same in every entry";
  EXPECT_NE(weight, elementOf(inputs[1], 2, 0, 1, 0)) << "from the seed";
  const std::string written = toJson(experiment);
  EXPECT_THAT(written, testing::Not(HasSubstr("\"w\"")));
  EXPECT_EQ(toJson(parseExperiment(written, "again.json")), written);
}

TEST(ExperimentModules, AnAxisOfAConstructorsParameterSweepsItsWeights) {
  const std::string text = experimentOf(
      R"py("class Net(nn.Module):", "  def __init__(self, n=3):",
    "    super().__init__()", "    self.w = nn.Parameter(torch.rand(n))",
    "  def forward(self, x):", "    return x * self.w")py");
  const Experiment experiment = parseExperiment(
      std::regex_replace(text, std::regex(R"re("n", 3\])re"), R"("n", "n"])"), "e.json");
  EXPECT_TRUE(problemsOf(experiment).empty());
  for (const std::int64_t n : {2, 4}) {
    InputSet set = experiment.inputSet("in");
    setHeld(experiment, experiment.variants[0], {n}, set);
    EXPECT_EQ(set.inputs[1].extents, std::vector{std::to_string(n)});
  }
  try {
    parseExperiment(text, "e.json");
    FAIL() << "weights of 2 do not fit rows of 3, as in PyTorch";
  } catch (const std::exception& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("shapes (2, 3) and (2,) do not fit"));
  }
}

TEST(ExperimentModules, AProgramThatDependsOnSizesIsReadForEachCells) {
  const Experiment experiment = parseExperiment(experimentOf(kRounds), "e.json");
  EXPECT_TRUE(experiment.readForSizes);
  EXPECT_EQ(programAt(experiment, CellKey{0, {2}}).ops.size(), 2u);
  EXPECT_EQ(programAt(experiment, CellKey{0, {4}}).ops.size(), 4u);
}

TEST(ExperimentModules, AModuleWhoseRanksAreAskedForIsReadForTheDtypeOfAVariant) {
  const std::string text = std::regex_replace(
      experimentOf(R"py("class Net(nn.Module):", "  def __init__(self):", "    super().__init__()",
    "    self.r = nn.RNN(3, 4)", "  def forward(self, x):", "    return self.r(x)[0]")py"),
      std::regex(R"re("executor": "eager"\})re"),
      R"("executor": "eager"}, {"name": "half", "executor": "eager", "dtype": "bfloat16"})");
  const Experiment experiment = parseExperiment(text, "e.json");
  EXPECT_TRUE(experiment.readForSizes);
  EXPECT_EQ(programAt(experiment, CellKey{1, {2}}).ops.size(),
            programAt(experiment, CellKey{0, {2}}).ops.size());
}

TEST(ExperimentModules, ADtypeThatIsAskedForIsTheInputsOwn) {
  const std::string program = R"py("def f(x):", "  return (x.float() * 2).to(x.dtype)")py";
  const std::string halves = std::regex_replace(
      experimentOf(program), std::regex(R"re("n", 3\])re"), R"("n", 3], "dtype": "float16")");
  for (const std::string& text : {experimentOf(program), halves}) {
    const Experiment experiment = parseExperiment(text, "e.json");
    const std::string own = text == halves ? "half" : "float";
    EXPECT_EQ(programAt(experiment, CellKey{0, {2}}).ops.back().row->name, own);
  }
}

TEST(ExperimentModules, AnInputOfTruthValuesIsAMaskAndNoIndex) {
  const std::string text = std::regex_replace(
      experimentOf(
          R"py("def f(x):", "  y = torch.zeros(x.shape[0], 3)", "  y[x] = 1", "  return y")py"),
      std::regex(R"re("n", 3\])re"), R"("n", 3], "dtype": "bool")");
  const Experiment experiment = parseExperiment(text, "e.json");
  EXPECT_EQ(programAt(experiment, CellKey{0, {2}}).ops.back().row->name, "masked_fill");
}

TEST(ExperimentModules, BuffersHaveTheirDtypes) {
  const Experiment experiment = parseExperiment(
      experimentOf(R"py("class Net(nn.Module):", "  def __init__(self):", "    super().__init__()",
    "    self.order = torch.tensor([2, 16777217, 0])", "    self.kept = torch.tensor([True, False, True])",
    "  def forward(self, x):", "    return torch.where(self.kept, x, self.order)")py"),
      "e.json");
  EXPECT_TRUE(problemsOf(experiment).empty());
  const auto& inputs = experiment.inputSets[0].inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[1].dtype, "bool");
  EXPECT_EQ(inputs[2].dtype, "int64");
  EXPECT_EQ(elementOf(inputs[2], 1, 0, 2, 1), 16777217) << "which no float32 is";
}

TEST(ExperimentModules, NumbersOfBuffersAreWhatTheirDtypesHave) {
  const Experiment experiment =
      parseExperiment(experimentOf(R"py("class Net(nn.Module):", "  def __init__(self):",
    "    self.fine = torch.tensor([0.1], dtype=torch.float64)", "    self.wide = torch.tensor([0.1]).double()",
    "    self.half = torch.tensor([0.1], dtype=torch.float16)", "    self.both = torch.tensor([0.1], dtype=torch.bfloat16) + torch.tensor([1])",
    "    self.third = self.fine / 3",
    "  def forward(self, x):", "    return x + self.fine + self.wide + self.half + self.both + self.third")py"),
                      "e.json");
  EXPECT_TRUE(problemsOf(experiment).empty());
  std::map<std::string, std::pair<std::string, double>> found;
  const auto& inputs = experiment.inputSets[0].inputs;
  for (std::size_t i = 1; i < inputs.size(); ++i)
    found[inputs[i].name] = {inputs[i].dtype, elementOf(inputs[i], 1, 0, i, 0)};
  // As PyTorch has them: print(float(buffer)).
  const std::map<std::string, std::pair<std::string, double>> wanted = {
      {"fine", {"float64", 0.1}},
      {"wide", {"float64", static_cast<double>(0.1f)}},
      {"half", {"float16", 0.0999755859375}},
      {"both", {"bfloat16", 1.1015625}},
      {"third", {"float64", 0.1 / 3}}};
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace fusebench
