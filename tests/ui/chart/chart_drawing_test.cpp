// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_drawing.h"

#include <gtest/gtest.h>

namespace fusebench {
namespace {

Crossing breakEven(const char* variant, double at) {
  Crossing crossing;
  crossing.kind = Crossing::Kind::breakEven;
  crossing.status = CrossingStatus::found;
  crossing.variant = variant;
  crossing.at = at;
  return crossing;
}

Curve line(const char* name, double y0, double y1) {
  Curve curve;
  curve.name = name;
  curve.points = {{1, {y0, y0, y0, Estimate::Kind::none}},
                  {11, {y1, y1, y1, Estimate::Kind::none}}};
  return curve;
}

TEST(ChartDrawing, BreakEvensAreMarkedByPlaceUnlessAVariantHasTooMany) {
  ChartContent content;
  content.crossings = {breakEven("static", 7), breakEven("dynamic", 3)};
  for (int i = 0; i < 9; ++i) content.crossings.push_back(breakEven("noise", i));
  const auto marked = markedCrossings(content);
  ASSERT_EQ(marked.size(), 2u);
  EXPECT_EQ(marked[0].variant, "dynamic");
  EXPECT_EQ(marked[1].variant, "static");
}

TEST(ChartDrawing, ABreakEvenFromATieShadesNothingAndWaitsForItsPlaces) {
  ChartContent content;
  Crossing crossing = breakEven("static", 2);
  crossing.low = 1;
  crossing.high = 2;
  EXPECT_EQ(shadedAround(crossing), std::pair(1.0, 2.0));
  crossing.fromTie = true;
  EXPECT_EQ(shadedAround(crossing), std::pair(2.0, 2.0));  // 1 to 2 is no interval of it
  content.crossings = {crossing};
  EXPECT_EQ(markedCrossings(content).size(), 1u);
  content.crossings[0].preliminary = true;
  EXPECT_TRUE(markedCrossings(content).empty());
}

TEST(ChartDrawing, ADotStandsOnTheRuleOrElseOnTheVariantsCurve) {
  ChartContent content;
  content.curves = {line("eager", 100, 200), line("static", 50, 150)};
  EXPECT_EQ(levelOf(content, breakEven("static", 6)), 100);
  EXPECT_EQ(levelOf(content, breakEven("static", 12)), std::nullopt) << "beyond its points";
  content.rule = 1;
  EXPECT_EQ(levelOf(content, breakEven("static", 6)), 1);
}

TEST(ChartDrawing, AStrokeIsStraightInValuesWhateverTheAxis) {
  for (const bool logarithmic : {false, true}) {
    const auto points = between(1, 10, 16, 40, logarithmic);
    ASSERT_FALSE(points.empty());
    for (const auto& [x, y] : points) EXPECT_NEAR(y, 10 + 2 * (x - 1), 1e-9);
  }
  EXPECT_NEAR(between(1, 0, 256, 1, true)[7].first, 16, 1e-9) << "evenly spaced on the screen";
}

TEST(ChartDrawing, RoomForWordsKeepsTheNumbersWhereTheyWere) {
  const AxisRange linear = withRoom({0, 100, false}, 20, 10, 100);
  EXPECT_DOUBLE_EQ(linear.low, -10);
  EXPECT_DOUBLE_EQ(linear.high, 120);
  const AxisRange logarithmic = withRoom({1, 100, true}, 50, 0, 100);
  EXPECT_DOUBLE_EQ(logarithmic.low, 1);
  EXPECT_NEAR(logarithmic.high, 1000, 1e-6);
}

}  // namespace
TEST(LabelRowsTest, PutsLabelsBesideEachOtherWhileThereIsRoom) {
  LabelRows rows(6);
  EXPECT_EQ(rows.place(0, 40), 0u);
  EXPECT_EQ(rows.place(45, 60), 1u);  // five pixels are too few
  EXPECT_EQ(rows.place(46, 80), 0u);
  EXPECT_EQ(rows.place(66, 90), 1u);
  EXPECT_EQ(rows.place(50, 70), 2u);
}

TEST(LabelRowsTest, HasNoPlaceBeyondTheMostRows) {
  LabelRows rows(6, 2);
  EXPECT_EQ(rows.place(0, 40), 0u);
  EXPECT_EQ(rows.place(0, 30), 1u);
  EXPECT_EQ(rows.place(20, 50), std::nullopt);
  EXPECT_EQ(rows.place(36, 50), 1u);
}

}  // namespace fusebench
