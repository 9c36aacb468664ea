// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing what is swept, and what the cursor on it means for the program that is edited.
#include "ui/models/setup/axis_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "ui/models/chart/chart_cursor.h"
#include "ui/models/setup/document_model.h"
#include "ui/models/setup/settings_edits.h"
#include "ui/models/window/window_size.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

const char* const kLongChain =
    "def program(x):\n    x = x + 1\n    x = torch.sin(x)\n    x = x * 2\n    x = torch.exp(x)\n"
    "    x = torch.cos(x)\n    x = x - 1\n    return x.sum()";
const char* const kBranches =
    "def program(x):\n    a = x + 1\n    b = torch.sin(a)\n    c = a * b\n    return c.sum()";

Experiment experimentOf(const char* text) {
  DocumentModel document;
  document.setText("t", {}, text);
  return document.experiment();
}

std::vector<std::string> problems(const Experiment& experiment) {
  std::vector<std::string> found;
  for (const ExperimentProblem& problem : problemsOf(experiment)) found.push_back(problem.message);
  return found;
}

TEST(AxisChoice, ElementsBringSizesAndTheInputsFollow) {
  Experiment e = experimentOf(kLongChain);
  chooseAxis(e, 0, "elements");
  EXPECT_THAT(problems(e), ElementsAre());
  EXPECT_EQ(e.axes[0].unit, "elements");
  EXPECT_EQ(e.axes[0].values.front(), 64);
  EXPECT_EQ(e.axes[0].values.back(), 1 << 20);
  EXPECT_THAT(e.inputSets[0].inputs[0].extents, ElementsAre("elements // 16", "16"));
  EXPECT_EQ(followersOf(e, "elements"), "x is (elements // 16, 16), one tensor");
}

TEST(AxisChoice, TheSizeIsTheFirstAxisInOneStep) {
  Experiment e = experimentOf(kBranches);
  sweepSize(e);
  EXPECT_EQ(e.axes[0].name, "elements");
  EXPECT_THAT(problems(e), ElementsAre());
  addAxisNamed(e, "statements");
  swapAxes(e);
  sweepSize(e);
  EXPECT_EQ(e.axes[0].name, "elements");
  EXPECT_EQ(e.axes[1].name, "statements");
}

TEST(VariantEdits, AnExecutorsVariantIsCalledAsItAndTheNameFollowsUntilItIsEdited) {
  Experiment e = DocumentModel::blank();
  const std::size_t before = e.variants.size();
  addVariantOf(e, "static+replay");
  ASSERT_EQ(e.variants.size(), before + 1);
  EXPECT_EQ(e.variants.back().name, "static+replay");
  EXPECT_EQ(e.variants.back().inputs, e.variants.front().inputs);
  addVariantOf(e, "static+replay");
  EXPECT_EQ(e.variants.back().name, "static+replay 2");
  changeExecutor(e, before + 1, "replay");
  EXPECT_EQ(e.variants.back().name, "replay");
  renameVariant(e, before + 1, "mine");
  changeExecutor(e, before + 1, "instant");
  EXPECT_EQ(e.variants.back().name, "mine");
  EXPECT_EQ(e.variants.back().executor, "instant");
  // The baseline that follows its executor stays the baseline.
  ASSERT_EQ(e.baseline, e.variants[0].name);
  changeExecutor(e, 0, "replay");
  EXPECT_EQ(e.baseline, "replay");
}

TEST(AxisChoice, ShapesThatMustAgreeStillDo) {
  Experiment e = experimentOf("def program(x, w):\n    x = x * w\n    return x.sum(dim=1)");
  e.inputSets[0].inputs[0].extents = {"8", "16"};
  e.inputSets[0].inputs[1].extents = {"16"};  // broadcast: not to be touched
  chooseAxis(e, 0, "elements");
  EXPECT_THAT(problems(e), ElementsAre());
  EXPECT_THAT(e.inputSets[0].inputs[1].extents, ElementsAre("16"));
}

TEST(AxisChoice, BackToStatementsTheInputsHaveASizeAgain) {
  Experiment e = experimentOf(kLongChain);
  chooseAxis(e, 0, "elements");
  chooseAxis(e, 0, "statements");
  EXPECT_THAT(problems(e), ElementsAre());
  EXPECT_THAT(e.axes[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(followersOf(e, "elements"), "");
}

TEST(AxisChoice, AnyNameCanBeChosenFromAnyOther) {
  for (const char* text : {kLongChain, kBranches})
    for (const char* from : {"statements", "threads", "elements", "batch", "rows"})
      for (const char* to : {"statements", "threads", "elements", "batch", "rows"}) {
        Experiment e = experimentOf(text);
        chooseAxis(e, 0, from);
        chooseAxis(e, 0, to);
        EXPECT_THAT(problems(e), ElementsAre()) << from << " -> " << to;
        EXPECT_EQ(e.axes[0].name, to);
      }
}

TEST(AxisChoice, TheOtherAxisName) {
  Experiment e = experimentOf(kLongChain);
  addAxisNamed(e, "elements");
  chooseAxis(e, 0, "elements");  // they change places
  EXPECT_EQ(e.axes[0].name, "elements");
  EXPECT_EQ(e.axes[1].name, "statements");
  EXPECT_THAT(problems(e), ElementsAre());
}

TEST(AxisChoice, AMapGetsTheAxisThatItLacks) {
  Experiment e = experimentOf(kLongChain);
  EXPECT_EQ(secondAxisFor(e), "elements");
  chooseAxis(e, 0, "elements");
  EXPECT_EQ(secondAxisFor(e), "statements");
  e.inputSets[0].count = 100;
  addAxisNamed(e, secondAxisFor(e));
  EXPECT_THAT(e.axes[1].values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(e.inputSets[0].count, 100) << "statements need nothing of the inputs";
  EXPECT_THAT(problems(e), ElementsAre());
}

TEST(AxisChoice, AShortChainIsSweptPastItsEndAndABranchingProgramIsNot) {
  EXPECT_THAT(usualStatements(experimentOf("def program(x):\n    x = x + 1\n    return x").program),
              ElementsAre(1, 5, 10, 15, 20, 25, 30));
  EXPECT_THAT(usualStatements(experimentOf(kBranches).program), ElementsAre(1, 2, 3));
}

TEST(AxisChoice, AnAxisThatGoesLeavesNoExtentBehind) {
  Experiment e = experimentOf(kLongChain);
  addAxisNamed(e, "elements");
  removeAxis(e, 1);
  EXPECT_THAT(problems(e), ElementsAre());
}

TEST(AxisChoice, WhatStatementsCountIsSaid) {
  EXPECT_TRUE(statementsRule(experimentOf(kLongChain).program)
                  .contains("repeated if the program is a chain"));
  const QString rule = statementsRule(experimentOf(kBranches).program);
  EXPECT_TRUE(rule.startsWith("this program branches: the first n of its 3 statements"));
}

TEST(ChartCursor, CountsStatementsOnlyOnAnAxisOfThem) {
  Experiment statements = experimentOf(kLongChain);
  Experiment elements = statements;
  chooseAxis(elements, 0, "elements");
  EXPECT_EQ(statementsAt(statements, statements, 4.0), 4);
  EXPECT_EQ(statementsAt(statements, statements, std::nullopt), 0);
  EXPECT_EQ(statementsAt(statements, statements, 30.0), 0) << "no such place on the axis";
  EXPECT_EQ(statementsAt(elements, statements, 65536.0), 0);
  EXPECT_EQ(statementsAt(elements, elements, 65536.0), 0);
  EXPECT_EQ(statementsAt(statements, elements, 4.0), 0) << "edited since";
}

TEST(WindowSize, FitsTheScreenWithItsFrame) {
  const QSize wanted(1280, 800), least(960, 600);
  EXPECT_EQ(fittedSize(wanted, least, QSize(1920, 1080)), wanted);
  EXPECT_EQ(fittedSize(wanted, least, QSize(640, 480)), least);
  const QSize laptop = fittedSize(wanted, least, QSize(1280, 800));
  EXPECT_LT(laptop.height(), 800 - 20) << "a title bar takes room";
  EXPECT_LE(laptop.width(), 1280);
}

}  // namespace
}  // namespace fusebench
