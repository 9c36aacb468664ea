// SPDX-License-Identifier: GPL-3.0-or-later
// The command line with and without a GPU. The GPU is the double's.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "profiler/trace/trace_import.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Runs commands with the driver and compiler that it names.
class CliOnGpu : public testing::Test {
 protected:
  CliOnGpu() { use(test::cudaDoublePath(), test::cudaDoublePath()); }
  ~CliOnGpu() override {
    for (const char* name :
         {"FUSEBENCH_CUDA_DRIVER", "FUSEBENCH_CUDA_NVRTC", "FUSEBENCH_CUPTI",
          "FUSEBENCH_CUDA_CUBLASLT", "FUSEBENCH_CUDA_CUDNN", "FUSEBENCH_CUDA_NCCL",
          "FUSEBENCH_DOUBLE_DEVICES", "FUSEBENCH_MPIRUN", "FUSEBENCH_DOUBLE_EXECUTION",
          "FUSEBENCH_DOUBLE_REALTIME", "FUSEBENCH_DOUBLE_CUPTI", "FUSEBENCH_DOUBLE_SOURCES"})
      unsetenv(name);
  }
  static void use(const char* driver, const char* nvrtc, const char* cupti = nullptr) {
    setenv("FUSEBENCH_CUDA_DRIVER", driver, 1);
    setenv("FUSEBENCH_CUDA_NVRTC", nvrtc, 1);
    setenv("FUSEBENCH_CUPTI", cupti ? cupti : driver, 1);
    setenv("FUSEBENCH_CUDA_CUBLASLT", driver, 1);
    setenv("FUSEBENCH_CUDA_CUDNN", driver, 1);
    setenv("FUSEBENCH_CUDA_NCCL", driver, 1);
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
      "measure": {"budgetSeconds": 40, "minimumSamples": 7, "maximumSamples": 9, "compileRepeats": 1}})json";
    return path;
  }
  TemporaryFolder folder;
};

TEST_F(CliOnGpu, MoreTensorsThanInstantTakesAreNoFailure) {
  std::string inputs, sum = "t0";
  for (int i = 0; i < 26; ++i) {
    inputs += fmt::format(R"({}{{"name": "t{}", "extents": [4]}})", i ? ", " : "", i);
    if (i > 0) sum += fmt::format(" + t{}", i);
  }
  std::string names = "t0";
  for (int i = 1; i < 26; ++i) names += fmt::format(", t{}", i);
  const std::string path = folder.path("many.json");
  std::ofstream(path) << R"({"fusebench": "experiment", "version": 1, "title": "Many", "program":
      ["def program()" << names
                      << R"():", "    y = )" << sum << R"(", "    return y"],
      "inputs": [{"name": "all", "count": 1, "tensors": [)"
                      << inputs << R"(]}],
      "variants": [{"name": "eager", "executor": "eager"}, {"name": "instant", "executor":
      "instant"}], "baseline": "eager", "axes": [{"name": "statements", "values": [1]}],
      "measure": {"budgetSeconds": 40, "minimumSamples": 7, "maximumSamples": 9, "compileRepeats": 0}})";
  const Ended ended = runCli({"run", path, "--device", "cuda", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"])
    if (cell["variant"] == "instant") {
      EXPECT_EQ(cell["stop"], "unavailable");
      EXPECT_THAT(cell["error"].dump(), HasSubstr("use static or dynamic"));
    }
}

TEST_F(CliOnGpu, DevicesAndDoctorShowWhatIsThere) {
  EXPECT_THAT(runCli({"devices"}).out,
              AllOf(StartsWith("cpu   "),
                    HasSubstr("\ncuda:0 Fusebench double 0, compute "
                              "capability 9.0, 4 multiprocessors; 1.00 GiB"),
                    HasSubstr("GPU-20212223-2425-2627-2829-2a2b2c2d2e2f"), HasSubstr(", 13.99.0\n"),
                    HasSubstr(", 9.99.0\n")));
  const json devices = json::parse(runCli({"devices", "--json"}).out);
  ASSERT_EQ(devices["devices"].size(), 3u);
  EXPECT_EQ(devices["devices"][2]["name"], "cuda:1");
  EXPECT_EQ(devices["devices"][2]["memory_bytes"], 1 << 30);
  EXPECT_EQ(devices["devices"][2]["compute_capability"], "9.0");
  EXPECT_TRUE(devices["unavailable"].empty());
  auto checks = doctor();
  for (const char* name : {"CUDA driver", "NVRTC", "cuBLASLt", "cuDNN", "NCCL", "GPU"})
    EXPECT_EQ(checks[name]["status"], "good") << name;
  EXPECT_THAT(checks["CUDA driver"]["found"].get<std::string>(), HasSubstr("CUDA 13.99"));
  EXPECT_THAT(checks["NVRTC"]["found"].get<std::string>(), HasSubstr("for sm_75 to sm_90"));
  EXPECT_THAT(checks["Prebuilt GPU code"]["found"].get<std::string>(),
              HasSubstr(" kernels fit this build"));
  EXPECT_THAT(checks["cuBLASLt"]["found"].get<std::string>(), HasSubstr(", 13.99.0"));
  EXPECT_THAT(checks["cuDNN"]["found"].get<std::string>(), HasSubstr(", 9.99.0"));
  EXPECT_THAT(checks["NCCL"]["found"].get<std::string>(), HasSubstr(", 2.99.0"));
  for (const char* library : {"cublaslt", "cudnn", "nccl"})
    EXPECT_EQ(devices["libraries"][library]["usable"], true) << library;
}

/// Two ranks, which a real mpirun starts.
TEST_F(CliOnGpu, RanksHaveAGpuEachAndMeetByNcclOrShareOneAndSayWhy) {
  constexpr const char* kMpirun = "mpirun.openmpi";
  if (std::system((std::string("command -v ") + kMpirun + " > /dev/null").c_str()) != 0)
    GTEST_SKIP() << kMpirun << " is not installed";
  setenv("FUSEBENCH_MPIRUN", kMpirun, 1);
  const std::string path = folder.path("ranks.json");
  std::ofstream(path) << R"json({"fusebench": "experiment", "version": 2, "title": "Ranks",
      "program": ["class Net(nn.Module):", "    def __init__(self):", "        super().__init__()",
                  "        self.layer = nn.Linear(6, 4)",
                  "    def forward(self, x):", "        return F.relu(self.layer(x)).mean()"],
      "inputs": [{"name": "all", "count": 2, "tensors": [{"name": "x", "extents": [8, 6]}]}],
      "variants": [{"name": "eager", "executor": "eager", "gradients": true},
          {"name": "static", "executor": "static", "gradients": true, "buckets": "each",
           "overlap": true},
          {"name": "replay", "executor": "replay", "gradients": true}],
      "baseline": "eager", "axes": [{"name": "ranks", "values": [2]}],
      "measure": {"budgetSeconds": 40, "minimumSamples": 7, "maximumSamples": 9, "sessions": 1,
                  "compileRepeats": 0}})json";
  const auto measured = [&] {
    const Ended ended = runCli({"run", path, "--device", "cuda", "--json"});
    EXPECT_THAT(ended.code, testing::AnyOf(0, 1)) << ended.err;
    return json::parse(ended.out);
  };
  const json each = measured();
  EXPECT_THAT(each.dump(), HasSubstr("\"by\":\"NCCL 2.99.0\""));
  for (const json& cell : each["cells"]) {
    EXPECT_TRUE(cell["error"].is_null()) << cell.dump();
    EXPECT_EQ(cell["ranks_ns"].size(), 2u) << cell.dump();
    EXPECT_LT(cell["rel_error"].get<double>(), 1e-5);
  }
  setenv("FUSEBENCH_DOUBLE_DEVICES", "1", 1);
  const json shared = measured();
  EXPECT_THAT(shared.dump(), AllOf(HasSubstr("Open MPI"), HasSubstr("ranks 0 and 1 share GPU-")));
  for (const json& cell : shared["cells"]) {
    if (cell["variant"] == "replay")
      EXPECT_THAT(cell["error"].dump(),
                  HasSubstr("which a graph replay cannot do: ranks 0 and 1 share"));
    else
      EXPECT_TRUE(cell["error"].is_null()) << cell.dump();
  }
}

TEST_F(CliOnGpu, WithoutOneDoctorSaysInLinesOfTheirOwnWhatIsMissing) {
  use("/nowhere/libcuda.so.1", "/nowhere/libnvrtc.so.13");
  auto checks = doctor();
  EXPECT_THAT(checks["CUDA driver"]["found"].get<std::string>(),
              HasSubstr("/nowhere/libcuda.so.1 cannot be opened"));
  EXPECT_THAT(checks["CUDA driver"]["remedy"].get<std::string>(),
              HasSubstr("install NVIDIA's driver"));
  EXPECT_THAT(checks["NVRTC"]["found"].get<std::string>(), HasSubstr("/nowhere/libnvrtc.so.13"));
  EXPECT_THAT(checks["NVRTC"]["remedy"].get<std::string>(), HasSubstr("CUDA toolkit"));
  EXPECT_EQ(checks["CUPTI"]["status"], "note");
  EXPECT_EQ(checks["cuBLASLt"]["status"], "note");
  EXPECT_THAT(checks["cuBLASLt"]["found"].get<std::string>(),
              AllOf(HasSubstr("/nowhere/libcuda.so.1 (FUSEBENCH_CUDA_CUBLASLT)"),
                    HasSubstr("nvidia-cublas")));
  EXPECT_EQ(checks["cuDNN"]["status"], "note");
  EXPECT_THAT(
      checks["cuDNN"]["found"].get<std::string>(),
      AllOf(HasSubstr("/nowhere/libcuda.so.1 (FUSEBENCH_CUDA_CUDNN)"), HasSubstr("nvidia-cudnn")));
  EXPECT_THAT(checks["GPU"]["found"].get<std::string>(), StartsWith("no GPU: "));
  const json devices = json::parse(runCli({"devices", "--json"}).out);
  ASSERT_EQ(devices["devices"].size(), 1u);
  EXPECT_EQ(devices["unavailable"][0]["name"], "cuda");
  EXPECT_THAT(devices["unavailable"][0]["remedy"].get<std::string>(),
              HasSubstr("install NVIDIA's driver"));
  const Ended ended =
      runCli({"run", experiment(R"({"name": "eager", "executor": "eager"})"), "--device", "cuda"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--device cuda: no GPU: /nowhere/libcuda.so.1"));
}

TEST_F(CliOnGpu, WithoutTheCompilerInstantRunsAndTheOthersSayWhyNot) {
  use(test::cudaDoublePath(), "/nowhere/libnvrtc.so.13", test::cudaDoublePath());
  EXPECT_THAT(runCli({"devices"}).out,
              HasSubstr("only instant runs on a GPU here: no usable NVRTC"));
  EXPECT_THAT(json::parse(runCli({"devices", "--json"}).out)["devices"][1]["limit"].dump(),
              HasSubstr("only instant runs on a GPU here"));
  auto checks = doctor();
  EXPECT_EQ(checks["GPU"]["status"], "good");
  EXPECT_EQ(checks["NVRTC"]["status"], "note");
  EXPECT_THAT(checks["NVRTC"]["found"].get<std::string>(), HasSubstr("only instant runs"));
  // The double compiles these sources in place of the PTX that ships.
  for (const bool reduces : {false, true}) {
    const std::string source = cuda::interpreterSource(reduces).text;
    std::ofstream(folder.path(cuda::prebuiltHash(source) + ".cu")) << source;
  }
  setenv("FUSEBENCH_DOUBLE_SOURCES", folder.path("").c_str(), 1);
  const Ended ended = runCli({"run", experiment(R"({"name": "eager", "executor": "eager"},
      {"name": "instant", "executor": "instant"})"),
                              "--device", "cuda", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  int measured = 0;
  for (const json& cell : result["cells"]) {
    if (cell["variant"] == "eager") {
      EXPECT_EQ(cell["stop"], "unavailable");
      EXPECT_THAT(cell["error"].dump(), HasSubstr("cannot compile kernels: no usable NVRTC"));
      continue;
    }
    EXPECT_TRUE(cell["error"].is_null()) << cell;
    EXPECT_GT(cell["latency_ns"], 0);
    EXPECT_LE(cell["rel_error"], 1e-5);
    EXPECT_EQ(cell["launches"]["max"], 1);
    ++measured;
  }
  EXPECT_EQ(measured, 2);
}

TEST_F(CliOnGpu, RunsEveryExecutorThere) {
  const Ended ended = runCli({"run", experiment(R"({"name": "eager", "executor": "eager"},
      {"name": "static", "executor": "static"}, {"name": "dynamic", "executor": "dynamic"},
      {"name": "instant", "executor": "instant"}, {"name": "replay", "executor": "replay"},
      {"name": "both", "executor": "static+replay"})"),
                              "--device", "cuda:1", "--json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json result = json::parse(ended.out);
  EXPECT_EQ(result["device"], "cuda:1");
  ASSERT_EQ(result["cells"].size(), 12u);
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

TEST_F(CliOnGpu, PrintsTheCodeOfItsKernels) {
  const std::string file = experiment(R"({"name": "eager", "executor": "eager"},
                                         {"name": "static", "executor": "static"})");
  const auto code = [&](const char* language, const char* device) {
    return runCli({"code", file, "--language", language, "--device", device});
  };
  EXPECT_THAT(code("cuda", "cuda:1").out,
              AllOf(StartsWith("// static, statements = 4"), HasSubstr("\n// kernel 1 of 1: "),
                    HasSubstr("extern \"C\" __global__ void")));
  EXPECT_THAT(code("readable", "cuda").out, StartsWith("# static, statements = 4"));
  EXPECT_THAT(code("cuda", "cpu").err, HasSubstr("--language cuda: there is no such language"));
  const Ended absent = code("cuda", "cuda:9");
  EXPECT_EQ(absent.code, 2);
  EXPECT_THAT(absent.err, HasSubstr("--device cuda:9: no CUDA device 'cuda:9'"));
}

TEST_F(CliOnGpu, PrintsCodeForAnArchitectureWithoutItsCard) {
  const std::string file = experiment(R"({"name": "eager", "executor": "eager"},
                                         {"name": "static", "executor": "static"})");
  const auto code = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"code", file});
    return runCli(more);
  };
  use("/nonexistent/libcuda.so", "/nonexistent/libnvrtc.so");  // neither card nor compiler
  const Ended written = code({"--arch", "sm_90"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out,
              AllOf(StartsWith("// static, statements = 4"),
                    HasSubstr("// written for sm_90 (as NVIDIA H100 80GB HBM3), no NVRTC; nothing "
                              "is measured"),
                    HasSubstr("extern \"C\" __global__ void")));
  EXPECT_EQ(code({"--device", "sm_90"}).out, written.out);
  const Ended compiled = code({"--arch", "sm_90", "--language", "ptx"});
  EXPECT_EQ(compiled.code, 2);
  EXPECT_THAT(compiled.err, HasSubstr("--language ptx: needs NVRTC ("));
  EXPECT_THAT(code({"--arch", "sm_12"}).err,
              HasSubstr("--arch: unknown GPU architecture 'sm_12'; choose one of sm_75"));
  const Ended run = runCli({"run", file, "--device", "sm_90"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("fusebench-cli code EXPERIMENT --arch sm_90"));
  // With a compiler, here the double's, a table of what it says.
  use(test::cudaDoublePath(), test::cudaDoublePath());
  setenv("FUSEBENCH_CUDA_NVDISASM", "/nonexistent/nvdisasm", 1);
  const Ended table = code({"--arch", "sm_80", "--variant", "eager", "--language", "resources"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("\nkernel  entry "), HasSubstr("\n     5  kernel_")));
  const Ended sass = code({"--arch", "sm_80", "--language", "sass"});
  unsetenv("FUSEBENCH_CUDA_NVDISASM");
  EXPECT_EQ(sass.code, 2);
  EXPECT_THAT(sass.err, HasSubstr("--language sass: needs nvdisasm from the CUDA toolkit"));
}

TEST_F(CliOnGpu, ASimulatedCardShowsItsArchitecturesCode) {
  const std::string file = experiment(R"({"name": "eager", "executor": "eager"},
                                         {"name": "static", "executor": "static"})");
  use("/nonexistent/libcuda.so", "/nonexistent/libnvrtc.so");
  const Ended ended = runCli({"code", file, "--device", "sim:h100", "--language", "cuda"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("extern \"C\" __global__ void"));
}

TEST_F(CliOnGpu, ADeviceThatFailsForGoodEndsTheWorkerAndIsNamed) {
  setenv("FUSEBENCH_DOUBLE_EXECUTION", "30", 1);  // each worker's thirtieth kernel
  const Ended ended = runCli({"run", experiment(R"({"name": "eager", "executor": "eager"})"),
                              "--device", "cuda", "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (700): a kernel accessed invalid "
                                   "memory; waiting for launches, the last of which was "));
  const json result = json::parse(ended.out);
  for (const json& cell : result["cells"]) {
    EXPECT_EQ(cell["stop"], "failed");
    EXPECT_THAT(cell["error"].get<std::string>(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  }
}

/// The recording of GPU launches: its check in doctor, and the trace.
class CliRecordsAGpu : public CliOnGpu {
 protected:
  CliRecordsAGpu() { setenv("FUSEBENCH_DOUBLE_REALTIME", "1", 1); }
  static json cupti() { return doctor()["CUPTI"]; }
  std::shared_ptr<const Trace> traced(const std::string& variants, std::string* said = nullptr,
                                      std::string* printed = nullptr) {
    const std::string path = folder.path("trace.json");
    const Ended ended =
        runCli({"run", experiment(variants), "--device", "cuda", "--quick", "--trace", path});
    EXPECT_EQ(ended.code, 0) << ended.err;
    if (said) *said = ended.err;
    if (printed) *printed = ended.out;
    return importTrace(path);
  }
};

TEST_F(CliRecordsAGpu, DoctorTriesIt) {
  const json on = cupti();
  EXPECT_EQ(on["status"], "good");
  EXPECT_THAT(on["found"].get<std::string>(),
              AllOf(StartsWith("on: "), HasSubstr("CUDA 13.0 (interface 130001)"),
                    HasSubstr("launches are recorded")));
  EXPECT_TRUE(on["remedy"].is_null());
}

TEST_F(CliRecordsAGpu, DoctorTellsEachStateWithCauseAndRemedy) {
  const auto with = [](const char* fault) {
    setenv("FUSEBENCH_DOUBLE_CUPTI", fault, 1);
    const json check = cupti();
    EXPECT_EQ(check["status"], "note") << fault;
    return check["found"].get<std::string>() + " -> " +
           (check["remedy"].is_string() ? check["remedy"].get<std::string>() : "");
  };
  EXPECT_THAT(with("result=39"), AllOf(StartsWith("busy: "), HasSubstr("Nsight")));
  EXPECT_THAT(with("result=35"), AllOf(StartsWith("denied: "), HasSubstr("CAP_SYS_ADMIN")));
  EXPECT_THAT(with("result=15"), AllOf(StartsWith("off: "), HasSubstr("do not fit together")));
  EXPECT_THAT(with("result=999"), StartsWith("no driver: "));
  // The third record of the device: behind the fill that the backend begins with.
  EXPECT_THAT(with("zero=3"), AllOf(StartsWith("degraded: "), HasSubstr("1 without a time")));
  EXPECT_THAT(with("version=18"), AllOf(StartsWith("off: "), HasSubstr("version is 18")));
  use(test::cudaDoublePath(), test::cudaDoublePath(), "/nowhere/libcupti.so");
  EXPECT_THAT(with(""), AllOf(StartsWith("off: "), HasSubstr("/nowhere/libcupti.so")));
}

TEST_F(CliRecordsAGpu, ATraceHasHostAndDeviceOnOneClockWithArrows) {
  std::string said, printed;
  const auto trace = traced(R"({"name": "eager", "executor": "eager"},
                               {"name": "replay", "executor": "replay"})",
                            &said, &printed);
  for (const char* row : {"device: delay", "device: kernels", "device: idle", "device: together"})
    EXPECT_THAT(printed, HasSubstr(row));
  EXPECT_THAT(printed, HasSubstr("CUPTI 13.0"));
  EXPECT_THAT(said, testing::Not(HasSubstr("record")));
  std::map<std::string, int> kernels;
  for (EventId event = 0; event < trace->size(); ++event) {
    if (trace->kind(event) != SpanKind::kernel) continue;
    const std::string& process = trace->laneOf(event).processName;
    ++kernels[process];
    const EventId call = trace->link(event);
    ASSERT_NE(call, kNoEvent);
    const bool replayed = process.starts_with("replay");
    EXPECT_EQ(trace->name(call), replayed ? "cuGraphLaunch" : "cuLaunchKernel");
    EXPECT_EQ(trace->laneOf(call).processName + ", on the device", process);
    EXPECT_GE(trace->start(event), trace->start(call));
    const LaunchDetails* details = trace->details(event);
    EXPECT_GE(details->firstStatement, 0);
    EXPECT_EQ(details->registers, 24u);
    EXPECT_EQ(details->graphNode != 0 || details->graph != 0, replayed);
    EXPECT_GT(details->bytesRead, 0);
    EXPECT_GT(details->bytesWritten, 0);
    // Known since the collector was there before the driver was started.
    EXPECT_TRUE(replayed || details->queued != kNoTime);
  }
  // Ten calls of four statements and a sum's return.
  EXPECT_EQ(kernels["eager, on the device"], 50);
  EXPECT_EQ(kernels["replay, on the device"], 50);
}

TEST_F(CliRecordsAGpu, WhatIsLostIsSaidAndTheRunStands) {
  std::string said, printed;
  setenv("FUSEBENCH_DOUBLE_CUPTI", "result=35", 1);
  const auto none = traced(R"({"name": "eager", "executor": "eager"})", &said, &printed);
  EXPECT_THAT(printed, AllOf(HasSubstr("Device activity of eager was not recorded:"),
                             testing::Not(HasSubstr("CUPTI 13.0 (interface"))));
  EXPECT_THAT(
      said, AllOf(HasSubstr("device activity is not recorded"),
                  HasSubstr("this user has no permission to record"), HasSubstr("CAP_SYS_ADMIN")));
  for (EventId event = 0; event < none->size(); ++event)
    EXPECT_NE(none->kind(event), SpanKind::kernel);
  EXPECT_GT(none->size(), 0u);  // the host's side is there
}

}  // namespace
}  // namespace fusebench
