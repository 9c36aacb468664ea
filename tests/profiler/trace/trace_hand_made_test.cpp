// SPDX-License-Identifier: GPL-3.0-or-later
// Small files by hand, each of which was once read wrongly.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <memory>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_breakdown.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_statistics.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class HandMadeTraces : public testing::Test {
 protected:
  std::shared_ptr<const Trace> read(const std::string& events, const std::string& more = "") const {
    const std::string path = folder_.path("t.json");
    writeFile(path, "{" + more + "\"traceEvents\":[" + events + "]}");
    return importTrace(path);
  }
  test::TemporaryFolder folder_;
};

/// {"ph":"X", ...} of a process and a thread, times in microseconds.
std::string span(const std::string& category, const std::string& name, int process, int thread,
                 int from, int duration, const std::string& arguments = "") {
  return R"({"ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":)" +
         std::to_string(process) + R"(,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
         std::to_string(from) + R"(,"dur":)" + std::to_string(duration) + R"(,"args":{)" +
         arguments + "}}";
}

EventId eventNamed(const Trace& trace, std::string_view name) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.name(e) == name) return e;
  ADD_FAILURE() << "no event " << name;
  return 0;
}

RangeStatistics allOf(const Trace& trace) {
  return statisticsOf(trace, workOf(trace), recordedOf(trace));
}

TEST_F(HandMadeTraces, AreReadCountedAndJoinedHoweverDeepTheyAre) {
  constexpr int kDepth = 700;
  std::string events;
  for (int i = 0; i < kDepth; ++i)
    events += span("python_function", "f" + std::to_string(i), 1, 1, i, 2 * (kDepth - i)) + ",";
  events += span("cuda_runtime", "cudaLaunchKernel", 1, 1, kDepth, 1, R"("correlation":7)") + ",";
  events += span("kernel", "k", 0, 7, kDepth + 5, 1, R"("correlation":7,"stream":7,"device":0)");
  const auto trace = read(events);
  EXPECT_EQ(trace->size(), kDepth + 2u);
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(trace->rowsOf(0).size(), kDepth + 1u);
  EXPECT_EQ(trace->name(trace->link(eventNamed(*trace, "k"))), "cudaLaunchKernel");
  exportTrace(*trace, folder_.path("again.json"));
  EXPECT_EQ(differenceOf(*trace, *importTrace(folder_.path("again.json"))), "");
}

TEST_F(HandMadeTraces, TakeTheFirstFreeRowAmongVeryMany) {
  // All of them overlap: as many rows as spans; one of these is free again before the others.
  std::string events;
  for (int i = 0; i < 3000; ++i)
    events += span("x", "s", 1, 1, i, i == 2000 ? 50'000 : 100'000) + ",";
  const auto trace = read(events + span("x", "last", 1, 1, 60'000, 5));
  EXPECT_EQ(trace->rows().size(), 3000u);
  EXPECT_EQ(trace->rowOf(eventNamed(*trace, "last")), 2000u);
}

TEST_F(HandMadeTraces, OfTheProfilersOwnSpanNeitherCountNorStretch) {
  const auto trace = read(span("Trace", "PyTorch Profiler (0)", 5, 5, 0, 1000) + "," +
                          span("kernel", "k", 0, 7, 100, 40, R"("stream":7)") + "," +
                          span("kernel", "k", 0, 7, 160, 40, R"("stream":7)"));
  const RangeStatistics found = allOf(*trace);
  EXPECT_EQ(found.range, (TimeRange{100'000, 200'000}));
  EXPECT_EQ(found.busy, 80'000);
  EXPECT_EQ(trace->length(), 1'000'000);
}

TEST_F(HandMadeTraces, OfAHostAloneCountNeitherRangesNorProfilersNorACompilersSums) {
  const auto trace = read(span("Trace", "PyTorch Profiler (0)", 5, 5, 0, 1000) + "," +
                          span("user_annotation", "step", 1, 1, 0, 900) + "," +
                          span("cpu_op", "aten::sin", 1, 1, 100, 50) + "," +
                          span("", "Total Frontend", 1, 2, 0, 800, R"("count":3,"avg ms":2)"));
  EXPECT_EQ(workOf(*trace), Work::host);
  const RangeStatistics found = allOf(*trace);
  EXPECT_EQ(found.counts, (WorkCounts{.spans = 1}));
  EXPECT_EQ(found.busy, 50'000);
  const auto totals = totalsByName(*trace, Work::host, wholeOf(*trace));
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(trace->nameText(totals[0].name), "aten::sin");
}

TEST_F(HandMadeTraces, OfTwoProcessesWithTheSameNumbersAreJoinedEachWithItsOwn) {
  std::string events;
  for (const int process : {41, 42}) {
    const int late = process == 41 ? 0 : 5;
    events += span("cuda_runtime", "call " + std::to_string(process), process, 1, 100 + late, 2,
                   R"("correlation":9)") +
              ",";
    events += span("kernel", "kernel " + std::to_string(process), process, 7, 110 + late, 3,
                   R"("correlation":9,"stream":7)") +
              ",";
  }
  events.pop_back();
  const auto trace = read(events);
  for (const std::string process : {"41", "42"})
    EXPECT_EQ(trace->name(trace->link(eventNamed(*trace, "kernel " + process))), "call " + process);
  EXPECT_THAT(launchDelaysOf(*trace, wholeOf(*trace)).times, ElementsAre(10'000, 10'000));
  exportTrace(*trace, folder_.path("again.json"));
  const auto again = importTrace(folder_.path("again.json"));
  EXPECT_THAT(launchDelaysOf(*again, wholeOf(*again)).times, ElementsAre(10'000, 10'000));
}

TEST_F(HandMadeTraces, OfAProcessWhoseCallIsMissingAreNotJoinedWithAnothers) {
  const auto trace =
      read(span("cuda_runtime", "theirs", 41, 1, 100, 2, R"("correlation":9)") + "," +
           span("cuda_runtime", "other", 42, 1, 100, 2, R"("correlation":3)") + "," +
           span("kernel", "k", 42, 7, 110, 3, R"("correlation":9,"stream":7)"));
  EXPECT_EQ(trace->link(eventNamed(*trace, "k")), kNoEvent);
}

TEST_F(HandMadeTraces, ShowWorkAboveTheRangesAroundIt) {
  const auto trace = read(span("gpu_user_annotation", "step", 0, 7, 0, 100, R"("stream":7)") + "," +
                          span("kernel", "a", 0, 7, 10, 20, R"("stream":7)") + "," +
                          span("kernel", "b", 0, 7, 60, 20, R"("stream":7)"));
  ASSERT_EQ(trace->rowsOf(0).size(), 2u);
  EXPECT_EQ(trace->rowOf(eventNamed(*trace, "a")), 0u);
  EXPECT_EQ(trace->rowOf(eventNamed(*trace, "b")), 0u);
  EXPECT_EQ(trace->rowOf(eventNamed(*trace, "step")), 1u);
}

TEST_F(HandMadeTraces, KeepEventsWithBytesThatAreNoText) {
  const auto trace = read(span("kernel",
                               "a\xff"
                               "b \xc3\xa9",
                               0, 7, 10, 20, R"("stream":7)"),
                          "\"deviceProperties\":[{\"id\":0,\"name\":\"caf\xe9\"}],");
  ASSERT_EQ(trace->size(), 1u);
  EXPECT_EQ(trace->name(0),
            "a\xEF\xBF\xBD"
            "b \xc3\xa9");
  EXPECT_EQ(trace->device(), "caf\xEF\xBF\xBD");
  EXPECT_EQ(trace->remarks().replaced, 1u);
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(sentenceOf(trace->remarks()), "1 string with bytes that are not UTF-8");
}

TEST_F(HandMadeTraces, CountCallsKernelsCopiesFillsAndNodesEachByItsName) {
  const std::string stream = R"("stream":7,"correlation":)";
  const auto trace =
      read(span("cuda_runtime", "cudaLaunchKernel", 1, 1, 0, 2, R"("correlation":1)") + "," +
           span("cuda_runtime", "cudaGraphLaunch", 1, 1, 10, 2, R"("correlation":2)") + "," +
           span("cuda_runtime", "cudaDeviceSynchronize", 1, 1, 20, 2, R"("correlation":3)") + "," +
           span("kernel", "k", 0, 7, 5, 2, stream + "1") + "," +
           span("kernel", "k", 0, 7, 15, 2, stream + R"(2,"graph node id":4)") + "," +
           span("kernel", "k", 0, 7, 18, 2, stream + R"(2,"graph node id":5)") + "," +
           span("gpu_memcpy", "Memcpy HtoD", 0, 7, 21, 2, stream + "9") + "," +
           span("gpu_memset", "Memset", 0, 7, 24, 2, stream + "10"));
  const RangeStatistics found = allOf(*trace);
  EXPECT_EQ(found.counts,
            (WorkCounts{.calls = 2, .kernels = 3, .graphNodes = 2, .copies = 1, .fills = 1}));
  EXPECT_EQ(sentenceOf(found.counts),
            "2 launching calls, 3 kernels, 1 copy, 1 fill (2 of them graph nodes)");
  EXPECT_EQ(sentenceOf(launchDelaysOf(*trace, wholeOf(*trace))),
            "of 3 of 5 executions, from the beginning of their call");
}

TEST_F(HandMadeTraces, SayWhichExecutionsBeginBeforeTheirCall) {
  const auto trace =
      read(span("cuda_runtime", "cudaLaunchKernel", 1, 1, 100, 2, R"("correlation":1)") + "," +
           span("kernel", "k", 0, 7, 97, 2, R"("stream":7,"correlation":1)"));
  const LaunchDelays delays = launchDelaysOf(*trace, wholeOf(*trace));
  EXPECT_TRUE(delays.times.empty());
  EXPECT_EQ(delays.before, 1u);
  EXPECT_THAT(sentenceOf(delays), HasSubstr("1 begins before it"));
}

TEST_F(HandMadeTraces, WithBeginsAndEndsOutOfOrderAreSortedThreadByThread) {
  const auto edge = [](char phase, const char* name, int thread, int time) {
    return std::string(R"({"pid":1,"ph":")") + phase + R"(","name":")" + name + R"(","tid":)" +
           std::to_string(thread) + R"(,"ts":)" + std::to_string(time) + "},";
  };
  // Outer [0, 100], inner [10, 20], after [30, 40]; the file lists the later pair first.
  const std::string events = edge('B', "after", 1, 30) + edge('E', "", 1, 40) +
                             edge('B', "outer", 1, 0) + edge('B', "inner", 1, 10) +
                             edge('E', "", 1, 20) + edge('E', "", 1, 100) +
                             edge('B', "elsewhere", 2, 5) + edge('E', "", 2, 6);
  const auto trace = read(events.substr(0, events.size() - 1));
  ASSERT_EQ(trace->size(), 4u);
  const auto lasts = [&](const char* name) { return trace->duration(eventNamed(*trace, name)); };
  EXPECT_EQ(lasts("outer"), 100'000);
  EXPECT_EQ(lasts("inner"), 10'000);
  EXPECT_EQ(lasts("after"), 10'000);
  EXPECT_EQ(lasts("elsewhere"), 1'000);
  EXPECT_EQ(trace->remarks().outOfOrder, 3u);
  EXPECT_EQ(trace->losses().unpaired, 0u);
}

TEST_F(HandMadeTraces, OfSeveralCategoriesHaveTheFirstThatIsKnown) {
  const auto trace = read(span("kernel,cuda", "k", 0, 7, 10, 20, R"("stream":7)") + "," +
                          span("mine,cpu_op", "o", 1, 1, 10, 20));
  EXPECT_EQ(trace->kind(eventNamed(*trace, "k")), SpanKind::kernel);
  EXPECT_EQ(trace->kind(eventNamed(*trace, "o")), SpanKind::op);
}

TEST_F(HandMadeTraces, NameAllUnlikeDevices) {
  const std::string k = span("kernel", "k", 0, 7, 10, 20, R"("stream":7)");
  const auto devices = [&](const std::string& names) {
    return read(k, "\"deviceProperties\":[" + names + "],")->device();
  };
  const std::string a = R"({"id":0,"name":"A card"})", b = R"({"id":1,"name":"B card"})";
  EXPECT_EQ(devices(a + "," + b + "," + b), "A card, 2 × B card");
  EXPECT_EQ(devices(a + "," + a), "A card");
}

TEST_F(HandMadeTraces, TakeAnEmptyObjectForNothingAndCountMarks) {
  const auto trace = read("{}," + span("kernel", "k", 0, 7, 10, 20, R"("stream":7)") +
                          R"(,{"ph":"i","name":"mark","pid":1,"tid":1,"ts":3},{ })");
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(trace->remarks().marks, 1u);
}

/// By a look at all names of processes for each row, this would take minutes.
TEST_F(HandMadeTraces, OfVeryManyProcessesKnowWhatTheirRowsMean) {
  constexpr int kProcesses = 200'000;
  std::string text = "[";
  for (int i = 0; i < kProcesses; ++i)
    text += fmt::format(
        R"({{"ph":"M","name":"process_name","pid":{0},"args":{{"name":"p{0}"}}}},
{{"ph":"X","name":"a","pid":{0},"tid":1,"ts":{0},"dur":1}},
)",
        i);
  // Renamed at last: only the last name counts.
  text += R"({"ph":"M","name":"process_name","pid":5,"args":{"name":"/device:GPU:0/stream:all"}},
{"ph":"M","name":"process_name","pid":5,"args":{"name":"five"}}])";
  writeFile(folder_.path("many.json"), text);
  const auto trace = importTrace(folder_.path("many.json"));
  ASSERT_EQ(trace->lanes().size(), static_cast<std::size_t>(kProcesses));
  EXPECT_EQ(trace->lanes()[5].processName, "five");
  EXPECT_EQ(workOf(*trace), Work::host);
  EXPECT_EQ(breakdownOf(*trace).size(), 0u);
}

TEST_F(HandMadeTraces, ThatUnpackToBlanksAreReadUpToALimit) {
  const std::string path = folder_.path("blanks.json.gz");
  const gzFile file = gzopen(path.c_str(), "wb1");
  const std::string begin =
      R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},)";
  gzwrite(file, begin.data(), static_cast<unsigned>(begin.size()));
  const std::string blanks(1 << 20, ' ');
  for (int piece = 0; piece < 400; ++piece)
    gzwrite(file, blanks.data(), static_cast<unsigned>(blanks.size()));
  const std::string end = R"({"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1}]})";
  gzwrite(file, end.data(), static_cast<unsigned>(end.size()));
  gzclose(file);
  const auto trace = importTrace(path);
  EXPECT_EQ(trace->size(), 1u);
  EXPECT_THAT(trace->partial(), HasSubstr("expands to more than 100 times its size"));
}

TEST_F(HandMadeTraces, ThatArePackedAndNoneSaySo) {
  const std::string path = folder_.path("notes.json.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "just notes\n");
  gzclose(file);
  ASSERT_TRUE(looksLikeTrace(path));
  try {
    importTrace(path);
    ADD_FAILURE() << "read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("this is not a trace; a trace is JSON"));
  }
}

}  // namespace
}  // namespace fusebench
