// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated run's times carry the error of its device's model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "profiler/analysis/crossings.h"
#include "profiler/analysis/findings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/export/cell_text.h"
#include "profiler/export/export_table.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The baseline takes 10 per statement, the other 45 always: they cross at 4.5 statements.
Run simulatedRun(double error) {
  Run run = emptyRun(smallExperiment({1, 2, 3, 4, 5, 6, 8, 12}));
  run.device = "sim:some";
  run.environment = {{kModelError, error}, {kModelExact, true}};
  fillSamples(run, 1, 0, 1, [](const CellKey& key) {
    return key.variant == 0 ? 10.0 * static_cast<double>(key.at[0]) : 45.0;
  });
  for (Cell& cell : run.cells) cell.stop = Stop::converged;
  run.takeModelError();
  return run;
}

std::vector<Crossing> breakEvensOf(const Run& run) {
  std::vector<Crossing> found = findCrossings(run);
  std::erase_if(found, [](const Crossing& c) { return c.kind != Crossing::Kind::breakEven; });
  return found;
}

TEST(ModelErrors, AreTheIntervalOfASimulatedTime) {
  const auto run = simulatedRun(0.1);
  const Estimate latency = run.cells[1].latency();
  EXPECT_EQ(latency.kind, Estimate::Kind::interval);
  EXPECT_DOUBLE_EQ(latency.value, 45);
  EXPECT_DOUBLE_EQ(latency.low, 40.5);
  EXPECT_DOUBLE_EQ(latency.high, 49.5);
  EXPECT_EQ(latencyText(run.cells[1], unitOfTime(45), CellMarks(run), Letters::plain),
            "45.0 [40.5-49.5]");
}

TEST(ModelErrors, AreAddedAsSquaresInWhatComparesTwoTimes) {
  const auto run = simulatedRun(0.1);
  const auto ratio = speedUpOf(run, run.cells[1]);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->kind, Estimate::Kind::interval);
  const double width = std::exp(std::sqrt(2.0) * std::log(1.1));
  EXPECT_NEAR(ratio->low, ratio->value / width, 1e-12);
  EXPECT_NEAR(ratio->high, ratio->value * width, 1e-12);
  const Estimate gain = gainOf(pairByRound(run.cells[0], run.cells[1]));
  EXPECT_NEAR(gain.high - gain.value, std::hypot(1.0, 4.5), 1e-12);
}

TEST(ModelErrors, WidenBreakEvens) {
  const std::vector<Crossing> crossings = breakEvensOf(simulatedRun(0.1));
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_EQ(crossings[0].status, CrossingStatus::found);
  EXPECT_DOUBLE_EQ(crossings[0].at, 4.5);
  EXPECT_LT(crossings[0].low, 4);
  EXPECT_GT(crossings[0].high, 5);
}

TEST(ModelErrors, AreNamedWhereTwoTimesAreNotToldApart) {
  auto run = simulatedRun(0.1);
  for (Cell& cell : run.cells)
    for (Sample& sample : cell.samples) sample.nanoseconds = cell.key.variant == 0 ? 100 : 101;
  EXPECT_EQ(sentence(breakEvensOf(run).at(0), "statements"),
            "fused and eager differ by less than the model's error");
  for (const Finding& finding : findingsOf(run, findCrossings(run)))
    EXPECT_THAT(finding.text, Not(HasSubstr("by what was measured"))) << finding.headline;
}

TEST(ModelErrors, AreCalledSoAndNotNoise) {
  const auto run = simulatedRun(0.1158);
  EXPECT_EQ(wording::sessions(run), "by the model's error, ±11.6%");
  EXPECT_THAT(latencyTable(run).notes, testing::Contains(HasSubstr("the model's error, ±11.6%")));
  for (const Finding& finding : findingsOf(run, findCrossings(run)))
    EXPECT_NE(finding.kind, Finding::Kind::noise) << finding.headline;
}

TEST(ModelErrors, AreNoneOfADeviceThatIsMadeUp) {
  const auto run = simulatedRun(0);
  const Estimate latency = run.cells[1].latency();
  EXPECT_EQ(latency.kind, Estimate::Kind::interval);
  EXPECT_EQ(latency.low, latency.high);
  EXPECT_EQ(latencyText(run.cells[1], unitOfTime(45), CellMarks(run), Letters::plain), "45.0");
  EXPECT_EQ(wording::sessions(run), "");
  const std::vector<Crossing> crossings = breakEvensOf(run);
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_DOUBLE_EQ(crossings[0].low, crossings[0].high);
}

TEST(ModelErrors, AreReadBackFromARunsFile) {
  const auto run = simulatedRun(0.1);
  const auto read = parseRun(runText(run), "run.jsonl");
  EXPECT_EQ(read.cells[1].modelError, 0.1);
  EXPECT_TRUE(read.isExact());
  auto measured = run;
  measured.device = "cpu";
  EXPECT_FALSE(parseRun(runText(measured), "run.jsonl").cells[1].modelError);
}

}  // namespace
}  // namespace fusebench
