// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/scaling.h"

#include <gmock/gmock.h>

#include <string>

#include "profiler/analysis/findings.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// One rank takes 100 us, two as given.
Run measuredRanks(double two, bool weak) {
  Run run;
  run.experiment =
      parseExperiment(std::string(R"json({"fusebench": "experiment", "version": 2, "title": "Ranks",
    "program": ["return x + 1"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [8]}]}],
    "variants": [{"name": "a", "executor": "static")json") +
                          (weak ? ", \"scaling\": \"weak\"" : "") + R"json(}], "baseline": "a",
    "axes": [{"name": "ranks", "values": [1, 2]}]})json",
                      "file");
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    for (int round = 0; round < 40; ++round)
      cell.samples.push_back(
          {round, (key.at[0] == 1 ? 100e3 : two) * (1 + 0.001 * (round % 5)), {}, 0, 0, {}});
  }
  return run;
}

TEST(Scaling, StrongIsTimeAndWeakIsWork) {
  const auto strong = scalingOf(measuredRanks(60e3, false));
  ASSERT_EQ(strong.size(), 1u);
  EXPECT_NEAR(strong[0].speedUp.value, 100.0 / 60, 1e-9);
  EXPECT_NEAR(strong[0].efficiency.value, 100.0 / 120, 1e-9);
  EXPECT_LE(strong[0].efficiency.low, strong[0].efficiency.value);
  const auto weak = scalingOf(measuredRanks(110e3, true));
  ASSERT_EQ(weak.size(), 1u);
  EXPECT_NEAR(weak[0].speedUp.value, 200.0 / 110, 1e-9);
  EXPECT_NEAR(weak[0].efficiency.value, 100.0 / 110, 1e-9);
}

TEST(Scaling, IsAFindingOfItsOwn) {
  const fusebench::Run run = measuredRanks(60e3, false);
  std::string all;
  for (const Finding& finding : findingsOf(run, {})) all += finding.text + "\n";
  EXPECT_THAT(all, HasSubstr("With 2 ranks, a does 1.67 times"));
  EXPECT_THAT(all, HasSubstr("83%"));
}

TEST(Scaling, EachRanksTimesAreKeptInTheFile) {
  fusebench::Run run = measuredRanks(60e3, false);
  for (Sample& sample : run.cells[1].samples) sample.ranks = {50e3, sample.nanoseconds};
  const fusebench::Run again = parseRun(runText(run), "file");
  EXPECT_EQ(again.cells[1].samples.front().ranks, run.cells[1].samples.front().ranks);
  EXPECT_TRUE(again.cells[0].samples.front().ranks.empty());
}

}  // namespace
}  // namespace fusebench
