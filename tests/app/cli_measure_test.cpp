// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring on a GPU from outside, by the clock of the double: what each step costs is set, so what
// the command line must find is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// Nanoseconds. The device is slower than the host, so that all the times differ.
constexpr double kLaunch = 2000, kKernel = 3000, kWait = 1500, kGraph = 10500, kNode = 1000;
constexpr double kEvent = 300, kCopy = 900;
constexpr double kCompilation = 2'000'000;
constexpr const char* kCosts =
    "launch=2000 kernel=3000 synchronize=1500 graphLaunch=10500 graphNode=1000 event=300 copy=900 "
    "fill=50000 compilation=2000000";

class CliOnVirtualClock : public testing::Test {
 protected:
  CliOnVirtualClock() {
    set("FUSEBENCH_CUDA_DRIVER", fusebench::test::cudaDoublePath());
    set("FUSEBENCH_CUDA_NVRTC", fusebench::test::cudaDoublePath());
    set("FUSEBENCH_NVML", fusebench::test::cudaDoublePath());
    set("FUSEBENCH_CUPTI", fusebench::test::cudaDoublePath());
    set("FUSEBENCH_DOUBLE_COSTS", kCosts);
    set("FUSEBENCH_DOUBLE_CLOCK", "1");
    set("LD_PRELOAD", fusebench::test::cudaDoublePath());  // from here on in what is started
    const char* sanitizer = std::getenv("ASAN_OPTIONS");
    set("ASAN_OPTIONS", (std::string(sanitizer ? sanitizer : "") + ":verify_asan_link_order=0"));
  }
  ~CliOnVirtualClock() override {
    for (const auto& [name, before] : before_)
      if (before)
        setenv(name.c_str(), before->c_str(), 1);
      else
        unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::string& value) {
    const char* now = std::getenv(name.c_str());
    before_.try_emplace(name, now ? std::optional<std::string>(now) : std::nullopt);
    setenv(name.c_str(), value.c_str(), 1);
  }
  std::string experiment(const std::string& measure, int sessions = 1) {
    const std::string path = folder.path("virtual.json");
    std::ofstream(path) << R"json({"fusebench": "experiment", "version": 1, "title": "Known costs",
      "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
      "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4, 16]}]}],
      "variants": [{"name": "eager", "executor": "eager"},
                   {"name": "static", "executor": "static"},
                   {"name": "replay", "executor": "replay"}],
      "baseline": "eager",
      "axes": [{"name": "statements", "values": [1, 2, 3, 4, 8]}],
      "measure": {"minimumSamples": 10, "maximumSamples": 12, "compileRepeats": 1, "sessions": )json"
                        << sessions << measure << "}}";
    return path;
  }
  json run(const std::string& measure) {
    const Ended ended = runCli({"run", experiment(measure), "--device", "cuda", "--json"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return json::parse(ended.out, nullptr, false);
  }
  TemporaryFolder folder;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

/// A sample of at least a millisecond has a beginning and an end besides its calls: what `edges`
/// take is shared out to them.
void expectSteady(const json& value, double call, double edges, const json& cell) {
  ASSERT_TRUE(value.is_number()) << cell;
  EXPECT_GE(value, call - 0.01) << cell;  // CUDA events report milliseconds as a float
  EXPECT_LE(value, call * (1 + edges / 0.98e6) + 0.01) << cell;
}

TEST_F(CliOnVirtualClock, FindsWhatEachCallCosts) {
  // By the virtual clock as long as ever, but the second pass ends by the host's.
  const json result = run(R"(, "budgetSeconds": 600)");
  ASSERT_EQ(result["cells"].size(), 15u);
  EXPECT_EQ(result["cache"], "hot");
  for (const json& cell : result["cells"]) {
    const double launches = cell["at"][0].get<double>() + 1;
    if (cell["variant"] == "eager") {
      EXPECT_EQ(cell["launches"]["max"], launches);
      expectSteady(cell["latency_ns"], launches * kKernel, kLaunch + kWait + kEvent, cell);
      expectSteady(cell["event_ns"], launches * kKernel, kLaunch, cell);
      EXPECT_EQ(cell["enqueue_ns"], launches * kLaunch) << cell;
      EXPECT_EQ(cell["single_ns"], kLaunch + launches * kKernel + kWait) << cell;
      EXPECT_NEAR(cell["device_ns"], launches * kKernel, 0.1) << cell;
    } else if (cell["variant"] == "static") {
      EXPECT_EQ(cell["launches"]["max"], 1);
      expectSteady(cell["latency_ns"], kKernel, kLaunch + kWait + kEvent, cell);
      expectSteady(cell["event_ns"], kKernel, kLaunch, cell);
      EXPECT_EQ(cell["enqueue_ns"], kLaunch) << cell;
      EXPECT_EQ(cell["single_ns"], kLaunch + kKernel + kWait) << cell;
      EXPECT_NEAR(cell["device_ns"], kKernel, 0.1) << cell;
      EXPECT_NEAR(cell["compile_first_ns"], kCompilation, 0.01 * kCompilation) << cell;
    } else {  // bound by the launch of the graph: its nodes are quicker
      const double nodes = launches * kNode;
      expectSteady(cell["latency_ns"], kGraph, nodes + kWait + kEvent, cell);
      expectSteady(cell["event_ns"], kGraph, nodes, cell);
      EXPECT_EQ(cell["enqueue_ns"], kGraph) << cell;
      // The inputs are copied while the graph is launched.
      EXPECT_EQ(cell["single_ns"], kGraph + nodes + kWait) << cell;
      // The launch of the graph, which decides the time between events, is not the device's.
      EXPECT_NEAR(cell["device_ns"], nodes + kCopy, 0.1) << cell;
    }
    EXPECT_EQ(cell["samples"], 10);
    EXPECT_EQ(cell["clock_mhz"]["median"], 1000);
    EXPECT_EQ(cell["dropped"], 0);
    // The traced pass sees the host's part, and a second one, by CUPTI, what the device did.
    ASSERT_TRUE(cell["anatomy"].is_object()) << cell;
    EXPECT_GT(cell["anatomy"]["parts"]["launch"], 0) << cell;
    const bool replayed = cell["variant"] == "replay", fused = cell["variant"] == "static";
    ASSERT_TRUE(cell["anatomy"].contains("device")) << cell;
    const json& device = cell["anatomy"]["device"];
    EXPECT_EQ(cell["kernel_ns"], fused ? kKernel : launches * (replayed ? kNode : kKernel)) << cell;
    EXPECT_EQ(cell["gap_ns"], 0) << cell;
    // The host's marks use another clock. They cannot tell for certain which of two calls requested
    // the copy between their graphs, and the device is not idle during this copy.
    EXPECT_LE(device["delay_ns"], replayed ? kGraph : kLaunch) << cell;
    EXPECT_GE(device["delay_ns"], replayed ? kGraph - kCopy : kLaunch) << cell;
    EXPECT_EQ(device["executions"], fused ? 1 : launches) << cell;
    EXPECT_EQ(device["calls"], 10) << cell;
    ASSERT_EQ(device["launches"].size(), fused ? 1 : launches) << cell;
    EXPECT_EQ(device["launches"][0]["kernels_ns"], replayed ? kNode : kKernel) << cell;
    double total = 0;
    for (const json& kernel : device["by_kernel"]) total += kernel["total_ns"].get<double>();
    EXPECT_EQ(total, 10 * cell["kernel_ns"].get<double>()) << cell;
  }
  EXPECT_EQ(result["environment"]["cupti"], "13.0 (interface 130001)");
}

TEST_F(CliOnVirtualClock, TimesTheSameWhereCuptiMayNotRecord) {
  set("FUSEBENCH_DOUBLE_CUPTI", "result=35");
  const json result = run("");
  for (const json& cell : result["cells"]) {
    if (cell["variant"] != "eager") continue;
    const double launches = cell["at"][0].get<double>() + 1;
    EXPECT_EQ(cell["single_ns"], kLaunch + launches * kKernel + kWait) << cell;
    EXPECT_TRUE(cell["anatomy"].is_object());
    EXPECT_TRUE(cell["kernel_ns"].is_null());
    EXPECT_TRUE(cell["gap_ns"].is_null());
    EXPECT_THAT(cell["anatomy"]["device_problem"].get<std::string>(),
                testing::HasSubstr("this user has no permission to record"));
  }
}

TEST_F(CliOnVirtualClock, FindsTheBreakEvenThatFollowsFromThem) {
  const json result = run("");
  std::map<std::string, json> breakEvens;
  for (const json& crossing : result["crossings"])
    if (crossing["kind"] == "break-even") {
      EXPECT_FALSE(breakEvens.contains(crossing["variant"])) << crossing;
      breakEvens[crossing["variant"]] = crossing;
    }
  // (n + 1) * 3 us of kernels against 10.5 us for a graph, however many nodes it has.
  const json& replay = breakEvens["replay"];
  ASSERT_EQ(replay["status"], "found") << replay;
  EXPECT_NEAR(replay["at"], kGraph / kKernel - 1, 0.02);
  EXPECT_NEAR(replay["ci_low"], kGraph / kKernel - 1, 0.02);
  EXPECT_NEAR(replay["ci_high"], kGraph / kKernel - 1, 0.02);
  // One launch instead of two or more: ahead everywhere, at first by 2.
  const json& fused = breakEvens["static"];
  EXPECT_EQ(fused["status"], "always") << fused;
  EXPECT_NEAR(fused["ratio_at_start"], 2, 0.01);
  for (const json& model : result["launch_models"])
    if (model["variant"] == "eager") {
      EXPECT_NEAR(model["per_launch_ns"]["value"], kKernel, 0.01 * kKernel);
    }
}

TEST_F(CliOnVirtualClock, FlushesTheCacheBeforeEachCallAndTimesTheCallAlone) {
  const json result = run(R"(, "cache": "flushed")");
  EXPECT_EQ(result["cache"], "flushed");
  for (const json& cell : result["cells"]) {
    const double launches = cell["variant"] == "eager" ? cell["at"][0].get<double>() + 1 : 1;
    if (cell["variant"] == "replay") continue;
    EXPECT_EQ(cell["latency_ns"], kLaunch + launches * kKernel + kWait) << cell;
    EXPECT_EQ(cell["single_ns"], cell["latency_ns"]);
    EXPECT_EQ(cell["enqueue_ns"], launches * kLaunch) << cell;
    EXPECT_NEAR(cell["event_ns"], kLaunch + launches * kKernel, 0.01) << cell;
    EXPECT_NEAR(cell["device_ns"], launches * kKernel, 0.01) << cell;
  }
}

TEST_F(CliOnVirtualClock, DoctorSaysWhatTheStepsOfACallCost) {
  const json all = json::parse(runCli({"doctor", "--json"}).out);
  std::map<std::string, json> checks;
  for (const json& check : all["checks"]) checks[check["name"]] = check;
  for (const char* device : {"cuda:0 costs", "cuda:1 costs"}) {
    const json& costs = checks[device];
    ASSERT_EQ(costs["status"], "good") << costs;
    const auto value = [&](const char* key) {
      return costs["figures"][key]["value"].get<double>();
    };
    EXPECT_EQ(value("enqueue_ns"), kLaunch);
    EXPECT_EQ(value("single_ns"), kLaunch + kKernel + kWait);
    EXPECT_EQ(value("graph_node_ns"), kNode);
    EXPECT_EQ(value("event_pair_ns"), 2 * kEvent);
    // In a row of 256, of which the first waits for the host and the last is waited for.
    EXPECT_NEAR(value("launch_ns"), kKernel + (kLaunch + kWait) / 256, 1e-6);
    EXPECT_NEAR(value("copy_ns"), kCopy + kWait / 256, 1e-6);
    EXPECT_THAT(costs["found"].get<std::string>(), HasSubstr("graph node 1"));
  }
  EXPECT_THAT(checks["cuda:0 clock"]["found"].get<std::string>(), HasSubstr("1000 MHz"));
}

TEST_F(CliOnVirtualClock, KeepsTheCalibrationWithTheRunAndPrintsIt) {
  const std::string out = folder.path("run.jsonl");
  const Ended ended = runCli({"run", experiment(""), "--device", "cuda", "--out", out});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("L2 cache hot"), HasSubstr("variant"),
                               HasSubstr("The device's clock stayed at 1000 MHz."),
                               HasSubstr("graph node 1")));
  const json again = json::parse(runCli({"analyze", out, "--json"}).out);
  EXPECT_EQ(again["environment"]["calibration"]["graph_node_ns"]["value"], kNode);
  EXPECT_EQ(again["cells"][0]["enqueue_ns"], 2 * kLaunch);
}

TEST_F(CliOnVirtualClock, CalibratesInEachSession) {
  const Ended ended = runCli({"run", experiment("", 3), "--device", "cuda", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json node = json::parse(ended.out)["environment"]["calibration"]["graph_node_ns"];
  EXPECT_EQ(node["sessions"], json::array({kNode, kNode, kNode}));
  EXPECT_EQ(node["ci_low"], kNode);
}

TEST_F(CliOnVirtualClock, DropsSamplesTakenWhileTheDeviceIsHeldDown) {
  set("FUSEBENCH_DOUBLE_THROTTLED", "7");
  const json result = run("");
  int dropped = 0;
  for (const json& cell : result["cells"]) {
    ASSERT_TRUE(cell.contains("dropped") && cell.contains("clock_mhz")) << cell.dump();
    dropped += cell["dropped"].get<int>();
    EXPECT_EQ(cell["samples"], 10);
    EXPECT_EQ(cell["clock_mhz"]["min"], 1000);  // none of the slow ones was kept
    if (cell["dropped"] > 0) {
      EXPECT_EQ(cell["dropped_why"], "slowed down by heat");
    }
  }
  EXPECT_EQ(dropped, 7);
}

TEST_F(CliOnVirtualClock, SaysWhenNothingIsLeftForHeat) {
  set("FUSEBENCH_DOUBLE_THROTTLED", "1000000");
  const Ended ended = runCli({"run", experiment(R"(, "budgetSeconds": 0.5)"), "--device", "cuda"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("dropped: the device was slowed down by heat"));
}

TEST(CliOnTheHost, DoesNotPretendToFlushItsCaches) {
  TemporaryFolder folder;
  const std::string path = folder.path("flushed.json");
  std::ofstream(path) << R"json({"fusebench": "experiment", "version": 1, "title": "No",
    "program": ["x = x + 1", "return x.sum()"],
    "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4]}]}],
    "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
    "axes": [{"name": "statements", "values": [1]}], "measure": {"cache": "flushed"}})json";
  const Ended ended = runCli({"run", path});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("the cache cannot be flushed on this device"));
}

}  // namespace
}  // namespace fusebench
