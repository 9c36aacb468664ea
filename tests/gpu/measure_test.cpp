// SPDX-License-Identifier: GPL-3.0-or-later
// The measuring path on a real device: that there are times, not how short they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/measure/calibration.h"
#include "profiler/measure/cell_runner.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using nlohmann::json;

TEST(GpuMeasuring, EveryStepOfACallHasACost) {
  const auto backend = makeTestBackend();
  const auto calibration = calibrate(*backend);
  ASSERT_TRUE(calibration);
  std::printf("%s\n", sentence(*calibration).c_str());
  for (const CalibrationField& field : calibrationFields()) {
    const Estimate& cost = (*calibration).*field.member;
    EXPECT_EQ(cost.kind, Estimate::Kind::interval) << field.key;
    EXPECT_TRUE(std::isfinite(cost.value)) << field.key;
  }
}

TEST(GpuMeasuring, ASampleHasAllItsTimes) {
  const auto backend = makeTestBackend();
  for (const char* cache : {"hot", "flushed"}) {
    Experiment experiment = parseExperiment(R"json({"fusebench": "experiment", "version": 1,
      "title": "A GPU", "program": ["x = torch.sin(x)", "return x.sum()"],
      "inputs": [{"name": "all", "count": 3, "tensors": [{"name": "x", "extents": [64, 1024]}]}],
      "variants": [{"name": "eager", "executor": "eager"}], "baseline": "eager",
      "axes": [{"name": "statements", "values": [4]}]})json",
                                            "gpu");
    experiment.measure.cache = cache;
    InputStore inputs(*backend, experiment, std::uint64_t{1} << 30);
    const std::atomic<bool> stop = false;
    ReferenceMemo references;
    CellRunner runner(*backend, inputs, references, experiment, {0, {4}}, stop);
    Cell cell;
    cell.key = {0, {4}};
    runner.prepare({0, 0}, cell);
    for (int i = 0; i < 5; ++i) {
      const TakenSample taken = runner.sample();
      EXPECT_GT(taken.sample.nanoseconds, 0);
      ASSERT_TRUE(taken.sample.device);
      EXPECT_GT(taken.sample.device->enqueue, 0);
      EXPECT_GT(taken.sample.device->event, 0);
      EXPECT_GT(taken.sample.device->single, 0);
      EXPECT_GT(taken.sample.device->device, 0);
    }
    EXPECT_LE(runner.check().relativeError, 1e-5);
    EXPECT_GT(runner.trace().of(CallPart::launch), 0);
  }
}

/// The program that users get, from the folder of this one.
TEST(GpuMeasuring, TheCommandLineMeasuresTheStudy) {
  const auto cli = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fusebench-cli";
  if (!std::filesystem::exists(cli)) GTEST_SKIP() << "there is no " << cli << " to run";
  const std::string command =
      "'" + cli.string() + "' run fusion_same_inputs --quick --device cuda --json";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string out;
  char bytes[1 << 16];
  while (const std::size_t count = fread(bytes, 1, sizeof bytes, pipe)) out.append(bytes, count);
  EXPECT_EQ(pclose(pipe), 0);
  const json result = json::parse(out, nullptr, false);
  ASSERT_TRUE(result.is_object()) << out;
  EXPECT_TRUE(result["environment"].contains("calibration"));
  std::map<std::string, int> measured;
  for (const json& cell : result["cells"]) {
    EXPECT_TRUE(cell["error"].is_null()) << cell;
    if (cell["samples"] == 0) continue;  // the quick run's time was up before it
    for (const char* time : {"latency_ns", "enqueue_ns", "event_ns", "single_ns", "device_ns"})
      EXPECT_GT(cell[time], 0) << cell;
    EXPECT_LE(cell["rel_error"], 1e-4) << cell;
    ++measured[cell["variant"].get<std::string>()];
  }
  for (const char* variant : {"eager", "static", "dynamic", "instant"})
    EXPECT_GT(measured[variant], 0) << variant;
}

}  // namespace
}  // namespace fusebench
