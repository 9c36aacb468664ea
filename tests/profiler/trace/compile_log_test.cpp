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

TEST(CompileLog, PhasesAreSlicesThatNameTheCompiledFunction) {
  const auto logs = readCompileLogs(logPath("torch_2_15_trace.log.gz"));
  const auto trace = compileLogTrace(logs);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->title(), "torch_2_15_trace.log.gz");
  EXPECT_EQ(trace->losses().total(), 0u);
  std::uint64_t runs = 0;
  for (const CompilePhase& phase : logs[0].phases) runs += phase.count;
  EXPECT_EQ(trace->size(), runs);
  // The outermost phases are next to each other, and are all of the compiling.
  Nanoseconds outermost = 0;
  std::vector<std::string> functions;
  for (const TraceRow& row : trace->rowsOf(0))
    for (EventId e = row.first; e < row.last; ++e)
      if (const std::string_view name = trace->name(e); name.starts_with("dynamo: ")) {
        outermost += trace->duration(e);
        functions.emplace_back(name);
      }
  EXPECT_NEAR(static_cast<double>(outermost) * 1e-9, logs[0].compiling, 1e-3);
  EXPECT_THAT(functions, Contains("dynamo: double at model.py:15"));
  EXPECT_EQ(functions.size(), 7u);
}

TEST(CompileLog, ATextOfTorchLogsHasNoSlices) {
  EXPECT_EQ(compileLogTrace(readCompileLogs(logPath("torch_2_15_logs.txt.gz"))), nullptr);
}

TEST(CompileLog, CountsHitsMissesAndBypassesOfEachCache) {
  const test::TemporaryFolder folder;
  const std::string head = "V1129 11:47:07.459000 12863 torch/_dynamo/utils.py:2473] ";
  std::string text = head + R"({"dynamo_start": {"stack": []}, "frame_id": 0})" + "\n";
  for (const char* artifact : {"fx_graph_cache_hit", "fx_graph_cache_miss", "fx_graph_cache_hit",
                               "aotautograd_cache_bypass", "fx_graph_cache_hash"})
    text += head + R"({"artifact": {"name": ")" + artifact + R"("}, "frame_id": 0})" + "\n\t{}\n";
  text += head + R"({"compilation_metrics": {"compile_id": "0/0"}, "frame_id": 0})" + "\n";
  writeFile(folder.path("caches.log"), text);
  const auto logs = readCompileLogs(folder.path("caches.log"));
  EXPECT_THAT(cacheSentences(logs.at(0)),
              ElementsAre("Cache fx_graph: hits 2, misses 1, bypasses 0.",
                          "Cache aotautograd: hits 0, misses 0, bypasses 1."));
  EXPECT_EQ(compileLogsJson(logs)["logs"][0]["caches"][1]["bypasses"], 1);
}

TEST(CompileLog, HasDynamicSizesAndGeneratedCode) {
  const test::TemporaryFolder folder;
  const std::string head = "V1129 11:47:07.459000 12863 torch/_dynamo/utils.py:2473] ";
  const std::string frame = R"(, "frame_id": 0, "frame_compile_id": 1})";
  std::string text = head +
                     R"({"create_symbol": {"symbol": "s77", "val": "4", "vr": "[2, int_oo]",)"
                     R"( "source": "L['x'].size()[0]"})" +
                     frame + "\n";
  text += head +
          R"({"create_symbol": {"symbol": "s3", "val": "8", "vr": "[2, int_oo]",)"
          R"( "source": "L['x'].size()[1]"})" +
          frame + "\n";
  // A second attempt at the frame creates it again.
  text += head +
          R"({"create_symbol": {"symbol": "s3", "val": "8", "vr": "[2, int_oo]",)"
          R"( "source": "L['x'].size()[1]"})" +
          frame + "\n";
  text += head +
          R"({"symbolic_shape_specialization": {"symbol": "s3", "value": "8",)"
          R"( "reason": "range_refined_to_singleton"})" +
          frame + "\n";
  text += head + R"({"inductor_output_code": {"filename": "/cache/c4.py"})" + frame +
          "\n\timport torch\n\tdef call(args):\n\t    return args\n";
  text += head +
          R"({"compilation_metrics": {"compile_id": "0/1",)"
          R"( "dynamo_cumulative_compile_time_us": 1500000,)"
          R"( "aot_autograd_cumulative_compile_time_us": 500000}, "frame_id": 0})" +
          "\n";
  writeFile(folder.path("shapes.log"), text);
  const auto logs = readCompileLogs(folder.path("shapes.log"));
  const CompileLog& log = logs.at(0);
  EXPECT_DOUBLE_EQ(log.frames.at(0).total, 1.5);
  EXPECT_DOUBLE_EQ(log.frames.at(0).backend, 0.5);
  ASSERT_EQ(log.shapes.size(), 2u);
  EXPECT_EQ(log.shapes[0].source, "L['x'].size()[0]");
  EXPECT_EQ(log.shapes[0].id, "0/1");
  EXPECT_EQ(log.shapes[0].range, "[2, int_oo]");
  EXPECT_EQ(log.shapes[0].specialization, "");
  EXPECT_EQ(log.shapes[1].specialization, "range_refined_to_singleton");
  ASSERT_EQ(log.code.size(), 1u);
  EXPECT_EQ(log.code[0].file, "/cache/c4.py");
  EXPECT_EQ(log.code[0].lines, 3u);
  EXPECT_EQ(log.code[0].text, "import torch\ndef call(args):\n    return args\n");
  EXPECT_THAT(shapesCsv(logs), HasSubstr(",0/1,L['x'].size()[1],s3,8,"));
  EXPECT_EQ(compileLogsJson(logs)["logs"][0]["dynamic_shapes"][0]["symbol"], "s77");
  EXPECT_EQ(compileLogsJson(logs)["logs"][0]["generated_code"][0]["lines"], 3);
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
