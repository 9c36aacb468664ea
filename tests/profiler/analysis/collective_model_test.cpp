// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/collective_model.h"

#include <gmock/gmock.h>

#include "profiler/analysis/findings.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr double kAlpha = 8000, kBeta = 0.5;  // ns, ns per byte

/// Two ranks; one variant with a collective alone, and one with a collective that overlaps an op.
Run measuredSizes(const std::string& sizes) {
  Run run;
  run.experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "Sizes",
    "programs": {"alone": ["import torch.distributed as dist", "def program(x):",
                           "    dist.all_reduce(x)", "    return x"],
                 "beside": ["import torch.distributed as dist", "def program(x):",
                            "    y = x * 2", "    dist.all_reduce(y)", "    return y"]},
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": ["elements"], "held": true}]}],
    "variants": [{"name": "a", "program": "alone", "executor": "static", "ranks": 2},
                 {"name": "b", "program": "beside", "executor": "static", "ranks": 2},
                 {"name": "c", "program": "alone", "executor": "static", "ranks": 2,
                  "dtype": "float64"}],
    "baseline": "a", "axes": [{"name": "elements", "values": )json" +
          sizes + "}]}",
      "file");
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    const double bytes = static_cast<double>(key.at[0]) * (key.variant == 2 ? 8 : 4);
    for (int round = 0; round < 40; ++round)
      cell.samples.push_back(
          {round, (kAlpha + kBeta * bytes) * (1 + 0.001 * (round % 5 - 2)), {}, 0, 0, {}});
  }
  return run;
}

TEST(CollectiveModels, AreOfProgramsThatDoNothingElse) {
  const auto models = collectiveModels(measuredSizes("[2, 1024, 65536, 1048576]"));
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].variant, 0);
  EXPECT_EQ(models[0].collective, "all_reduce");
  EXPECT_EQ(models[0].ranks, 2);
  EXPECT_NEAR(models[0].alpha.value, kAlpha, 0.01 * kAlpha);
  EXPECT_NEAR(models[0].beta.value, kBeta, 0.01 * kBeta);
  EXPECT_EQ(models[0].points.back().bytes, 4 << 20);
  EXPECT_LT(models[0].worst(), 0.01);
  EXPECT_EQ(models[1].variant, 2);
  EXPECT_EQ(models[1].points.back().bytes, 8 << 20) << "in the variant's own dtype";
}

TEST(CollectiveModels, TakeThreeSizes) {
  EXPECT_TRUE(collectiveModels(measuredSizes("[2, 1024]")).empty());
}

TEST(CollectiveModels, AreSaidWithHowFarTheirPointsLie) {
  fusebench::Run run = measuredSizes("[2, 1024, 65536, 1048576]");
  for (Cell& cell : run.cells)
    if (cell.key.at[0] == 1024)
      for (Sample& sample : cell.samples) sample.nanoseconds *= 1.3;
  const auto findings = findingsOf(run, {});
  const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
    return finding.text.find("a rank contributes") != std::string::npos;
  });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->variant, 0);
  EXPECT_THAT(found->text, HasSubstr("a by 2 ranks takes"));
  EXPECT_THAT(found->text, HasSubstr("GB/s"));
  EXPECT_GT(collectiveModels(run)[0].worst(), 0.1);
}

}  // namespace
}  // namespace fusebench
