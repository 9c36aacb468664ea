// SPDX-License-Identifier: GPL-3.0-or-later
// The command line with and without a GPU. The GPU is the double's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/child.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Runs commands with the driver and compiler that it names.
class CliOnGpu : public testing::Test {
 protected:
  CliOnGpu() { use(FUSEBENCH_CUDA_DOUBLE, FUSEBENCH_CUDA_DOUBLE); }
  ~CliOnGpu() override {
    for (const char* name :
         {"FUSEBENCH_CUDA_DRIVER", "FUSEBENCH_CUDA_NVRTC", "FUSEBENCH_DOUBLE_EXECUTION"})
      unsetenv(name);
  }
  static void use(const char* driver, const char* nvrtc) {
    setenv("FUSEBENCH_CUDA_DRIVER", driver, 1);
    setenv("FUSEBENCH_CUDA_NVRTC", nvrtc, 1);
  }
  static std::map<std::string, json> doctor() {
    std::map<std::string, json> checks;
    const json all = json::parse(runCli({"doctor", "--json"}).out);
    for (const json& check : all["checks"]) checks[check["name"]] = check;
    return checks;
  }
  std::string experiment(const std::string& variants) {
    const std::string path = folder.path("gpu.json");
    std::ofstream(path) << R"json({"fusebench": "experiment", "version": 1, "title": "A GPU",
      "program": ["x = x + 1", "x = torch.sin(x)", "return x.sum()"],
      "inputs": [{"name": "all", "count": 3, "tensors": [{"name": "x", "extents": [4, 16]}]}],
      "variants": [)json" + variants +
                               R"json(],
      "baseline": "eager",
      "axes": [{"name": "statements", "values": [1, 4]}],
      "measure": {"budgetSeconds": 1, "compileRepeats": 1}})json";
    return path;
  }
  TemporaryFolder folder;
};

TEST_F(CliOnGpu, DevicesAndDoctorShowWhatIsThere) {
  EXPECT_THAT(runCli({"devices"}).out,
              AllOf(StartsWith("cpu   "),
                    HasSubstr("\ncuda:0 Fusebench double 0, compute "
                              "capability 9.0, 4 multiprocessors; 1.0 GiB"),
                    HasSubstr("GPU-20212223-2425-2627-2829-2a2b2c2d2e2f")));
  const json devices = json::parse(runCli({"devices", "--json"}).out);
  ASSERT_EQ(devices["devices"].size(), 3u);
  EXPECT_EQ(devices["devices"][2]["name"], "cuda:1");
  EXPECT_EQ(devices["devices"][2]["memory_bytes"], 1 << 30);
  EXPECT_EQ(devices["devices"][2]["compute_capability"], "9.0");
  EXPECT_TRUE(devices["unavailable"].empty());
  auto checks = doctor();
  for (const char* name : {"CUDA driver", "NVRTC", "GPU"})
    EXPECT_EQ(checks[name]["status"], "good") << name;
  EXPECT_THAT(checks["CUDA driver"]["found"].get<std::string>(), HasSubstr("CUDA 13.99"));
  EXPECT_THAT(checks["NVRTC"]["found"].get<std::string>(), HasSubstr("for sm_75 to sm_90"));
}

TEST_F(CliOnGpu, WithoutOneDoctorSaysInFourLinesWhatIsMissing) {
  use("/nowhere/libcuda.so.1", "/nowhere/libnvrtc.so.13");
  auto checks = doctor();
  EXPECT_THAT(checks["CUDA driver"]["found"].get<std::string>(),
              HasSubstr("/nowhere/libcuda.so.1 cannot be opened"));
  EXPECT_THAT(checks["CUDA driver"]["remedy"].get<std::string>(),
              HasSubstr("install NVIDIA's driver"));
  EXPECT_THAT(checks["NVRTC"]["found"].get<std::string>(), HasSubstr("/nowhere/libnvrtc.so.13"));
  EXPECT_THAT(checks["NVRTC"]["remedy"].get<std::string>(), HasSubstr("CUDA toolkit"));
  EXPECT_EQ(checks["CUPTI"]["status"], "note");
  EXPECT_THAT(checks["GPU"]["found"].get<std::string>(), StartsWith("no GPU: "));
  const json devices = json::parse(runCli({"devices", "--json"}).out);
  ASSERT_EQ(devices["devices"].size(), 1u);
  EXPECT_EQ(devices["unavailable"][0]["name"], "cuda");
  const Ended ended =
      runCli({"run", experiment(R"({"name": "eager", "executor": "eager"})"), "--device", "cuda"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--device cuda: no GPU: /nowhere/libcuda.so.1"));
}

TEST_F(CliOnGpu, ADeviceWithoutItsCompilerIsNotOffered) {
  use(FUSEBENCH_CUDA_DOUBLE, "/nowhere/libnvrtc.so.13");
  EXPECT_THAT(runCli({"devices"}).out, HasSubstr("no GPU can be used: no NVRTC"));
}

TEST_F(CliOnGpu, RunsEveryExecutorThere) {
  const Ended ended = runCli({"run", experiment(R"({"name": "eager", "executor": "eager"},
      {"name": "static", "executor": "static"}, {"name": "dynamic", "executor": "dynamic"},
      {"name": "replay", "executor": "replay"},
      {"name": "both", "executor": "static+replay"})"),
                              "--device", "cuda:1", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  EXPECT_EQ(result["device"], "cuda:1");
  ASSERT_EQ(result["cells"].size(), 10u);
  for (const json& cell : result["cells"]) {
    EXPECT_TRUE(cell["error"].is_null()) << cell;
    EXPECT_GT(cell["latency_ns"], 0);
    EXPECT_LE(cell["rel_error"], 1e-5);
    EXPECT_GT(cell["compile_first_ns"], 0);
    const bool fused = cell["variant"] != "eager" && cell["variant"] != "replay";
    const json expected = fused ? 1 : cell["at"][0] == 1 ? 2 : 5;
    EXPECT_EQ(cell["launches"]["max"], expected) << cell;
  }
}

TEST_F(CliOnGpu, ADeviceThatFailsForGoodEndsTheWorkerAndIsNamed) {
  setenv("FUSEBENCH_DOUBLE_EXECUTION", "30", 1);  // each worker's thirtieth kernel
  const Ended ended = runCli({"run", experiment(R"({"name": "eager", "executor": "eager"})"),
                              "--device", "cuda", "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (700): a kernel used memory that "
                                   "is not its own; waiting for launches, the last of which was "));
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) {
    EXPECT_EQ(cell["stop"], "failed");
    EXPECT_THAT(cell["error"].get<std::string>(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  }
}

}  // namespace
}  // namespace fusebench
