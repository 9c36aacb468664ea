// SPDX-License-Identifier: GPL-3.0-or-later
// What inputs of a pasted program hold: what the lines that call it make them of.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/language/input_shapes.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/pasted_experiment.h"

namespace fusebench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

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

TEST(PastedInputs, OfLongListsAreDrawn) {
  EXPECT_EQ(specFrom("torch.linspace(0, 1, 4096)").data.size(), 4096u);
  EXPECT_TRUE(specFrom("torch.linspace(0, 1, 5000)").data.empty());
}

}  // namespace
}  // namespace fusebench
