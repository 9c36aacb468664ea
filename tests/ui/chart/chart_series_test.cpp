// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/paired_samples.h"
#include "tests/ui/synthetic.h"
#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_readout.h"
#include "ui/models/chart/marker_text.h"
#include "ui/models/chart/series_visibility.h"
#include "ui/models/chart/thinning.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {

Estimate around(double value, double half = 0) {
  return {value, value - half, value + half, Estimate::Kind::interval};
}

ChartContent contentOf(const fusebench::Run& run, Metric metric) {
  Analysis analysis;
  analysis.crossings = findCrossings(run);
  analysis.sliceLaunches = launchModels(run, 0);
  CellSummaries summaries;
  summaries.update(run);
  return chartContent(run, summaries, analysis, metric, 0);
}

TEST(ChartSeries, BandwidthIsOfInputsFromHostMemoryAndTheLongestTimeIsTheLeast) {
  fusebench::Run run = test::syntheticRun();
  EXPECT_FALSE(hasBandwidth(run));
  for (const Curve& curve : contentOf(run, Metric::bandwidth).curves)
    EXPECT_TRUE(curve.points.empty()) << curve.name.toStdString();
  run.experiment.variants[1].options.delivery.from = Delivery::From::pinned;
  ASSERT_TRUE(hasBandwidth(run));
  ASSERT_EQ(run.experiment.inputSet(run.experiment.variants[1].inputs).inputs[0].extents,
            (std::vector<std::string>{"8", "16"}));
  CellSummaries summaries;
  summaries.update(run);
  const ChartContent content = contentOf(run, Metric::bandwidth);
  ASSERT_EQ(content.curves.size(), 3u);
  EXPECT_TRUE(content.curves[0].points.empty());
  EXPECT_TRUE(content.curves[2].points.empty());
  EXPECT_TRUE(content.crossings.empty());  // data on the device has no bandwidth to compare with
  ASSERT_EQ(content.curves[1].points.size(), 7u);
  for (std::size_t i = 0; i < content.curves[1].points.size(); ++i) {
    const auto at = static_cast<std::size_t>(cellIndex(run, 1, i, 0));
    const Estimate time = summaries.at(at).latency, y = content.curves[1].points[i].y;
    EXPECT_DOUBLE_EQ(y.value, 8 * 16 * 4 * 1e9 / time.value);
    EXPECT_DOUBLE_EQ(y.low, 8 * 16 * 4 * 1e9 / time.high);
    EXPECT_DOUBLE_EQ(y.high, 8 * 16 * 4 * 1e9 / time.low);
    EXPECT_LT(y.low, y.high);
    EXPECT_EQ(y.kind, Estimate::Kind::interval);
  }
}

TEST(ChartSeries, BandwidthIsOfEveryVariantWhoseBytesAreCountedWithItsOwnBreakEvens) {
  fusebench::Run run = test::syntheticRun();
  for (Cell& cell : run.cells) cell.bytesMoved = 1e3;
  ASSERT_TRUE(hasBandwidth(run));
  CellSummaries summaries;
  summaries.update(run);
  Analysis analysis;
  analysis.crossings = findCrossings(run);
  analysis.bandwidthCrossings = bandwidthCrossings(timesPerByte(run));
  const ChartContent content = chartContent(run, summaries, analysis, Metric::bandwidth, 0);
  ASSERT_EQ(content.curves.size(), 3u);
  for (const Curve& curve : content.curves) EXPECT_EQ(curve.points.size(), 7u);
  for (const Crossing& crossing : content.crossings) {
    EXPECT_TRUE(crossing.ofBandwidth);
    EXPECT_TRUE(markerSentence(crossing, wording::PlaceStyle::decimal, QStringLiteral("statements"))
                    .contains(QStringLiteral("bandwidth than")));
  }
  EXPECT_FALSE(content.crossings.empty());
  const Readout readout = readoutAt(run, summaries, content, {}, 0, 30);
  ASSERT_EQ(readout.rows.size(), 3u);
  EXPECT_TRUE(readout.rows[1].value.endsWith(QStringLiteral("B/s")))
      << qPrintable(readout.plainText());
  EXPECT_TRUE(readout.rows[1].beside.endsWith(QStringLiteral("×")))
      << qPrintable(readout.plainText());
}

TEST(ChartSeries, SpeedUpLeavesTheBaselineOutAndHasItsLineAtOne) {
  const ChartContent content = contentOf(test::syntheticRun(), Metric::speedUp);
  ASSERT_EQ(content.curves.size(), 2u);
  EXPECT_EQ(content.curves[0].name, "static");
  ASSERT_TRUE(content.rule);
  EXPECT_EQ(*content.rule, 1);
  const Estimate last = content.curves[0].points.back().y;
  EXPECT_NEAR(last.value, 1900.0 / 460.0, 0.05);
  EXPECT_EQ(last.kind, Estimate::Kind::interval);
  EXPECT_EQ(content.crossings.size(), 2u);
}

TEST(ChartSeries, ModelLinesAreDrawnOnlyWhereTheDataCarryThem) {
  fusebench::Run run = test::syntheticRun();
  ASSERT_EQ(contentOf(run, Metric::latency).models.size(), 1u);  // eager's
  for (Cell& cell : run.cells)  // far off the line at its start, by more than may be left out
    if (cell.key.variant == 0 && cell.key.at[0] <= 15)
      for (Sample& sample : cell.samples) sample.nanoseconds /= 2;
  EXPECT_TRUE(contentOf(run, Metric::latency).models.empty());
  run = test::syntheticRun();
  std::erase_if(run.cells, [](const Cell& cell) { return cell.key.at[0] > 10; });  // three places
  EXPECT_TRUE(contentOf(run, Metric::latency).models.empty());
}

TEST(ChartSeries, WhereMostPointsDriftedTheyAreNotMarkedOneByOne) {
  const auto drifting = [](std::size_t count) {
    fusebench::Run run = test::syntheticRun(64);
    for (std::size_t i = 0; i < run.cells.size() && i < count; ++i)
      for (std::size_t k = 32; k < run.cells[i].samples.size(); ++k)
        run.cells[i].samples[k].nanoseconds *= 1.5;
    std::size_t marked = 0;
    for (const Curve& curve : contentOf(run, Metric::latency).curves)
      for (const CurvePoint& point : curve.points) marked += point.drifted;
    return marked;
  };
  EXPECT_EQ(drifting(2), 2u);
  EXPECT_EQ(drifting(1000), 0u);
}

TEST(ChartSeries, LaunchesAreCountedNotTimed) {
  const ChartContent content = contentOf(test::syntheticRun(), Metric::launches);
  EXPECT_EQ(content.curves[0].points.back().y.value, 31);
  EXPECT_EQ(content.curves[1].points.back().y.value, 1);
  EXPECT_TRUE(content.crossings.empty());
}

TEST(ChartSeries, CompilesShowEveryObservationAndKeepTheCachesApart) {
  fusebench::Run run = test::syntheticRun();
  CompileTimes disk;
  disk.load = 700'000;
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.diskCompile = disk;
  const ChartContent content = contentOf(run, Metric::compile);
  ASSERT_EQ(content.curves.size(), 4u);  // eager, static, static from disk, dynamic
  EXPECT_EQ(content.curves[1].observations.size(), 5u * 7u);
  EXPECT_EQ(content.curves[2].part, CurvePart::fromDisk);
  EXPECT_EQ(content.curves[2].points[0].y.value, 700'000);
}

TEST(ChartSeries, PaybacksAreNumbersWherePaidAndWordsWhereNot) {
  const ChartContent content = contentOf(test::syntheticRun(), Metric::payback);
  ASSERT_EQ(content.curves.size(), 2u);
  // static is behind at 1 and 5 statements and ahead at 10 or more.
  EXPECT_EQ(content.curves[0].points.front().x, 10);
  ASSERT_FALSE(content.words.empty());
  EXPECT_EQ(content.words[0].from, 1);
  EXPECT_EQ(content.words[0].to, 5);
  EXPECT_EQ(content.words[0].text, "never");
}

TEST(ChartSeries, APaybacksLineAndBandEndWhereThereIsNoNumber) {
  fusebench::Run run = test::syntheticRun();
  // Static at 15 statements is as slow as eager.
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1 && cell.key.at[0] == 20)
      for (Sample& sample : cell.samples) sample.nanoseconds = 1e6;
  const ChartContent content = contentOf(run, Metric::payback);
  std::vector<std::pair<double, bool>> points;
  for (const CurvePoint& point : content.curves[0].points)
    points.emplace_back(point.x, point.joined);
  EXPECT_EQ(points, (std::vector<std::pair<double, bool>>{
                        {10, true}, {15, true}, {25, false}, {30, true}}));
}

TEST(ChartSeries, TheFittedLineSaysWhatALaunchCosts) {
  const ChartContent content = contentOf(test::syntheticRun(), Metric::latency);
  ASSERT_EQ(content.models.size(), 1u);  // only eager's launches vary
  EXPECT_EQ(content.models[0].variant, "eager");
  EXPECT_NEAR(content.models[0].slope.value, 60, 1);
  EXPECT_TRUE(content.models[0].label.contains("per launch with its kernel"));
  EXPECT_NEAR(content.models[0].points.back().y, 1900, 30);
}

TEST(ChartSeries, AnUnfinishedPointIsLessCertainTheWiderItsIntervalIs) {
  MeasureSettings settings;
  EXPECT_EQ(certaintyOf({100, 90, 110, Estimate::Kind::range}, 5, settings), 0);
  EXPECT_NEAR(certaintyOf(around(100, 4), 31, settings), 0.25, 1e-9);
  EXPECT_EQ(certaintyOf(around(100, 0.5), 31, settings), 1);
  EXPECT_NEAR(certaintyOf(around(100, 0.5), 10, settings), 10.0 / 31, 1e-9);
}

TEST(ChartSeries, AVariantMayAskForItsSeries) {
  fusebench::Run run = test::syntheticRun();
  run.experiment.variants[1].series = 6;
  const ChartContent content = contentOf(run, Metric::latency);
  EXPECT_EQ(content.curves[1].series, 5);
  EXPECT_EQ(content.curves[2].series, 2);
}

TEST(Overlays, WearTheColorsOfTheVariantsOfTheirNames) {
  fusebench::Run other = test::syntheticRun();
  std::swap(other.experiment.variants[1].name, other.experiment.variants[2].name);
  const Overlay overlay{"yesterday", &other};
  const auto curves = overlayCurves(overlay, 3, test::syntheticExperiment(), Metric::latency, 0);
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[1].name, "dynamic");
  EXPECT_EQ(curves[1].variant, 2);
  EXPECT_EQ(curves[1].overlay, 3);
}

TEST(Overlays, SayWhyTheyHaveNothingToLayOver) {
  const Experiment shown = test::syntheticExperiment();
  Experiment other = shown;
  EXPECT_EQ(overlayProblem(other, shown, 0), "");
  other.axes[0].name = "batch";
  EXPECT_EQ(overlayProblem(other, shown, 0), "sweeps batch, not statements");
  other = shown;
  other.axes.push_back({"elements", "elements", {64, 1024}});
  EXPECT_EQ(overlayProblem(other, shown, 0), "sweeps elements, too");
  EXPECT_EQ(overlayProblem(shown, other, 0), "does not sweep elements");
  Experiment larger = other;
  larger.axes[1].values = {1024, 4096};
  EXPECT_EQ(overlayProblem(other, larger, 0), "");
  EXPECT_EQ(overlayProblem(other, larger, 1), "has no data at 4Ki elements");
}

TEST(Overlays, AnotherAxisHasNothingToLayOver) {
  fusebench::Run other = test::syntheticRun();
  other.experiment.axes[0].name = "batch";
  EXPECT_TRUE(
      overlayCurves({"other", &other}, 0, test::syntheticExperiment(), Metric::latency, 0).empty());
}

TEST(Readout, TellsLatencySpeedUpAndWhySamplingStopped) {
  const fusebench::Run run = test::syntheticRun();
  CellSummaries summaries;
  summaries.update(run);
  const Readout readout = readoutAt(run, summaries, contentOf(run, Metric::latency), {}, 0, 30);
  EXPECT_EQ(readout.title, "30 statements");
  ASSERT_EQ(readout.rows.size(), 3u);
  EXPECT_EQ(readout.rows[0].beside, "baseline");
  EXPECT_TRUE(readout.rows[1].beside.startsWith("4.1"));
  EXPECT_EQ(readout.rows[1].note, "converged · 31");
  EXPECT_TRUE(readout.plainText().contains("static, "));
}

TEST(Readout, OneIsSaidInTheSingularAndWhatEndedIsNotAwaited) {
  fusebench::Run run = test::syntheticRun();
  for (Cell& cell : run.cells) {
    if (cell.key.variant == 0) continue;
    cell.samples.clear();
    cell.stop = cell.key.variant == 1 ? Stop::unavailable : Stop::running;
  }
  CellSummaries summaries;
  summaries.update(run);
  const Readout readout = readoutAt(run, summaries, contentOf(run, Metric::latency), {}, 0, 1);
  EXPECT_EQ(readout.title, "1 statement");
  ASSERT_EQ(readout.rows.size(), 3u);
  EXPECT_EQ(readout.rows[1].value, "–");
  EXPECT_EQ(readout.rows[2].value, "not yet");
}

TEST(Readout, SaysNeverWhereACompileIsNotRepaid) {
  const fusebench::Run run = test::syntheticRun();
  CellSummaries summaries;
  summaries.update(run);
  const Readout readout = readoutAt(run, summaries, contentOf(run, Metric::payback), {}, 0, 1);
  EXPECT_EQ(readout.rows[1].value, "never");
}

TEST(CellSummaries, ComputeOnlyWhatHasNewSamplesAndWhatIsComparedWithIt) {
  fusebench::Run run = test::syntheticRun();
  CellSummaries summaries;
  summaries.update(run);
  EXPECT_EQ(summaries.computed(), 21u);
  summaries.update(run);
  EXPECT_EQ(summaries.computed(), 0u);
  run.cells[4].samples.push_back({99, 500});  // static at 5
  summaries.update(run);
  EXPECT_EQ(summaries.computed(), 1u);
  run.cells[3].samples.push_back({99, 500});  // eager at 5: two are compared with it
  summaries.update(run);
  EXPECT_EQ(summaries.computed(), 3u);
  run.cells[3].samples.push_back({100, 700});
  run.cells[8].samples.push_back({100, 700});
  summaries.update(run, {3});  // told of the baseline at 5, and of that alone
  EXPECT_EQ(summaries.computed(), 3u);
  EXPECT_EQ(summaries.at(3).latency.value, run.cells[3].latency().value);
  EXPECT_EQ(summaries.at(4).speedUp->value, speedUp(run.cells[3], run.cells[4])->value);
  summaries.update(run, {8});
  EXPECT_EQ(summaries.computed(), 1u);
}

TEST(Thinning, AMillionPointsComeDownToTwoAPixelWithEveryExtremeAndTheWholeBand) {
  std::vector<CurvePoint> points;
  for (int i = 0; i < 1'000'000; ++i) {
    const double y = i == 500'003 ? 1e6 : i == 700'001 ? 1 : 100 + i % 7;
    points.push_back({static_cast<double>(i), around(y, i == 300'007 ? 90 : 1), true});
  }
  const Thinner thinner(points);
  const auto kept = thinner.thinned({0, 999'999, 800, false});
  EXPECT_LE(kept.size(), 1600u);
  EXPECT_GE(kept.size(), 800u);
  const auto has = [&](double y) {
    return std::any_of(kept.begin(), kept.end(),
                       [&](const CurvePoint& p) { return p.y.value == y; });
  };
  EXPECT_TRUE(has(1e6));
  EXPECT_TRUE(has(1));
  EXPECT_TRUE(std::any_of(kept.begin(), kept.end(),
                          [](const CurvePoint& p) { return p.y.low < 20 && p.y.value >= 100; }));
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                             [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; }));
}

TEST(Thinning, AZoomedWindowShowsEveryPointOfItAndOneBeyondEachEdge) {
  std::vector<CurvePoint> points;
  for (int i = 0; i < 100'000; ++i) points.push_back({static_cast<double>(i), around(i), true});
  const auto kept = thinned(points, {500.5, 520.5, 800, false});
  ASSERT_EQ(kept.size(), 22u);
  EXPECT_EQ(kept.front().x, 500);
  EXPECT_EQ(kept.back().x, 521);
}

TEST(Thinning, OnALogarithmicAxisColumnsAreRatios) {
  std::vector<CurvePoint> points;
  for (int i = 1; i <= 1'000'000; ++i) points.push_back({static_cast<double>(i), around(i), true});
  const auto kept = thinned(points, {1, 1e6, 600, true});
  EXPECT_LE(kept.size(), 1200u);
  const auto below =
      std::count_if(kept.begin(), kept.end(), [](const CurvePoint& p) { return p.x < 1000; });
  EXPECT_GT(below, 200);  // half of the screen, not a thousandth of it
}

TEST(AxisRange, ZoomingKeepsTheValueUnderTheMouse) {
  for (const bool logarithmic : {false, true}) {
    const AxisRange whole{1, 1000, logarithmic};
    const double value = valueAtShare(whole, 0.3);
    const AxisRange closer = zoomed(whole, 0.3, 0.5, whole);
    EXPECT_NEAR(shareOf(closer, value), 0.3, 1e-9);
    EXPECT_GT(closer.low, whole.low);
    EXPECT_LT(closer.high, whole.high);
  }
}

TEST(AxisRange, ZoomingEndsFarOutAndFarIn) {
  const AxisRange whole{0, 10, false};
  AxisRange range = whole;
  for (int i = 0; i < 500; ++i) range = zoomed(range, 0.5, 2, whole);
  EXPECT_NEAR(range.high - range.low, 40, 1e-6);
  for (int i = 0; i < 500; ++i) range = zoomed(range, 0.5, 0.5, whole);
  EXPECT_NEAR(range.high - range.low, 1e-5, 1e-9);
}

TEST(AxisRange, PanningNeverLosesTheCurves) {
  const AxisRange whole{1, 1000, true};
  AxisRange range = whole;
  for (int i = 0; i < 100; ++i) range = panned(range, 0.5, whole);
  EXPECT_NEAR(valueAtShare(range, 0.5), 1000, 1e-6);
}

TEST(AxisRange, ARectangleIsShownWhicheverWayItWasDrawn) {
  const AxisRange whole{0, 100, false};
  const AxisRange part = between(whole, 0.6, 0.2, whole);
  EXPECT_NEAR(part.low, 20, 1e-9);
  EXPECT_NEAR(part.high, 60, 1e-9);
  EXPECT_EQ(between(whole, 0.5, 0.501, whole).high, 100);  // a slip of the hand
}

TEST(SeriesVisibility, IsolatingTwiceShowsAllAgain) {
  SeriesVisibility visibility;
  const QStringList all{"a", "b", "c"};
  visibility.isolate("b", all);
  EXPECT_FALSE(visibility.shown("a"));
  EXPECT_TRUE(visibility.shown("b"));
  visibility.setShown("b", false);  // the first click of the second double click
  visibility.isolate("b", all);
  EXPECT_FALSE(visibility.anyHidden(all));
}

TEST(Comparison, CellsAreFoundByTheirPlacesOnBothAxes) {
  fusebench::Run run;
  run.experiment = test::syntheticExperiment();
  run.experiment.axes.push_back({"elements", "elements", {64, 4096}});
  for (const CellKey& key : cells(run.experiment)) {
    Cell cell;
    cell.key = key;
    run.cells.push_back(cell);
  }
  const int at = cellIndex(run, 2, 3, 1);
  ASSERT_GE(at, 0);
  EXPECT_EQ(run.cells[static_cast<std::size_t>(at)].key, (CellKey{2, {15, 4096}}));
  EXPECT_EQ(baselineOf(run, run.cells[static_cast<std::size_t>(at)])->key,
            (CellKey{0, {15, 4096}}));
  EXPECT_EQ(cellIndex(run, 0, 99), -1);
}

}  // namespace
}  // namespace fusebench
