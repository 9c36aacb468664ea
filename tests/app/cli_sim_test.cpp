// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated device from outside: its times are known, and everything says what they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/child.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CliSimulated : public testing::Test {
 protected:
  std::string experiment() {
    const std::string path = folder.path("small.json");
    std::ofstream(path) << R"json({"fusebench": "experiment", "version": 1, "title": "Known costs",
      "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
      "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4, 16]}]}],
      "variants": [{"name": "eager", "executor": "eager"},
                   {"name": "static", "executor": "static"},
                   {"name": "instant", "executor": "instant"},
                   {"name": "replay", "executor": "replay"}],
      "baseline": "eager",
      "axes": [{"name": "statements", "values": [1, 2, 4, 8]}],
      "measure": {"compileRepeats": 1}})json";
    return path;
  }
  TemporaryFolder folder;
};

TEST_F(CliSimulated, FindsWhatTheDeviceSaysAndMarksIt) {
  const std::string out = folder.path("run.jsonl");
  const Ended ended =
      runCli({"run", experiment(), "--device", "sim:round-numbers", "--json", "--out", out});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out, nullptr, false);
  EXPECT_EQ(result["simulated"], true);
  ASSERT_EQ(result["cells"].size(), 16u);
  for (const json& cell : result["cells"]) {
    const double kernels = cell["variant"] == "eager" || cell["variant"] == "replay"
                               ? cell["at"][0].get<double>() + 1
                               : 1;
    ASSERT_TRUE(cell["latency_ns"].is_number()) << cell;
    // A kernel takes 2 µs and a little, a launch 1: the device decides.
    EXPECT_NEAR(cell["latency_ns"].get<double>(), 2000 * kernels, 0.03 * 2000 * kernels) << cell;
    EXPECT_EQ(cell["single_ns"].get<double>() > 1000 + 2000 * kernels - 1, true) << cell;
    EXPECT_NEAR(cell["device_ns"].get<double>(), 2000 * kernels, 0.03 * 2000 * kernels) << cell;
    EXPECT_LT(cell["rel_error"].get<double>(), 1e-5) << cell;  // values are the processor's
    EXPECT_TRUE(cell["anatomy"]["device"].is_object()) << cell;
  }
  // A fused call of two ops and a sum reads 256 bytes and writes a number.
  const json& fused = result["cells"][5];
  ASSERT_EQ(fused["variant"], "static");
  EXPECT_EQ(fused["bytes_moved"], 260);
  EXPECT_NEAR(fused["bandwidth_gbps"].get<double>(), 260 / fused["latency_ns"].get<double>(), 1e-9);
  const Ended bandwidth = runCli({"analyze", out, "--metric", "bandwidth"});
  EXPECT_EQ(bandwidth.code, 0) << bandwidth.err;
  EXPECT_THAT(bandwidth.out, HasSubstr("Simulated: all times come from a model"));
  EXPECT_THAT(bandwidth.out, HasSubstr("more is better"));
  EXPECT_THAT(bandwidth.out,
              HasSubstr("static does not have a higher bandwidth than eager at any point"));
  EXPECT_EQ(runCli({"analyze", out, "--metric", "widthband"}).code, 2);
  EXPECT_EQ(runCli({"analyze", "torch_compile_2025", "--metric", "bandwidth"}).code, 2);
  const Ended report = runCli({"analyze", out});
  EXPECT_THAT(report.out, HasSubstr("Simulated: all times come from a model"));
  EXPECT_THAT(report.out, HasSubstr("made up for teaching"));
  EXPECT_THAT(report.out, HasSubstr("Simulated on: "));
  EXPECT_THAT(report.out, testing::Not(HasSubstr("narrow enough")));
  // Where the model's figures come from is long: the run has it, and devices says it.
  const std::string note = "times can be worked out by hand";
  EXPECT_THAT(report.out, testing::Not(HasSubstr(note)));
  EXPECT_THAT(result["environment"]["model_note"].get<std::string>(), HasSubstr(note));
}

std::string ranksExperiment(const TemporaryFolder& folder) {
  const std::string path = folder.path("ranks.json");
  std::ofstream(path) << R"json({"fusebench": "experiment", "version": 2, "title": "Ranks",
    "program": ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
                "        self.layer = nn.Linear(16, 8)",
                "    def forward(self, x, target):",
                "        return F.mse_loss(F.relu(self.layer(x)), target)"],
    "inputs": [{"name": "all", "count": 2, "tensors": [{"name": "x", "extents": [96, 16]},
                                                       {"name": "target", "extents": [96, 8]}]}],
    "variants": [{"name": "eager", "executor": "eager", "gradients": true},
                 {"name": "weak", "executor": "static", "gradients": true, "scaling": "weak",
                  "buckets": "each", "overlap": true},
                 {"name": "replay", "executor": "replay", "gradients": true, "scaling": "weak"}],
    "baseline": "eager", "axes": [{"name": "ranks", "values": [1, 2]}],
    "measure": {"budgetSeconds": 100, "minimumSamples": 6, "maximumSamples": 6, "sessions": 1,
                "compileRepeats": 0}})json";
  return path;
}

TEST_F(CliSimulated, RanksGoToAThousandWithNoProcessOfTheirOwn) {
  setenv("FUSEBENCH_MPIRUN", "no-such-mpirun", 1);
  const std::string file = ranksExperiment(folder);
  const Ended ended =
      runCli({"run", file, "--quick", "--json", "--device", "sim:h100", "--ranks", "1024"});
  unsetenv("FUSEBENCH_MPIRUN");
  const json result = json::parse(ended.out, nullptr, false);
  ASSERT_EQ(result["cells"].size(), 33u) << ended.err;
  double before = 0;
  for (const json& cell : result["cells"]) {
    const int ranks = cell["at"][0].get<int>();
    if (cell["variant"] == "eager" && 96 % ranks != 0) {
      EXPECT_THAT(cell["error"].get<std::string>(), HasSubstr("cannot be divided evenly"));
      continue;
    }
    ASSERT_TRUE(cell["latency_ns"].is_number()) << cell;
    EXPECT_TRUE(cell["error"].is_null()) << cell;
    if (ranks > 1) {
      EXPECT_TRUE(cell["rel_error"].is_null()) << cell;
    }
    if (cell["variant"] != "weak") continue;
    EXPECT_GE(cell["latency_ns"].get<double>(), before) << cell;
    before = cell["latency_ns"].get<double>();
  }
  EXPECT_EQ(result["simulated"], true);
}

TEST_F(CliSimulated, WhatPassesIsInTheReport) {
  const Ended ranks =
      runCli({"run", ranksExperiment(folder), "--quick", "--device", "sim:h100", "--ranks", "4"});
  EXPECT_THAT(ranks.out, testing::AllOf(HasSubstr("Scaling: the work done"),
                                        HasSubstr("efficiency %"), HasSubstr("  weak  ")));
  EXPECT_THAT(ranks.out, testing::Not(HasSubstr("Host-to-device bandwidth (H2D)")));
  const Ended copies = runCli({"run", "pinned_transfers", "--quick", "--device", "sim:h100"});
  EXPECT_THAT(copies.out,
              testing::AllOf(HasSubstr("Host-to-device bandwidth (H2D)"), HasSubstr("GB/s")));
  // Large copies reach the bus bandwidth in the device's file.
  EXPECT_TRUE(std::regex_search(
      copies.out,
      std::regex("4194304 +pinned +16777216 +(4[5-9]|5[0-5])[.0-9]* \\[(4[5-9]|5[0-5])")))
      << copies.out;
}

TEST_F(CliSimulated, ARunOfRanksIsFittedAndGoneOnWith) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "no mpirun";
  const std::string out = folder.path("run.jsonl"), on = folder.path("on.jsonl"),
                    device = folder.path("here.json");
  ASSERT_EQ(runCli({"run", ranksExperiment(folder), "--quick", "--out", out}).code, 0);
  const Ended ended = runCli({"fit", out, "--name", "here", "--out", device, "--ranks", "64",
                              "--continued", on, "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json fit = json::parse(ended.out, nullptr, false);
  EXPECT_EQ(fit["continuation"]["measured_points"], 6);
  EXPECT_EQ(fit["continuation"]["simulated"], true);
  EXPECT_TRUE(fit["continuation"]["median_error"].is_number());
  EXPECT_EQ(fit["continuation"]["cells"].size(), 3u * 7u);
  EXPECT_TRUE(fit["fit"]["standard_error"].contains("link_latency_ns"));
  EXPECT_THAT(runCli({"analyze", on}).out,
              testing::AllOf(HasSubstr("Simulated: all times come from a model"),
                             HasSubstr("at the 6 measured points the median error is")));
  EXPECT_EQ(runCli({"run", ranksExperiment(folder), "--quick", "--device", "sim:" + device}).code,
            0);
  const Ended none = runCli({"fit", out, "--continued", on});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err,
              HasSubstr("--continued saves the experiment that --ranks extends; give both"));
}

TEST_F(CliSimulated, TwoRunsAreTheSame) {
  const auto latencies = [&] {
    const json result =
        json::parse(runCli({"run", experiment(), "--quick", "--device", "sim:h100", "--json"}).out,
                    nullptr, false);
    std::vector<double> all;
    for (const json& cell : result["cells"]) all.push_back(cell["latency_ns"].get<double>());
    return all;
  };
  const std::vector<double> once = latencies();
  EXPECT_EQ(once.size(), 16u);
  EXPECT_EQ(once, latencies());
}

TEST_F(CliSimulated, AQueueThatRunsDryIsInTheTrace) {
  const std::string trace = folder.path("trace.json");
  const Ended ended =
      runCli({"run", experiment(), "--quick", "--device", "sim:slow-launch", "--trace", trace});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::ifstream in(trace);
  const json read = json::parse(in, nullptr, false);
  std::vector<std::pair<double, double>> kernels;
  for (const json& event : read["traceEvents"])
    if (event.value("cat", "") == "kernel" && event["args"].value("graph id", 0) == 0)
      kernels.push_back({event["ts"], event["dur"]});
  ASSERT_GT(kernels.size(), 10u);
  // A kernel takes about 2 µs and a launch 20: the device is idle between two kernels of a call.
  int dry = 0;
  for (std::size_t k = 1; k < kernels.size(); ++k)
    dry += kernels[k].first - kernels[k - 1].first - kernels[k - 1].second > 15;
  EXPECT_GT(dry, static_cast<int>(kernels.size() / 2));
}

TEST_F(CliSimulated, DevicesAreListedApartAndMistakesEndWithTwo) {
  const json devices = json::parse(runCli({"devices", "--json"}).out, nullptr, false);
  ASSERT_GE(devices["simulated"].size(), 3u);
  for (const json& device : devices["simulated"]) {
    EXPECT_EQ(device["simulated"], true);
    EXPECT_THAT(device["name"].get<std::string>(), HasSubstr("sim:"));
    EXPECT_GT(device["note"].get<std::string>().size(), 50u);
  }
  for (const json& device : devices["devices"])
    EXPECT_THAT(device["name"].get<std::string>(), testing::Not(HasSubstr("sim:")));
  const Ended wrong = runCli({"run", experiment(), "--device", "sim:h10"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"h100\"?"));
  EXPECT_EQ(runCli({"fit", experiment()}).code, 2);
}

TEST_F(CliSimulated, SimulatedRunsAreNoGroundForAFit) {
  const std::string out = folder.path("run.jsonl");
  ASSERT_EQ(runCli({"run", experiment(), "--quick", "--device", "sim:h100", "--out", out}).code, 0);
  const Ended ended = runCli({"fit", out});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("this run is simulated"));
}

}  // namespace
}  // namespace fusebench
