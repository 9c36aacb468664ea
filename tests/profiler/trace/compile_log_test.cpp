// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compile_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string logPath(const char* name) {
  return test::sourcePath("/tests/profiler/compile_logs/") + name;
}

TEST(CompileLog, OfTorchTraceHasFramesBreaksAndRecompilations) {
  ASSERT_TRUE(looksLikeCompileLog(logPath("torch_2_15_trace.log.gz")));
  const CompileLog log = readCompileLogs(logPath("torch_2_15_trace.log.gz")).at(0);
  EXPECT_TRUE(log.structured);
  EXPECT_EQ(log.malformed, 0u);
  ASSERT_EQ(log.frames.size(), 7u);
  EXPECT_EQ(log.frames[0].id, "0/0");
  EXPECT_EQ(placeOf(log.frames[0].function), "double at model.py:15");
  EXPECT_DOUBLE_EQ(log.frames[0].total, 0.336658);
  EXPECT_EQ(log.frames[0].operations, 2);
  ASSERT_EQ(log.breaks.size(), 3u);
  EXPECT_EQ(log.breaks[0].file, "src/model.py");
  EXPECT_EQ(log.breaks[0].line, 10);
  EXPECT_EQ(log.breaks[0].reason, "Data-dependent branching");
  EXPECT_EQ(log.breaks[1].reason, "Failed to trace builtin operator");
  EXPECT_THAT(log.breaks[1].hint, HasSubstr("Avoid calling builtin `print`"));
  ASSERT_EQ(log.recompiles.size(), 3u);
  EXPECT_THAT(log.recompiles[1].guards,
              ElementsAre("tensor 'x' size mismatch at index 0. expected 3, actual 4",
                          "tensor 'x' size mismatch at index 0. expected 2, actual 4"));
  EXPECT_EQ(log.recompiles[1].function.name, "double");
  EXPECT_THAT(log.recompiles[2].guards, ElementsAre("scale == 1.5"));
  // The phases by themselves are all of the compiling.
  double self = 0, whole = 0;
  for (const CompilePhase& phase : log.phases) {
    self += phase.self;
    if (phase.name == "dynamo") whole = phase.total;
  }
  EXPECT_GT(whole, 0);
  EXPECT_NEAR(self, log.compiling, 1e-3);
  EXPECT_LT(log.compiling, log.covered);
}

TEST(CompileLog, OfTorchLogsSaysTheSame) {
  ASSERT_TRUE(looksLikeCompileLog(logPath("torch_2_15_logs.txt.gz")));
  const CompileLog log = readCompileLogs(logPath("torch_2_15_logs.txt.gz")).at(0);
  const CompileLog trace = readCompileLogs(logPath("torch_2_15_trace.log.gz")).at(0);
  EXPECT_FALSE(log.structured);
  ASSERT_EQ(log.recompiles.size(), trace.recompiles.size());
  for (std::size_t i = 0; i < log.recompiles.size(); ++i) {
    EXPECT_EQ(log.recompiles[i].id, trace.recompiles[i].id);
    EXPECT_EQ(log.recompiles[i].guards, trace.recompiles[i].guards);
    EXPECT_EQ(placeOf(log.recompiles[i].function), placeOf(trace.recompiles[i].function));
  }
  ASSERT_EQ(log.breaks.size(), trace.breaks.size());
  for (std::size_t i = 0; i < log.breaks.size(); ++i) {
    EXPECT_EQ(log.breaks[i].id, trace.breaks[i].id);
    EXPECT_EQ(log.breaks[i].file, trace.breaks[i].file);
    EXPECT_EQ(log.breaks[i].line, trace.breaks[i].line);
    EXPECT_EQ(log.breaks[i].reason, trace.breaks[i].reason);
  }
}

TEST(CompileLog, FindingsNameWhatChangedAndTheCure) {
  const auto findings = findingsOf(readCompileLogs(logPath("torch_2_15_trace.log.gz")).at(0));
  EXPECT_THAT(findings, Contains(HasSubstr("log covers was compiling")));
  EXPECT_THAT(findings, Contains("double at model.py:15 was recompiled 2 times because the size "
                                 "of x along dimension 0 changed: mark it dynamic: "
                                 "torch._dynamo.mark_dynamic(x, 0)."));
  EXPECT_THAT(findings, Contains("forward at model.py:8 was recompiled once because the value of "
                                 "scale changed (it was 1.5): pass it as a tensor, or keep it "
                                 "constant."));
  EXPECT_THAT(findings,
              Contains("The graph breaks at model.py:10 (2 times): Data-dependent branching."));
  EXPECT_THAT(findings,
              Contains("The graph breaks at model.py:12: Failed to trace builtin operator."));
}

TEST(CompileLog, AFunctionThatIsNotNamedIsCalledByItsFrame) {
  const CompileLog log =
      readCompileLogs(test::sourcePath("/tests/fuzz/corpus/compile_trace.log")).at(0);
  EXPECT_THAT(findingsOf(log),
              Contains(HasSubstr("frame " + log.recompiles.back().id + " was recompiled once")));
}

TEST(CompileLog, ADirectoryHasOneOfEachRank) {
  const test::TemporaryFolder folder;
  for (const char* rank : {"0", "1"})
    std::filesystem::copy_file(
        logPath("torch_2_15_trace.log.gz"),
        folder.path(std::string("dedicated_log_torch_trace_rank_") + rank + "_abc.log"));
  ASSERT_TRUE(looksLikeCompileLog(folder.path("")));
  EXPECT_EQ(readCompileLogs(folder.path("")).size(), 2u);
  EXPECT_FALSE(looksLikeCompileLog(test::sourcePath("/tests/profiler/trace")));
}

TEST(CompileLog, SurvivesHostileLines) {
  const test::TemporaryFolder folder;
  const std::string head = "V1129 11:47:07.459000 12863 torch/_dynamo/utils.py:2473] ";
  const std::string nested = std::string(100'000, '[');
  std::string text = head + "{\"chromium_event\": {}, \"frame_id\": 0}\n\t" + nested + "\n";
  text += head +
          "{\"compilation_metrics\": {\"compile_id\": 7, \"co_name\": [], "
          "\"entire_frame_compile_time_s\": -1e300, \"co_firstlineno\": 99999999999}}\n";
  text += head + "{\"dynamo_start\": {\"stack\": [[]]}}\n" + head + "{\"str\": [1, 2]}\n";
  text += head + "{\"str\": [\"f\", 1e400]}\n" + head + "{not json\n" + head + "{}\n\tx\n";
  text += head +
          "{\"artifact\": {\"name\": \"recompile_reasons\"}, \"frame_id\": \"x\"}\n\t[1, null]\n";
  text += head + "{\"chromium_event\": {}}\n\t{\"name\": \"a\", \"ph\": \"E\", \"ts\": 1}\n";
  text += std::string(5 << 20, 'a') + "\n";
  text += head + "[0/0] [__recompiles] Recompiling function\n" + head + "[__graph_breaks]\n";
  text += head + "[0/0] [__recompiles] - 0/0: tensor 'L[']' size mismatch at index 999999999999\n";
  writeFile(folder.path("hostile.log"), text);
  ASSERT_TRUE(looksLikeCompileLog(folder.path("hostile.log")));
  const CompileLog log = readCompileLogs(folder.path("hostile.log")).at(0);
  EXPECT_EQ(log.frames.size(), 1u);
  EXPECT_EQ(log.frames[0].total, 0);
  EXPECT_GE(log.malformed, 3u);
  findingsOf(log);
}

TEST(CompileLog, ALogWithoutCompilationsSaysHowToRecordOne) {
  const test::TemporaryFolder folder;
  writeFile(folder.path("empty.log"),
            "V1129 11:47:07.459000 12863 torch/_dynamo/utils.py:2473] {\"str\": [\"f\", 1]}\n");
  try {
    readCompileLogs(folder.path("empty.log"));
    FAIL() << "taken";
  } catch (const InputError& wrong) {
    EXPECT_THAT(wrong.what(), HasSubstr("record it with TORCH_TRACE=DIR"));
  }
  writeFile(folder.path("other.log"), "hello\nworld\n");
  EXPECT_FALSE(looksLikeCompileLog(folder.path("other.log")));
}

TEST(CompileLog, WritesTablesAndAnObject) {
  const auto logs = readCompileLogs(logPath("torch_2_15_trace.log.gz"));
  EXPECT_THAT(breaksCsv(logs), HasSubstr(",1/0,src/model.py,10,Data-dependent branching,"));
  EXPECT_THAT(recompilesCsv(logs), HasSubstr(",1/1,forward,src/model.py,8,scale == 1.5\n"));
  EXPECT_THAT(framesCsv(logs), HasSubstr(",0/0,double,src/model.py,15,0.336658,"));
  EXPECT_THAT(phasesCsv(logs), HasSubstr(",backend_compile,6,"));
  const auto object = compileLogsJson(logs);
  EXPECT_EQ(object["logs"][0]["recompiles"][2]["guards"][0], "scale == 1.5");
  EXPECT_EQ(object["logs"][0]["frames"].size(), 7u);
}

}  // namespace
}  // namespace fusebench
