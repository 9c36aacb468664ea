// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_drawing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/run/recordings.h"
#include "profiler/run/run.h"
#include "ui/export/figures/chart_figure.h"
#include "ui/export/report/report_sections.h"
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
  EXPECT_EQ(shadedAround(crossing), std::pair(2.0, 2.0));  // 1 to 2 is not its interval
  content.crossings = {crossing};
  EXPECT_EQ(markedCrossings(content).size(), 1u);
  content.crossings[0].preliminary = true;
  EXPECT_TRUE(markedCrossings(content).empty());
}

TEST(ChartDrawing, ADotStandsOnTheRuleOrElseOnTheVariantsCurve) {
  ChartContent content;
  content.curves = {line("eager", 100, 200), line("static", 50, 150)};
  EXPECT_EQ(levelOf(content, breakEven("static", 6), {}), 100);
  EXPECT_EQ(levelOf(content, breakEven("static", 12), {}), std::nullopt) << "beyond its points";
  content.rule = 1;
  EXPECT_EQ(levelOf(content, breakEven("static", 6), {}), 1);
}

constexpr ChartScales kEveryScale[] = {{false, false}, {false, true}, {true, false}, {true, true}};

TEST(ChartDrawing, StrokesCrossAtTheBreakEvenOnEveryScale) {
  for (const bool wide : {false, true}) {
    ChartContent content;
    content.curves = {line("eager", 10, 1000), line("static", 100, 100), line("other", 50, 50)};
    for (Curve& curve : content.curves) curve.points[1].x = wide ? 1024 : 11;
    const std::vector<double> places = {1, wide ? 1024.0 : 11.0};
    const auto found =
        crossCurves(places, std::vector<double>{10, 1000}, std::vector<double>{100, 100});
    content.crossings = {found[0]};
    content.crossings[0].variant = "static";
    content.crossings[0].baseline = "eager";
    passThroughBreakEvens(content, places);
    for (const ChartScales scales : kEveryScale) {
      const auto eager = valueAt(content.curves[0], found[0].at, scales);
      ASSERT_TRUE(eager);
      EXPECT_NEAR(*eager, 100, 1e-9);
      EXPECT_EQ(eager, levelOf(content, content.crossings[0], scales));
      // On one side eager is below, on the other above: there is no second crossing.
      EXPECT_LT(*valueAt(content.curves[0], found[0].at * 0.99, scales), 100);
      EXPECT_GT(*valueAt(content.curves[0], found[0].at * 1.01, scales), 100);
    }
    EXPECT_EQ(strokePoints(content.curves[0], content.curves[0].points).size(), 3u);
    EXPECT_TRUE(content.curves[2].through.empty()) << "has no break-even";
  }
}

/// Paired samples put a break-even elsewhere than the medians that are drawn, by a little.
TEST(ChartDrawing, StrokesOfShippedRecordingsCrossAtTheirBreakEvens) {
  std::size_t seen = 0;
  for (const Recording& recording : shippedRecordings()) {
    if (!recording.isRun()) continue;
    const fusebench::Run run = loadRun(recording.path);
    const ExportedRun exported{recording.name, &run, findCrossings(run)};
    const auto context = sections::contextOf(exported, {});
    const ChartContent content =
        chartSubject(context.run, context.summaries, context.analysis, Metric::latency).content;
    for (const Crossing& crossing : markedCrossings(content)) {
      if (crossing.fromTie) continue;
      for (const Curve& curve : content.curves) {
        if (curve.name.toStdString() != crossing.baseline) continue;
        if (std::ranges::find(curve.points, crossing.at, &CurvePoint::x) != curve.points.end())
          continue;
        ++seen;
        for (const ChartScales scales : kEveryScale)
          EXPECT_EQ(valueAt(curve, crossing.at, scales), levelOf(content, crossing, scales))
              << recording.name << ", " << crossing.variant << " at " << crossing.at;
      }
    }
  }
  EXPECT_GT(seen, 3u);
}

TEST(ChartDrawing, ABreakEvenOfABrokenCurveAddsNothingToIt) {
  ChartContent content;
  content.curves = {line("eager", 10, 1000), line("static", 100, 100)};
  content.curves[0].points[1].joined = false;
  content.crossings = {breakEven("static", 6)};
  content.crossings[0].baseline = "eager";
  passThroughBreakEvens(content, std::vector<double>{1, 11});
  EXPECT_TRUE(content.curves[0].through.empty());
}

TEST(ChartDrawing, AFittedLineIsStraightInValuesWhateverTheAxis) {
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
