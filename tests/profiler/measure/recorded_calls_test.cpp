// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/recorded_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/files/files.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/study/launch_pass.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using enum CallPart;

/// Two calls of two launches each, nanosecond by nanosecond.
RecordedCalls sample() {
  RecordedCalls calls;
  calls.kernels = {"", "exp", "sum"};
  calls.statements = {{0, 1}, {-1}};
  std::int64_t at = 0;
  const auto add = [&](CallPart part, std::int64_t time, std::uint16_t call,
                       std::uint32_t kernel = 0, std::int32_t launch = -1) {
    calls.spans.push_back({at, at + time, launch, kernel, call, 0, part, 0});
    at += time;
  };
  for (std::uint16_t call = 0; call < 2; ++call) {
    add(guard, 10, call);
    add(dispatch, 20, call);
    add(launch, 5, call);
    add(kernel, 100, call, 1, 0);
    add(launch, 6, call);
    add(dispatch, 20, call);
    add(launch, 5, call);
    add(kernel, 50, call, 2, 1);
    add(launch, 6, call);
    at += 1000;
  }
  calls.bytes = {{400, 400, 0, 0, 0}, {400, 4, 1, 0, 0}, {800, 800, 0, 1, 0}, {800, 4, 1, 1, 0}};
  return calls;
}

TEST(RecordedCallsFiles, SurviveBeingWrittenAndRead) {
  RecordedCalls calls = sample();
  calls.recordings = 51;
  const test::TemporaryFolder folder;
  const std::string path = folder.path("calls");
  writeRecordedCalls(calls, path);
  const RecordedCalls read = readRecordedCalls(path);
  EXPECT_EQ(read.recordings, calls.recordings);
  EXPECT_EQ(read.kernels, calls.kernels);
  EXPECT_EQ(read.statements, calls.statements);
  EXPECT_EQ(read.spans, calls.spans);
  EXPECT_EQ(read.bytes, calls.bytes);
}

TEST(RecordedCallsFiles, AreRefusedUnlessWholeAndSound) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("bad-calls");
  writeRecordedCalls(sample(), path);
  const std::string good = readFile(path);
  RecordedCalls wild = sample();
  wild.spans[3].kernel = 77;
  writeRecordedCalls(wild, path);
  const std::string unknownKernel = readFile(path);
  for (const std::string& bad :
       {std::string(), std::string("{}\n"), good.substr(0, good.size() - 1), good + "x",
        std::string("[1]\n"), good.substr(good.find('\n')), unknownKernel}) {
    writeFile(path, bad);
    try {
      readRecordedCalls(path);
      FAIL() << bad.substr(0, 60);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("not a recording of calls"));
    }
  }
}

TEST(RecordedCallsTraces, HaveKernelsInTheirLaunchesAndStatements) {
  const std::vector<CellCalls> cells{{{}, "eager", sample()}, {{}, "static", sample()}};
  const auto trace = traceOf(cells, "two variants");
  ASSERT_EQ(trace->lanes().size(), 2u);
  EXPECT_EQ(trace->lanes()[0].processName, "eager");
  int kernels = 0, launches = 0, calls = 0;
  for (EventId event = 0; event < trace->size(); ++event) {
    kernels += trace->kind(event) == SpanKind::kernel;
    launches += trace->kind(event) == SpanKind::launch;
    calls += trace->kind(event) == SpanKind::annotation;
    if (trace->kind(event) != SpanKind::kernel) continue;
    const EventId host = trace->link(event);
    ASSERT_NE(host, kNoEvent);
    EXPECT_LE(trace->start(host), trace->start(event));
    EXPECT_GE(trace->end(host), trace->end(event));
    const LaunchDetails* details = trace->details(event);
    ASSERT_TRUE(details);
    if (trace->name(event) == "exp") {
      EXPECT_EQ(details->firstStatement, 1);
      EXPECT_EQ(details->lastStatement, 2);
      EXPECT_EQ(trace->duration(event), 100);
      EXPECT_EQ(trace->duration(host), 111);
      EXPECT_EQ(details->bytesRead, trace->start(event) < 1000 ? 400 : 800);
      EXPECT_EQ(details->bytesWritten, details->bytesRead);
    } else {
      EXPECT_EQ(details->firstStatement, 0);  // the return
      EXPECT_EQ(details->bytesWritten, 4);
    }
  }
  EXPECT_EQ(kernels, 8);
  EXPECT_EQ(launches, 8);
  EXPECT_EQ(calls, 4);
}

/// The sample as it would be if each kernel took so much longer.
RecordedCalls slower(std::int64_t by) {
  RecordedCalls calls = sample();
  for (CallSpan& span : calls.spans) {
    span.end += by;
    span.start += by;
    if (span.part == kernel) span.start -= by;
  }
  return calls;
}

TEST(RecordedCalls, OfSeveralRecordingsTheMedianIsTheUsualOne) {
  const auto totals = [](std::vector<RecordedCalls> recordings) {
    return callTimeOf(usualOf(std::move(recordings))).total;
  };
  const double least = callTimeOf(sample()).total;
  EXPECT_DOUBLE_EQ(least, 222);
  EXPECT_DOUBLE_EQ(callTimeOf(slower(5)).total, 232) << "of two kernels a call";
  EXPECT_DOUBLE_EQ(totals({slower(90), slower(0), slower(5), slower(4), slower(1)}), least + 8);
  EXPECT_DOUBLE_EQ(totals({slower(90), slower(0)}), least) << "the lower one of two";
  EXPECT_EQ(usualOf({slower(3), slower(1), slower(2)}).recordings, 3);
  RecordedCalls broken = slower(4);
  broken.zero = 1;
  EXPECT_DOUBLE_EQ(totals({slower(0), broken, slower(9), broken, slower(8)}), least + 16);
  EXPECT_DOUBLE_EQ(totals({broken}), least + 8);
  EXPECT_TRUE(usualOf({}).spans.empty());
}

TEST(RecordedCalls, SayHowTheyWereChosenAndWhatACallTakes) {
  RecordedCalls calls = usualOf({sample(), sample(), sample()});
  calls.stampNanoseconds = 8.04;
  EXPECT_DOUBLE_EQ(callTimeOf(calls).marks, 9 * 8.04);
  EXPECT_EQ(noteOf(calls, /*alone=*/true),
            "the median of 3 recordings; a call takes 222 ns, 72.4 ns of it for markers");
  EXPECT_EQ(noteOf(calls, /*alone=*/false),
            "the median of 3 recordings; a marker costs 8.0 ns, not subtracted");
}

TEST(RecordedCallsTraces, AreTheSameWhenWrittenAndImported) {
  const std::vector<CellCalls> cells{{{}, "eager", sample()}};
  const auto trace = traceOf(cells, "calls");
  const test::TemporaryFolder folder;
  const std::string path = folder.path("calls.json.gz");
  exportTrace(*trace, path);
  EXPECT_EQ(differenceOf(*trace, *importTrace(path)), "");
}

TEST(CpuCells, RecordEveryLaunchOfSomeCalls) {
  CpuOptions options;
  options.diskCache = false;
  const auto backend = makeCpuBackend(options);
  const Experiment experiment = smallExperiment({2});
  InputStore inputs{*backend, experiment, std::uint64_t{1} << 33};
  std::atomic<bool> stop = false;
  Cell cell;
  cell.key = {0, {2}};
  ReferenceMemo references;
  CellRunner runner(*backend, inputs, references, experiment, cell.key, stop);
  runner.prepare({0, 0}, cell);
  const RecordedCalls calls = runner.record();
  EXPECT_THAT(calls.statements, ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(-1)));
  EXPECT_GE(calls.recordings, 7);
  std::vector<std::string> first;
  std::int64_t last = 0;
  for (const CallSpan& span : calls.spans) {
    EXPECT_GE(span.start, last);
    EXPECT_GE(span.end, span.start);
    last = span.end;
    if (span.part == kernel && span.call == 0) first.push_back(calls.kernels[span.kernel]);
  }
  EXPECT_THAT(first, ElementsAre("add", "sin", "sum"));
  EXPECT_EQ(calls.spans.back().call, 9);
  EXPECT_EQ(calls.lost, 0u);
  // Every second input is of 5 x 16 elements, the others of 4 x 16.
  ASSERT_THAT(calls.bytes, SizeIs(30));
  EXPECT_EQ(calls.bytes[0], (ExecutionBytes{256, 256, 0, 0, 0}));
  EXPECT_EQ(calls.bytes[2], (ExecutionBytes{256, 4, 2, 0, 0}));
  EXPECT_EQ(calls.bytes[4], (ExecutionBytes{320, 320, 1, 1, 0}));
}

TEST(LaunchPass, LeavesOutCellsThatCannotBeRecorded) {
  FakeWorld world;
  StudyOptions options;
  options.connectTrace = world.connector();
  options.replySeconds = 0.2;
  const Experiment experiment = smallExperiment({2});
  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::trace) return std::nullopt;
    if (request.body["variant"] == 0)
      return errorLine(request.id, ErrorKind::unavailable, "too large");
    writeRecordedCalls(sample(), request.body["file"]);
    return okLine(request.id);
  };
  const auto recorded =
      recordCalls(experiment, cellsAtTheEnd(experiment), options, std::stop_token());
  ASSERT_THAT(recorded, SizeIs(1));
  EXPECT_EQ(recorded[0].variant, "fused");
  EXPECT_THAT(recorded[0].calls.spans, SizeIs(18));

  world.misbehave = [](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::trace) return std::nullopt;
    return errorLine(request.id, ErrorKind::unavailable, "too large");
  };
  try {
    recordCalls(experiment, cellsAtTheEnd(experiment), options, std::stop_token());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "too large");
  }
}

TEST(LaunchPass, CallsPassThroughAFolderThatNobodyElseCanLookIntoOrForetell) {
  namespace fs = std::filesystem;
  FakeWorld world;
  StudyOptions options;
  options.connectTrace = world.connector();
  std::vector<fs::path> folders;
  world.misbehave = [&](const Request& request) -> std::optional<std::string> {
    if (request.verb != Verb::trace) return std::nullopt;
    const fs::path file(request.body["file"].get<std::string>());
    folders.push_back(file.parent_path());
    EXPECT_EQ(fs::status(folders.back()).permissions(), fs::perms::owner_all);
    EXPECT_TRUE(fs::is_empty(folders.back()));
    writeRecordedCalls(sample(), file);
    return okLine(request.id);
  };
  const mode_t before = umask(0);  // the folder is private whatever the user's files are
  recordCalls(smallExperiment({2}), cellsAtTheEnd(smallExperiment({2})), options,
              std::stop_token());
  umask(before);
  ASSERT_GE(folders.size(), 2u);
  EXPECT_NE(folders[0], folders[1]);
  for (const fs::path& folder : folders) {
    EXPECT_NE(folder, fs::temp_directory_path());
    EXPECT_FALSE(fs::exists(folder)) << "left: " << folder;
  }
}

}  // namespace
}  // namespace fusebench
