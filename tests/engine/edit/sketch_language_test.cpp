// SPDX-License-Identifier: GPL-3.0-or-later
// The text under edit where it has functions, loops, choices, modules and sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/edit/sketch.h"
#include "engine/language/parser.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;

std::string refused(const std::function<SketchEdit()>& edit) {
  try {
    return "made: " + edit().text;
  } catch (const EditRefused& error) {
    return error.what();
  }
}

constexpr const char* kLoopText =
    "def f(x, w):\n"
    "    y = torch.exp(x)  # first\n"
    "    for i in range(2):\n"
    "        y = y * 0.5 + w\n"
    "    z = torch.sin(y)\n"
    "    return z\n";

constexpr const char* kModule =
    "class Scale(nn.Module):\n"
    "    def __init__(self, n=4):\n"
    "        super().__init__()\n"
    "        self.weight = nn.Parameter(torch.ones(n))\n"
    "        self.act = nn.ReLU()\n"
    "    def forward(self, x):\n"
    "        y = self.act(x) * self.weight\n"
    "        z = y + 1\n"
    "        return z\n";

int opCalled(const Sketch& sketch, const char* row, int which = 0) {
  for (std::size_t i = 0; i < sketch.program.ops.size(); ++i)
    if (sketch.program.ops[i].row == findOp(row) && which-- == 0) return static_cast<int>(i);
  return -1;
}

TEST(SketchLanguageTest, EveryFormThatIsReadIsReadUnderEditToo) {
  for (const char* text : {kLoopText, kModule}) {
    const Sketch read = sketch(text);
    EXPECT_TRUE(read.valid()) << read.problems.front().message;
    EXPECT_EQ(toText(read.program), toText(parseProgram(text)));
  }
}

TEST(SketchLanguageTest, LinesAroundALoopStayEditable) {
  const Sketch read = sketch(kLoopText);
  const SketchEdit edit = replaceOp(read, opCalled(read, "sin"), *findOp("cos"));
  EXPECT_THAT(edit.text, HasSubstr("z = torch.cos(y)"));
  EXPECT_THAT(edit.text, HasSubstr("    for i in range(2):\n        y = y * 0.5 + w\n"));
  EXPECT_THAT(edit.text, HasSubstr("# first"));
}

TEST(SketchLanguageTest, AnOpOfALoopIsChangedInItsTextOnly) {
  const Sketch read = sketch(kLoopText);
  EXPECT_THAT(refused([&] { return replaceOp(read, opCalled(read, "mul"), *findOp("sub")); }),
              HasSubstr("one of several that 'for i in range(2):' makes"));
}

TEST(SketchLanguageTest, OpsThatComeFromOnePlaceShareTheirNumbers) {
  const Sketch read = sketch(kLoopText);
  const SketchEdit edit = setNumber(read, {opCalled(read, "mul", 1), 1}, 0.25);
  EXPECT_THAT(edit.text, HasSubstr("        y = y * 0.25 + w\n"));
}

TEST(SketchLanguageTest, AModulesLinesAreEditableBesideItsCalls) {
  const Sketch read = sketch(kModule);
  ASSERT_EQ(read.program.inputs, (std::vector<std::string>{"x", "weight"}));
  const SketchEdit edit = setNumber(read, {opCalled(read, "add"), 1}, 2);
  EXPECT_THAT(edit.text, HasSubstr("z = y + 2\n"));
  EXPECT_THAT(edit.text, HasSubstr("y = self.act(x) * self.weight\n"));
  EXPECT_THAT(edit.text, HasSubstr("self.weight = nn.Parameter(torch.ones(n))"));
}

TEST(SketchLanguageTest, ALineThatCannotBeKeptSaysWhyAndTheRestStays) {
  const Sketch read = sketch(
      "def helper(x):\n"
      "    return x.sum(dim='last')\n"
      "def f(x):\n"
      "    y = torch.exp(x)\n"
      "    z = helper(y)\n"
      "    return torch.sin(y) + z\n");
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_THAT(read.problems[0].message, HasSubstr("dim of .sum"));
  EXPECT_EQ(read.program.ops.size(), 4u);
  const SketchEdit edit = replaceOp(read, opCalled(read, "sin"), *findOp("cos"));
  EXPECT_THAT(edit.text, HasSubstr("torch.cos(y) + z"));
  EXPECT_THAT(edit.text, HasSubstr("z = helper(y)"));
}

}  // namespace
}  // namespace fusebench
