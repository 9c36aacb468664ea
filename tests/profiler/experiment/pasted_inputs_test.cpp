// SPDX-License-Identifier: GPL-3.0-or-later
// What inputs of a pasted program hold: what the lines that call it make them of.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/input_shapes.h"
#include "profiler/experiment/computed_fill.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/pasted_experiment.h"
#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

InputSpec specFrom(const std::string& expression) {
  const PastedProgram pasted = readPasted(
      "import torch\ndef f(x):\n    return x * 2 + 1\nx = " + expression + "\ny = f(x)\n");
  return specOf(pasted.inputs.at(0));
}

std::vector<double> heldBy(const std::string& expression, std::int64_t count) {
  const InputSpec spec = specFrom(expression);
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(elementOf(spec, 1, 0, 0, i));
  return values;
}

TEST(PastedInputs, HoldTheNumbersThatTheTextGives) {
  EXPECT_THAT(heldBy("torch.linspace(2, 4, 5)", 5), ElementsAre(2, 2.5, 3, 3.5, 4));
  EXPECT_THAT(heldBy("torch.arange(4)", 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(heldBy("torch.arange(4).float()", 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(heldBy("torch.tensor([[1.0, -2.0], [0.5, 4.0]])", 4), ElementsAre(1, -2, 0.5, 4));
  EXPECT_THAT(heldBy("torch.eye(2)", 4), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(heldBy("torch.zeros(2, 3)", 6), Each(0));
  EXPECT_THAT(heldBy("torch.ones(6)", 6), Each(1));
  EXPECT_THAT(heldBy("torch.full((6,), 2.5)", 6), Each(2.5));
  EXPECT_THAT(heldBy("torch.full((3,), 7)", 3), Each(7));
}

TEST(PastedInputs, AreDrawnAsTheTextDrawsThem) {
  const std::vector<double> uniform = heldBy("torch.rand(5000)", 5000);
  EXPECT_GE(*std::ranges::min_element(uniform), 0);
  EXPECT_LT(*std::ranges::max_element(uniform), 1);
  const std::vector<double> normal = heldBy("torch.randn(5000)", 5000);
  EXPECT_LT(*std::ranges::min_element(normal), -2);
  const std::vector<double> integers = heldBy("torch.randint(3, 8, (5000,))", 5000);
  EXPECT_EQ(*std::ranges::min_element(integers), 3);
  EXPECT_EQ(*std::ranges::max_element(integers), 7);
  EXPECT_TRUE(specFrom("torch.randint(3, 8, (5000,))").data.empty()) << "bounds say it shorter";
}

/// The elements of an input that a call of the program is given.
std::vector<double> givenBy(const std::string& expression, const std::string& before = {}) {
  const PastedProgram pasted = readPasted(
      "import math\nimport torch\nimport torch.nn.functional as F\n"
      "def f(x):\n    return x * 2 + 1\n" +
      before + "y = f(" + expression + ")\n");
  const ChosenInput& input = pasted.inputs.at(0);
  const InputSpec spec = specOf(input);
  std::optional<ComputedFill> computed;
  if (!spec.code.empty()) computed.emplace(spec.code);
  std::vector<double> values;
  for (std::int64_t i = 0; i < elementCount(input.type.shape); ++i)
    values.push_back(computed ? computed->at(input.type.shape, i) : elementOf(spec, 1, 0, 0, i));
  return values;
}

TEST(PastedInputs, OfSeveralCallsAreComputed) {
  EXPECT_THAT(givenBy("torch.linspace(2, 4, 3).expand(2, 3)"), ElementsAre(2, 3, 4, 2, 3, 4));
  EXPECT_THAT(givenBy("torch.full((3,), 2.0) * 3 - 1"), Each(5));
  EXPECT_THAT(givenBy("torch.triu(torch.ones(2, 2), diagonal=1).bool()"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(givenBy("m", "m = torch.zeros(4)\nm[1:3] = 7\n"), ElementsAre(0, 7, 7, 0));
  EXPECT_THAT(givenBy("b", "a = torch.arange(3)\nb = a * a + len('xy')\n"), ElementsAre(2, 3, 6));
  EXPECT_THAT(givenBy("F.one_hot(torch.tensor([2, 0]), 3)"), ElementsAre(0, 0, 1, 1, 0, 0));
}

TEST(PastedInputs, OfSeveralCallsAreDrawnAsTheTextDrawsThem) {
  const std::vector<double> moved = givenBy("torch.rand(50, 100) * 4 - 2");
  EXPECT_LT(*std::ranges::min_element(moved), -1.9);
  EXPECT_GE(*std::ranges::min_element(moved), -2);
  EXPECT_GT(*std::ranges::max_element(moved), 1.9);
  EXPECT_LT(*std::ranges::max_element(moved), 2);
  for (const double square : givenBy("x * x", "x = torch.randn(100)\n")) EXPECT_GE(square, 0);
  const std::vector<double> row = givenBy("torch.softmax(torch.randn(1, 64), -1)");
  EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-6);
  const std::vector<double> whole = givenBy("torch.randint(3, 8, (50, 100)).float()");
  EXPECT_EQ(*std::ranges::min_element(whole), 3);
  EXPECT_EQ(*std::ranges::max_element(whole), 7);
}

TEST(PastedInputs, OfOneLongListAreComputed) {
  EXPECT_EQ(specFrom("torch.linspace(0, 1, 4096)").data.size(), 4096u);
  const std::vector<double> spaced = givenBy("torch.linspace(0, 1, 5001)");
  ASSERT_EQ(spaced.size(), 5001u);
  EXPECT_NEAR(spaced[2500], 0.5, 1e-6);
  EXPECT_EQ(givenBy("torch.arange(0, 20000, 2)").at(5000), 10000);
}

/// An experiment over x of these extents, with this fill.
Experiment filled(const std::string& extents, const std::string& code) {
  return parseExperiment(
      R"({"fusebench": "experiment", "version": 2, "title": "t",
  "program": ["def f(x):", "    return x + 1"],
  "inputs": [{"name": "in", "count": 1, "tensors": [{"name": "x", "extents": )" +
          extents + R"(, "fill": {"code": )" + nlohmann::json(code).dump() + R"(}}]}],
  "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
  "axes": [{"name": "n", "values": [1, 3]}]})",
      "f.json");
}

std::string fillRefusal(const std::string& extents, const std::string& code) {
  try {
    filled(extents, code);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ComputedFill, IsRepeatedAndCutToTheInputsShape) {
  const Experiment experiment = filled("[\"n\", 3]", "torch.tensor([[1.0, 2.0], [3.0, 4.0]])");
  const auto backend = makeCpuBackend(CpuOptions{});
  InputStore store(*backend, experiment, std::uint64_t{1} << 30);
  EXPECT_THAT(valuesOf(*backend, store.get({0, {3}})->entries[0][0]),
              ElementsAre(1, 2, 1, 3, 4, 3, 1, 2, 1));
  EXPECT_THAT(valuesOf(*backend, store.get({0, {1}})->entries[0][0]), ElementsAre(1, 2, 1));
}

TEST(ComputedFill, IsKeptInTheFile) {
  const std::string code = "a = torch.randn(4)\na * a";
  const Experiment again = parseExperiment(toJson(filled("[\"n\"]", code)), "f.json");
  EXPECT_EQ(again.inputSets[0].inputs[0].code, code);
}

TEST(ComputedFill, OfCodeThatCannotBeUsedIsRefusedWithItsPlace) {
  EXPECT_THAT(fillRefusal("[4]", "torch.rand(4"), HasSubstr("fill.code"));
  EXPECT_THAT(fillRefusal("[4]", "a = torch.rand(4)\na * b"),
              HasSubstr("line 2 of this code: there is no 'b' here"));
  EXPECT_THAT(fillRefusal("[4]", "a = torch.rand(4)\na + torch.rand(3)"),
              HasSubstr("shapes (4,) and (3,) do not fit"));
  EXPECT_THAT(fillRefusal("[4]", "torch.rand(4, 4)"),
              HasSubstr("as many dimensions as the extents, 1"));
  EXPECT_THAT(fillRefusal("[4]", "torch.rand(2**20, 2**20).sum(0)"), HasSubstr("at most"));
  EXPECT_THAT(fillRefusal("[4]", "torch.rand(0)"), HasSubstr("without elements"));
  EXPECT_THAT(fillRefusal("[4]", " "), HasSubstr("write an expression"));
  EXPECT_THAT(fillRefusal("[4]", "3.0"), HasSubstr("fill.code"));
  EXPECT_THAT(fillRefusal("[4]", "import os\nos.system('true')"), HasSubstr("fill.code"));
}

}  // namespace
}  // namespace fusebench
