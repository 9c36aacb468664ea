// SPDX-License-Identifier: GPL-3.0-or-later
// Chrome traces of tools whose events have no category: the names of rows decide which events are
// work of a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_statistics.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

class TracesOfTools : public testing::Test {
 protected:
  std::shared_ptr<const Trace> read(const std::string& events) const {
    writeFile(folder_.path("t.json"), "{\"traceEvents\":[" + events + "]}");
    return importTrace(folder_.path("t.json"));
  }
  test::TemporaryFolder folder_;
};

std::string processName(const std::string& process, const std::string& name) {
  return R"({"ph":"M","name":"process_name","pid":)" + process + R"(,"args":{"name":")" + name +
         "\"}},";
}
std::string threadName(const std::string& process, int thread, const std::string& name) {
  return R"({"ph":"M","name":"thread_name","pid":)" + process + R"(,"tid":)" +
         std::to_string(thread) + R"(,"args":{"name":")" + name + "\"}},";
}
std::string event(const std::string& name, const std::string& process, const std::string& thread,
                  int from, int duration, const std::string& more = "") {
  return R"({"ph":"X","name":")" + name + R"(","pid":)" + process + R"(,"tid":)" + thread +
         R"(,"ts":)" + std::to_string(from) + R"(,"dur":)" + std::to_string(duration) + more + "},";
}

WorkCounts countsOf(const Trace& trace) {
  return statisticsOf(trace, workOf(trace), recordedOf(trace)).counts;
}

constexpr const char* kEnd = "{}";

std::string jaxNames() {
  return processName("1", "/device:GPU:0") + threadName("1", 14, "Stream #14(Compute)") +
         threadName("1", 15, "Stream #15(MemcpyD2H)") + threadName("1", 3, "XLA Ops") +
         threadName("1", 2, "XLA Modules") + processName("7", "/host:CPU") +
         threadName("7", 1, "python");
}
std::string jaxEvents() {
  return event("loop_fusion", "1", "14", 10, 5) + event("MemcpyD2H", "1", "15", 20, 2) +
         event("fusion.1", "1", "3", 10, 5) + event("jit_f", "1", "2", 10, 12) +
         event("PjitFunction(f)", "7", "1", 0, 30);
}

TEST_F(TracesOfTools, OfJaxCountStreamsOnceAndNotTheirRepetitionByOp) {
  const auto trace = read(jaxNames() + jaxEvents() + kEnd);
  EXPECT_EQ(workOf(*trace), Work::device);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1, .copies = 1}));
  EXPECT_EQ(trace->remarks().repeats, 2u);
  EXPECT_EQ(statisticsOf(*trace, Work::device, recordedOf(*trace)).busy, 7'000);
}

TEST_F(TracesOfTools, OfJaxJoinCallsAndWorkByTheNumbersThatXlaGives) {
  const std::string number = R"(,"args":{"correlation_id":"243","hlo_op":"loop_fusion"})";
  const auto trace = read(jaxNames() + event("PjitFunction(f)", "7", "1", 0, 30) +
                          event("hipModuleLaunchKernel", "7", "1", 2, 3, number) +
                          event("loop_fusion", "1", "14", 10, 5, number) +
                          event("fusion.1", "1", "3", 10, 5, number) + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.calls = 1, .kernels = 1}));
}

TEST_F(TracesOfTools, OfJaxOnRocmCountCopies) {
  const auto trace = read(jaxNames() + event("CopyDeviceToDevice", "1", "14", 10, 5) + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.copies = 1}));
}

TEST_F(TracesOfTools, AreKnownByNamesThatComeLast) {
  const auto trace = read(jaxEvents() + jaxNames() + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1, .copies = 1}));
}

TEST_F(TracesOfTools, OfXlaWithoutStreamsCountOps) {
  const auto trace = read(processName("1", "/device:TPU:0") + threadName("1", 3, "XLA Ops") +
                          threadName("1", 2, "XLA Modules") + event("fusion", "1", "3", 10, 5) +
                          event("jit_f", "1", "2", 10, 12) + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1}));
}

TEST_F(TracesOfTools, OfTensorflowCountSingleStreamsAndNotAllTogether) {
  const std::string all =
      processName("1", "/device:GPU:0/stream:all Compute") + event("MatMul", "1", "0", 10, 5);
  const std::string op = processName("4", "/job:localhost/replica:0/task:0/device:GPU:0 Compute") +
                         event("MatMul", "4", "0", 2, 6);
  const auto together = read(all + op + kEnd);
  EXPECT_EQ(countsOf(*together), (WorkCounts{.kernels = 1}));
  const auto apart = read(all + op + processName("2", "/gpu:0/context#0/stream#1:Kernel Compute") +
                          event("MatMul", "2", "0", 10, 5) + kEnd);
  EXPECT_EQ(countsOf(*apart), (WorkCounts{.kernels = 1}));
}

TEST_F(TracesOfTools, OfRocprofAreGpusCopiesAndCalls) {
  const auto trace =
      read("{}," + processName("\"6\"", "GPU0") + processName("\"1\"", "COPY") +
           processName("\"2\"", "CPU HIP API") + processName("\"0\"", "Markers and Ranges") +
           event("gemm", "\"6\"", "\"0\"", 10, 5) +
           event("hcCommandMemcpyDeviceToHost", "\"1\"", "\"0\"", 20, 5) +
           event("hipLaunchKernel", "\"2\"", "\"9\"", 1, 2) +
           event("step", "\"0\"", "\"9\"", 0, 30) + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1, .copies = 1}));
  int calls = 0;
  for (EventId e = 0; e < trace->size(); ++e) calls += trace->kind(e) == SpanKind::runtime;
  EXPECT_EQ(calls, 1);
}

TEST_F(TracesOfTools, OfNvprofCountTheOverviewOnce) {
  const auto trace =
      read(event("gemm", "\"[0:1] Overview\"", "\"Compute\"", 10, 5, R"(,"cat":"cuda")") +
           event("gemm", "\"[0:1] Compute\"", "\"gemm\"", 10, 5, R"(,"cat":"cuda")") +
           event("Memcpy HtoD [sync]", "\"[0:1] Overview\"", "\"MemCpy (HtoD)\"", 2, 3,
                 R"(,"cat":"cuda")") +
           event("cudaLaunch", "\"[77] Process\"", "\"Thread 5: Runtime API\"", 1, 1,
                 R"(,"cat":"cuda")") +
           kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1, .copies = 1}));
}

TEST_F(TracesOfTools, OfNsightSystemsInJsonAreStreams) {
  const auto trace =
      read(event("gemm", "\"Device 0\"", "\"Stream 7\"", 10, 5, R"(,"cat":"cuda")") +
           event("cudaLaunchKernel", "\"Device 0\"", "\"CUDA API 12\"", 1, 1, R"(,"cat":"cuda")") +
           event("step", "\"Device 0\"", "\"NVTX 12\"", 0, 20, R"(,"cat":"nvtx")") + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1}));
}

TEST_F(TracesOfTools, OfOnnxRuntimeAreKernelsAndNodes) {
  const auto trace =
      read(event("Add_1", "1", "1", 10, 17, R"(,"cat":"Node")") +
           event("add_kernel", "1", "1", 12, 3, R"(,"cat":"Kernel","args":{"stream":"7"})") +
           event("model_run", "1", "1", 0, 40, R"(,"cat":"Session")") + kEnd);
  EXPECT_EQ(countsOf(*trace), (WorkCounts{.kernels = 1}));
}

TEST_F(TracesOfTools, OfOtherProgramsHaveNoDeviceForAName) {
  const auto trace = read(processName("1", "GPU Process") + threadName("1", 1, "CrGpuMain") +
                          event("Draw", "1", "1", 10, 5) + kEnd);
  EXPECT_EQ(workOf(*trace), Work::host);
}

std::string kernelOf(const std::string& device, int context, int from,
                     const std::string& name = "add") {
  return event(name, device, "7", from, 5,
               R"(,"cat":"kernel","args":{"stream":7,"device":)" + device + R"(,"context":)" +
                   std::to_string(context) + "}");
}
std::string waitOf(int context, int from) {
  return event("Context Sync", "0", "-1", from, 5,
               R"(,"cat":"cuda_sync","args":{"stream":-1,"device":0,"context":)" +
                   std::to_string(context) + "}");
}

TEST_F(TracesOfTools, OfKinetoShowAWaitOnTheDeviceOfItsContext) {
  // Kineto writes all of them as those of device 0, and before the kernels that tell the context.
  const auto trace =
      read(waitOf(2, 50) + waitOf(3, 60) + kernelOf("0", 1, 10) + kernelOf("1", 2, 30) + kEnd);
  std::vector<std::int64_t> devices;
  for (EventId e = 0; e < trace->size(); ++e)
    if (trace->kind(e) == SpanKind::sync) devices.push_back(trace->laneOf(e).process);
  std::ranges::sort(devices);
  EXPECT_EQ(devices, (std::vector<std::int64_t>{0, 1})) << "of context 3 nothing is known";
}

TEST_F(TracesOfTools, OfAContextThatSeveralDevicesHaveLeaveAWaitWhereItIs) {
  const auto trace = read(waitOf(1, 50) + kernelOf("1", 1, 10) + kernelOf("2", 1, 30) + kEnd);
  int waits = 0;
  for (EventId e = 0; e < trace->size(); ++e)
    waits += trace->kind(e) == SpanKind::sync && trace->laneOf(e).process == 0;
  EXPECT_EQ(waits, 1);
}

TEST_F(TracesOfTools, ShowMangledNamesReadable) {
  const auto trace = read(kernelOf("0", 1, 10, "_ZN2ns6kernelIfEEvPf") +
                          kernelOf("0", 1, 20, "_ZN2ns6kernelIfEEvPf") +
                          kernelOf("0", 1, 30, "__amd_rocclr_copyBuffer.kd") + kEnd);
  const auto totals = totalsByName(*trace, Work::device, recordedOf(*trace));
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(trace->nameText(totals[0].name), "void ns::kernel<float>(float*)");
  EXPECT_EQ(totals[0].count, 2u);
  EXPECT_EQ(trace->nameText(totals[1].name), "__amd_rocclr_copyBuffer");
}

TEST_F(TracesOfTools, ThatOthersMustConvertOrFetchSayHow) {
  struct File {
    const char *name, *begin, *advice;
  };
  for (const File& file :
       {File{"a.nsys-rep", "NVIDIA Tegra Profiler Report 1.\n", "nsys export --type sqlite"},
        File{"a.json.gz", "version https://git-lfs.github.com/spec/v1\noid sha256:a1\n",
             "git lfs pull"},
        File{"host.xplane.pb", "\n\x05\x12\x03GPU", ".trace.json.gz"}}) {
    writeFile(folder_.path(file.name), file.begin);
    EXPECT_TRUE(looksLikeTrace(folder_.path(file.name))) << file.name;
    try {
      importTrace(folder_.path(file.name));
      ADD_FAILURE() << file.name << " was opened";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(file.advice));
      EXPECT_THAT(error.what(), testing::HasSubstr(file.name));
    }
  }
}

TEST_F(TracesOfTools, OfRocprofv3AsJsonSayHowToMakeAPerfettoFile) {
  writeFile(folder_.path("results.json"),
            R"({"rocprofiler-sdk-tool":[{"metadata":{"pid":908},"agents":[]}]})");
  EXPECT_TRUE(looksLikeTrace(folder_.path("results.json")));
  try {
    importTrace(folder_.path("results.json"));
    FAIL() << "opened";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--output-format pftrace"));
  }
}

}  // namespace
}  // namespace fusebench
