// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the modules of a model, from recorded calls.
#include "profiler/analysis/module_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "profiler/analysis/findings.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Two blocks of two statements each and one of the model's own, in two variants.
Run recordedRun() {
  Run run;
  run.experiment = parseExperiment(R"json({"fusebench": "experiment", "version": 2,
    "title": "m", "program": ["def forward(x):", "    a = torch.ops.aten.exp.default(x)",
      "    b = torch.ops.aten.sin.default(a)", "    c = torch.ops.aten.exp.default(b)",
      "    d = torch.ops.aten.sin.default(c)", "    e = torch.ops.aten.cos.default(d)",
      "    return e"],
    "inputs": [{"name": "captured", "tensors": [{"name": "x", "extents": [4, 8]}]}],
    "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}],
    "baseline": "eager",
    "capture": {"modules": ["", "layers.0.act", "layers.1.act", "layers.0"], "sources": [""],
      "nodes": [[0, 2, 1, 0], [0, 3, 3, 0], [0, 4, 2, 0], [0, 5, 2, 0], [0, 6, 0, 0]]}})json",
                                   "m.json");
  run.experiment.axes = {{"threads", "threads", {1}}};
  for (const CellKey& key : cells(run.experiment)) {
    Cell& cell = run.cells.emplace_back();
    cell.key = key;
    cell.stop = Stop::converged;
    for (int i = 0; i < 31; ++i) cell.samples.push_back({i, key.variant == 0 ? 50.0 : 20.0});
  }
  return run;
}

/// Records a call: the statements of each launch, and what it takes.
void record(Run& run, int variant,
            const std::vector<std::pair<std::vector<int>, double>>& launches) {
  for (Cell& cell : run.cells) {
    if (cell.key.variant != variant) continue;
    CallAnatomy& anatomy = cell.anatomy.emplace();
    for (const auto& [statements, time] : launches) {
      LaunchAnatomy& launch = anatomy.launches.emplace_back();
      launch.statements = statements;
      launch.nanoseconds[static_cast<std::size_t>(CallPart::kernel)] = time;
    }
  }
}

std::string shown(const std::vector<ModuleTime>& times) {
  std::string text;
  for (const ModuleTime& each : times)
    text += fmt::format("{}{}: {} statements, {} ns, {} launches\n",
                        std::string(static_cast<std::size_t>(each.depth) * 2, ' '),
                        each.path.empty() ? "model" : each.path, each.statements, each.nanoseconds,
                        each.launches);
  return text;
}

TEST(ModuleTimes, AddUpWithinTheModulesAround) {
  fusebench::Run run = recordedRun();
  record(run, 0, {{{0}, 10}, {{1}, 20}, {{2}, 1}, {{3}, 2}, {{4}, 5}});
  EXPECT_EQ(shown(moduleTimes(run, run.cells[0])),
            "model: 5 statements, 38 ns, 5 launches\n"
            "  layers: 4 statements, 33 ns, 4 launches\n"
            "    layers.0: 2 statements, 30 ns, 2 launches\n"
            "      layers.0.act: 1 statements, 10 ns, 1 launches\n"
            "    layers.1: 2 statements, 3 ns, 2 launches\n"
            "      layers.1.act: 2 statements, 3 ns, 2 launches\n");
}

TEST(ModuleTimes, ShareALaunchOfSeveralModulesByStatements) {
  fusebench::Run run = recordedRun();
  record(run, 1, {{{0, 1, 2, 3}, 40}, {{4, -1}, 6}});
  const auto times = moduleTimes(run, run.cells[1]);
  EXPECT_DOUBLE_EQ(times[0].nanoseconds, 46);
  EXPECT_DOUBLE_EQ(times[2].nanoseconds, 20);  // layers.0
  EXPECT_DOUBLE_EQ(times[2].launches, 0.5);
}

TEST(ModuleTimes, AreKnownByStatement) {
  fusebench::Run run = recordedRun();
  EXPECT_TRUE(statementTimes(run, run.cells[1]).empty());
  record(run, 1, {{{0, 1, 2, 3}, 40}, {{4, -1}, 6}});
  EXPECT_THAT(statementTimes(run, run.cells[1]), testing::ElementsAre(10, 10, 10, 10, 3, 3));
}

TEST(ModuleTimes, AreNotKnownWithoutStatementsOrModules) {
  fusebench::Run run = recordedRun();
  EXPECT_TRUE(moduleTimes(run, run.cells[0]).empty());
  record(run, 0, {{{}, 10}});
  EXPECT_TRUE(moduleTimes(run, run.cells[0]).empty());
  record(run, 0, {{{0}, 10}});
  run.experiment.capture.reset();
  EXPECT_TRUE(moduleTimes(run, run.cells[0]).empty());
}

TEST(ModuleCosts, HaveTheBytesAndOperationsOfTheSteps) {
  fusebench::Run run = recordedRun();
  record(run, 0, {{{0}, 10}, {{1}, 20}, {{2}, 1}, {{3}, 2}, {{4}, 5}});
  const auto costs = moduleCosts(run, run.cells[0]);
  // Each op reads and writes 32 float32 elements.
  EXPECT_EQ(costs[0].bytes, 5 * 2 * 32 * 4.0);
  EXPECT_EQ(costs[2].bytes, 2 * 2 * 32 * 4.0);
  EXPECT_GE(costs[2].flops.value_or(0), 2 * 32.0);
}

TEST(ModuleTimes, AreSortedWithTheModelFirst) {
  fusebench::Run run = recordedRun();
  record(run, 0, {{{0}, 10}, {{1}, 20}, {{2}, 1}, {{3}, 2}, {{4}, 5}});
  std::vector<std::string> paths;
  for (const ModuleTime& each : modulesByTime(moduleTimes(run, run.cells[0])))
    paths.push_back(each.path);
  EXPECT_THAT(paths, testing::ElementsAre("", "layers", "layers.0", "layers.0.act", "layers.1",
                                          "layers.1.act"));
}

TEST(ModuleCosts, HaveAUnitThatSuits) {
  EXPECT_EQ(flopsText(0), "0 FLOP");
  EXPECT_EQ(flopsText(999), "999 FLOP");
  EXPECT_EQ(flopsText(1'814'000'000), "1.81 GFLOP");
  EXPECT_EQ(flopsText(999'700), "1.00 MFLOP");
}

TEST(ModuleKinds, HaveStarsForNumbers) {
  EXPECT_EQ(moduleKind("layers.3.attn"), "layers.*.attn");
  EXPECT_EQ(moduleKind("layer1.0.conv2"), "layer1.*.conv2");
}

const Finding* moduleFinding(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.headline.find("gains most") != std::string::npos) return &finding;
  return nullptr;
}

TEST(Findings, NameTheModuleThatGainsMostFromFusing) {
  fusebench::Run run = recordedRun();
  EXPECT_FALSE(moduleFinding(findingsOf(run, {})));
  record(run, 0, {{{0}, 10'000}, {{1}, 20'000}, {{2}, 1000}, {{3}, 2000}, {{4}, 5000}});
  EXPECT_FALSE(moduleFinding(findingsOf(run, {})));
  record(run, 1, {{{0}, 10'000}, {{1}, 5000}, {{2, 3, 4}, 3000}});
  const auto findings = findingsOf(run, {});
  const Finding* const finding = moduleFinding(findings);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->headline, "layers.* gains most from fusing");
  EXPECT_THAT(finding->text,
              HasSubstr("The 2 modules layers.* take 33.0\u202fµs per call of eager at "
                        "1 thread, and 17.0\u202fµs with static. That is 80% of what "
                        "static saves"));
  // One that is slower fused is no gain.
  run.cells[1].anatomy.reset();
  record(run, 1, {{{0, 1, 2, 3, 4}, 90'000}});
  EXPECT_FALSE(moduleFinding(findingsOf(run, {})));
}

}  // namespace
}  // namespace fusebench
