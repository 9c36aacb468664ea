// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/bandwidth.h"

#include <gmock/gmock.h>

#include "profiler/export/result_json.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Runs of 1 to 4 statements: eager takes 100 ns for each and moves 1000 bytes in it; fused takes
/// 150 ns in total and moves 1500 bytes.
fusebench::Run moving() {
  fusebench::Run run = emptyRun(smallExperiment({1, 2, 3, 4}));
  fillSamples(run, 40, 0.002, 7, [](const CellKey& key) {
    return key.variant == 0 ? 100.0 * static_cast<double>(key.at[0]) : 150.0;
  });
  for (Cell& cell : run.cells) {
    cell.stop = Stop::converged;
    cell.bytesMoved = cell.key.variant == 0 ? 1000.0 * static_cast<double>(cell.key.at[0]) : 1500.0;
  }
  return run;
}

TEST(Bandwidth, IsTheBytesThatStepsMoveByTheCallsTime) {
  const fusebench::Run run = moving();
  for (const Cell& cell : run.cells) {
    const auto bandwidth = bandwidthOf(run, cell);
    ASSERT_TRUE(bandwidth);
    EXPECT_NEAR(bandwidth->value, 10e9, 0.01 * 10e9);
    const Estimate time = cell.latency();
    EXPECT_DOUBLE_EQ(bandwidth->low, *cell.bytesMoved * 1e9 / time.high) << "the longest time";
    EXPECT_EQ(bandwidth->kind, Estimate::Kind::interval);
  }
}

TEST(Bandwidth, IsOfWhatIsBroughtWhereInputsComeFromHostMemory) {
  fusebench::Run run = moving();
  run.experiment.variants[1].options.delivery.from = Delivery::From::pinned;
  const auto ofStatement = [&](int variant) {
    return movedBytesOf(run, *run.find({variant, {1}}));
  };
  EXPECT_EQ(ofStatement(0), 1000);
  ASSERT_TRUE(ofStatement(1));
  EXPECT_NE(ofStatement(1), 1500) << "the inputs' bytes, not those of the steps";
}

TEST(Bandwidth, IsNotKnownOfWhatSaysNothingOfBytes) {
  fusebench::Run run = moving();
  run.cells[0].bytesMoved.reset();
  run.cells[1].samples.clear();
  EXPECT_FALSE(bandwidthOf(run, run.cells[0]));
  EXPECT_FALSE(bandwidthOf(run, run.cells[1]));
  const fusebench::Run perByte = timesPerByte(run);
  EXPECT_TRUE(perByte.cells[0].samples.empty());
  EXPECT_EQ(bandwidthRatioOf(perByte, perByte.cells[1]).kind, Estimate::Kind::none);
}

TEST(Bandwidth, RatiosAndBreakEvensAreOfBytesASecondNotOfTimes) {
  fusebench::Run run = moving();
  // Fused moves a third as much: it is faster at 2 or more statements, but has less bandwidth.
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.bytesMoved = 500;
  const fusebench::Run slower = timesPerByte(run);
  EXPECT_NEAR(bandwidthRatioOf(slower, *slower.find({1, {3}})).value, 1.0 / 3, 0.01);
  ASSERT_EQ(bandwidthCrossings(slower).size(), 1u);
  EXPECT_EQ(bandwidthCrossings(slower)[0].status, CrossingStatus::never);
  EXPECT_THAT(bandwidthSentence(bandwidthCrossings(slower)[0], "statements"),
              HasSubstr("fused does not have a higher bandwidth than eager at any point"));
  // As much as eager's bytes and half as much again for each further statement.
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.bytesMoved = 600.0 * static_cast<double>(cell.key.at[0]);
  const fusebench::Run ahead = timesPerByte(run);  // 4, 8, 12, 16 against 10 GB/s
  const auto crossings = bandwidthCrossings(ahead);
  ASSERT_EQ(crossings.size(), 1u);
  EXPECT_EQ(crossings[0].status, CrossingStatus::found);
  EXPECT_TRUE(crossings[0].ofBandwidth);
  EXPECT_GT(crossings[0].at, 2);
  EXPECT_LT(crossings[0].at, 3);
  EXPECT_THAT(bandwidthSentence(crossings[0], "statements"),
              HasSubstr("fused has a higher bandwidth than eager at 2."));
  for (const Crossing& each : findCrossings(run)) EXPECT_FALSE(each.ofBandwidth);
}

TEST(Bandwidth, ThatIsNeverKnownIsComparedWithNothing) {
  fusebench::Run run = moving();
  for (Cell& cell : run.cells)
    if (cell.key.variant == 1) cell.bytesMoved.reset();
  EXPECT_THAT(bandwidthCrossings(timesPerByte(run)), testing::IsEmpty());
}

TEST(Bandwidth, OfABusIsNotComparedWithThatOfKernels) {
  fusebench::Run run = moving();
  run.experiment.variants[1].options.delivery.from = Delivery::From::pinned;
  const Cell& brought = *run.find({1, {3}});
  EXPECT_TRUE(bandwidthOf(run, brought));
  EXPECT_FALSE(sameBytesAsBaseline(run, brought));
  EXPECT_TRUE(sameBytesAsBaseline(run, *run.find({0, {3}})));
  const fusebench::Run perByte = timesPerByte(run);
  EXPECT_EQ(bandwidthRatioOf(perByte, *perByte.find({1, {3}})).kind, Estimate::Kind::none);
  EXPECT_THAT(bandwidthCrossings(perByte), testing::IsEmpty());
  run.experiment.variants[0].options.delivery.from = Delivery::From::pageable;
  EXPECT_TRUE(sameBytesAsBaseline(run, brought));
}

TEST(Bandwidth, ThatIsAheadAfterATieSaysWhatHoldsBefore) {
  Crossing crossing;
  crossing.variant = "fused";
  crossing.baseline = "eager";
  crossing.status = CrossingStatus::found;
  crossing.at = 12;
  crossing.low = 1;
  crossing.high = 12;
  crossing.fromTie = true;
  EXPECT_EQ(bandwidthSentence(crossing, "elements"),
            "fused has a higher bandwidth than eager at 12 or more elements; before that the "
            "difference is within noise");
}

TEST(Bandwidth, IsKeptInTheRunAndSaidInTheResult) {
  const fusebench::Run again = parseRun(runText(moving()), "file");
  EXPECT_EQ(again.cells[0].bytesMoved, moving().cells[0].bytesMoved);
  const auto result = resultJson(again, findCrossings(again));
  EXPECT_EQ(result["cells"][0]["bytes_moved"], 1000);
  EXPECT_NEAR(result["cells"][0]["bandwidth_gbps"].get<double>(), 10, 0.1);
  EXPECT_LT(result["cells"][0]["bandwidth_gbps_ci"][0], result["cells"][0]["bandwidth_gbps_ci"][1]);
  ASSERT_EQ(result["bandwidth_crossings"].size(), 1u);
  EXPECT_EQ(result["bandwidth_crossings"][0]["metric"], "bandwidth");
  for (const auto& each : result["crossings"]) EXPECT_EQ(each["metric"], "latency");
}

}  // namespace
}  // namespace fusebench
