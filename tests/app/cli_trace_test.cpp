// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what the command line reports about traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kTraces = fusebench::test::sourcePath("/tests/profiler/traces/");
const std::string kLogs = fusebench::test::sourcePath("/tests/profiler/compile_logs/");

TEST(AnalyzeTraces, SaysWhereTimeWentAndWhatFusingWouldSave) {
  const Ended ended = runCli({"analyze", "h100_launches"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("340 launching calls, 340 kernels"));
  EXPECT_THAT(ended.out, HasSubstr("What would fusing or a graph save here? (an estimate)"));
  EXPECT_THAT(ended.out, HasSubstr("medians of 340 calls"));
  EXPECT_THAT(runCli({"analyze", kTraces + "kineto_cpu.json"}).out,
              HasSubstr("no device activity is recorded; 75 slices"));
}

TEST(AnalyzeTraces, WritesTablesAndOneObject) {
  const TemporaryFolder folder;
  const std::string trace = kTraces + "torch_2_11_h100_eager.json.gz";
  const Ended ended = runCli({"analyze", trace, "--json", "--csv", folder.path("tables")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json report = json::parse(ended.out);
  EXPECT_EQ(report["traces"][0]["counts"]["kernels"], 25);
  EXPECT_EQ(report["traces"][0]["busy_ns"], 38'656);
  EXPECT_FALSE(report["traces"][0]["assumptions"].empty());
  EXPECT_THAT(readFile(folder.path("tables/breakdown.csv")), HasSubstr("trace,device,total_ns"));
  EXPECT_THAT(readFile(folder.path("tables/kernels.csv")), HasSubstr("reduce_kernel"));
  EXPECT_TRUE(std::filesystem::exists(folder.path("tables/savings.csv")));
}

TEST(AnalyzeTraces, GroupsOperatorsAndPrintsTheirTree) {
  const TemporaryFolder folder;
  const std::string trace = kTraces + "torch_2_15_modules.json.gz";
  const Ended ended = runCli({"analyze", trace, "--operators", "--by", "module,operator", "--json",
                              "--csv", folder.path("tables")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json report = json::parse(ended.out);
  EXPECT_EQ(report["by"], json({"module", "operator"}));
  const auto& groups = report["traces"][0]["groups"];
  EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [](const json& one) {
    return one["module"] == "Net_0/Sequential_0/Linear_1" && one["operator"] == "aten::addmm" &&
           one["calls"] == 1 && one["device_self_ns"].is_null();
  }));
  EXPECT_THAT(readFile(folder.path("tables/operators.csv")),
              HasSubstr(",aten::addmm,Net_0/Sequential_0/Linear_1,"));
  EXPECT_THAT(runCli({"analyze", trace, "--operators"}).out, HasSubstr("aten::mkldnn_convolution"));
  const Ended tree = runCli({"analyze", kTraces + "torch_2_11_h100_eager.json.gz", "--operators",
                             "--by", "tree", "--json"});
  EXPECT_EQ(tree.code, 0) << tree.err;
  std::int64_t kernels = 0;
  const json printed = json::parse(tree.out);
  for (const json& node : printed["traces"][0]["tree"])
    if (node["kind"] == "kernel") kernels += node["device_self_ns"].get<std::int64_t>();
  EXPECT_EQ(kernels, 38'656);  // all that the device did
}

TEST(AnalyzeTraces, SaysWhichGroupingsThereAre) {
  const std::string trace = kTraces + "kineto_cpu.json";
  const Ended unknown = runCli({"analyze", trace, "--operators", "--by", "kernel"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("\"kernel\" is not a grouping; use operator, module"));
  const Ended alone = runCli({"analyze", trace, "--by", "step"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("add --operators"));
  const Ended noTrace = runCli({"analyze", "h100_every_way", "--operators"});
  EXPECT_EQ(noTrace.code, 2);
  EXPECT_THAT(noTrace.err, HasSubstr("not a trace; --operators and --roofline need one"));
}

TEST(AnalyzeTraces, SaysWhatOperatorsReachOfTheirDevice) {
  const TemporaryFolder folder;
  const std::string trace = kTraces + "torch_2_11_h100_eager.json.gz";
  const Ended ended = runCli({"analyze", trace, "--roofline", "--json", "--csv", folder.path("t")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json points = json::parse(ended.out)["traces"][0]["points"];
  std::int64_t time = 0;
  for (const json& one : points) time += one["time_ns"].get<std::int64_t>();
  EXPECT_EQ(time, 38'656);  // all that the device did
  EXPECT_THAT(readFile(folder.path("t/roofline.csv")), HasSubstr("aten::add"));
  EXPECT_THAT(runCli({"analyze", trace, "--roofline"}).out, HasSubstr("bound by"));
  EXPECT_THAT(runCli({"analyze", trace, "--roofline", "--operators"}).err,
              HasSubstr("ask for one of them"));
}

TEST(AnalyzeTraces, LimitsEveryTableToTheRangesOfAName) {
  const std::string trace = kTraces + "torch_2_15_memory.json.gz";
  const auto callsOf = [&](const std::vector<std::string>& more, const std::string& op) {
    std::vector<std::string> arguments{"analyze", trace, "--operators", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = runCli(arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    int calls = 0;
    const json printed = json::parse(ended.out);
    for (const json& group : printed["traces"][0]["groups"])
      if (group["operator"] == op) calls += group["calls"].get<int>();
    return calls;
  };
  // Two steps of two layers each.
  EXPECT_EQ(callsOf({}, "aten::linear"), 4);
  EXPECT_EQ(callsOf({"--range", "forward"}, "aten::linear"), 4);
  EXPECT_EQ(callsOf({"--range", "backward"}, "aten::linear"), 0);
  EXPECT_EQ(callsOf({"--range", "for*"}, "aten::linear"), 4);
  EXPECT_GT(callsOf({}, "aten::mm"), 0);
  EXPECT_EQ(callsOf({"--range", "forward"}, "aten::mm"), 0);
  const Ended whole = runCli({"analyze", trace, "--range", "forward"});
  EXPECT_THAT(whole.out, testing::Not(HasSubstr("aten::mm")));
  const Ended asked = runCli({"query", trace, "--range", "optimizer", "--csv",
                              "select count(*) from events where name = 'aten::linear'"});
  EXPECT_THAT(asked.out, HasSubstr("\n0\n"));
  const Ended unknown = runCli({"analyze", trace, "--range", "warmup"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no range \"warmup\"; it has "));
  const Ended noTrace = runCli({"analyze", "h100_every_way", "--range", "forward"});
  EXPECT_EQ(noTrace.code, 2);
  EXPECT_THAT(noTrace.err, HasSubstr("not a trace; --range needs one"));
}

TEST(AnalyzeTraces, ListsCounters) {
  const std::string trace = kTraces + "torch_2_15_memory.json.gz";
  const json counters =
      json::parse(runCli({"analyze", trace, "--json"}).out)["traces"][0]["counters"];
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_EQ(counters[0]["name"], "Memory allocated, CPU");
  EXPECT_EQ(counters[0]["unit"], "bytes");
  EXPECT_EQ(counters[0]["max"], 677'936);  // the most of the "Total Allocated" in the file
  EXPECT_THAT(runCli({"analyze", trace}).out, HasSubstr("Memory allocated, CPU"));
}

TEST(AnalyzeTraces, ReadsTheLogsOfTorchCompile) {
  const TemporaryFolder folder;
  const std::string log = kLogs + "torch_2_15_trace.log.gz";
  const Ended ended = runCli({"analyze", log, "--json", "--csv", folder.path("t")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(json::parse(ended.out)["logs"][0]["recompiles"].size(), 3u);
  EXPECT_THAT(readFile(folder.path("t/graph_breaks.csv")), HasSubstr("src/model.py,10,"));
  EXPECT_THAT(runCli({"analyze", log}).out, HasSubstr("torch._dynamo.mark_dynamic(x, 0)"));
  EXPECT_THAT(runCli({"analyze", kLogs + "torch_2_15_logs.txt.gz"}).out,
              HasSubstr("3 graph breaks, 3 recompilations"));
  EXPECT_EQ(runCli({"analyze", log, "--operators"}).code, 2);
}

TEST(AnalyzeTraces, ReadsSnapshotsOfPyTorchsMemoryAndRefusesPickles) {
  const TemporaryFolder folder;
  const std::string snapshot =
      fusebench::test::sourcePath("/tests/profiler/memory_snapshots/two_layers.json");
  const Ended ended = runCli({"analyze", snapshot});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("GPU 0: at most 7.50 MiB allocated"));
  EXPECT_THAT(ended.out, HasSubstr("forward (net/model.py:13)"));
  const Ended object = runCli({"analyze", snapshot, "--json", "--csv", folder.path("t")});
  EXPECT_EQ(json::parse(object.out)["devices"][0]["held"].size(), 3u);
  EXPECT_THAT(readFile(folder.path("t/held_memory.csv")), HasSubstr("3145728"));
  EXPECT_EQ(runCli({"analyze", snapshot, "--operators"}).code, 2);
  EXPECT_THAT(runCli({"query", snapshot, "select name from counters"}).out,
              HasSubstr("Memory reserved, GPU 0"));
  writeFile(folder.path("s.pickle"), std::string("\x80\x04\x95 pickled", 11));
  const Ended refused = runCli({"analyze", folder.path("s.pickle")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("json.dump(pickle.load(open("));
}

TEST(QueryTraces, AnswersInTablesAndRefusesAllButSelect) {
  const std::string trace = kTraces + "torch_2_11_h100_eager.json.gz";
  const std::string sum = "select sum(dur_ns) as ns from kernels";
  EXPECT_EQ(runCli({"query", trace, sum, "--csv"}).out, "ns\n38656\n");
  EXPECT_EQ(json::parse(runCli({"query", trace, sum, "--json"}).out)["rows"],
            json::parse("[[38656]]"));
  EXPECT_THAT(runCli({"query", "h100_launches", "--saved", "longest-kernels"}).out,
              HasSubstr("total_ns"));
  EXPECT_THAT(runCli({"query", "--schema"}).out, HasSubstr("| `short_name` | TEXT |"));
  const Ended refused = runCli({"query", trace, "drop table events"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1);
  EXPECT_THAT(refused.err, HasSubstr("query"));
  EXPECT_EQ(runCli({"query", trace}).code, 2);
  EXPECT_EQ(runCli({"query"}).code, 2);
  EXPECT_EQ(runCli({"query", trace, "--saved", "nothing"}).code, 2);
  EXPECT_EQ(runCli({"query", kTraces, "select 1"}).code, 2);
}

TEST(AnalyzeTraces, ReadsADirectoryOfRanks) {
  const TemporaryFolder folder;
  const std::string kernel =
      R"({"ph":"X","cat":"kernel","name":"ncclAllReduce","pid":0,"tid":7,"ts":)";
  for (const int rank : {0, 1})
    writeFile(
        folder.path("rank" + std::to_string(rank) + ".json"),
        R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"o","pid":1,"tid":1,"ts":0,"dur":1},)" +
            kernel + (rank == 0 ? "10" : "15") + R"(,"dur":)" + (rank == 0 ? "20" : "15") +
            R"(,"args":{"stream":7}}]})");
  const Ended ended = runCli({"analyze", folder.path("")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("2 ranks, clocks aligned by the ends of 1 coll"));
  EXPECT_THAT(ended.out, HasSubstr("1 of 1"));
}

TEST(AnalyzeTraces, RefusesWhatDoesNotGoTogetherInOneLine) {
  const TemporaryFolder folder;
  const auto refused = [](const std::vector<std::string>& arguments) {
    const Ended ended = runCli(arguments);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    return ended.err;
  };
  EXPECT_THAT(refused({"analyze", folder.path("")}),
              HasSubstr("there is no trace in this directory"));
  const std::string trace = kTraces + "kineto_cpu.json";
  EXPECT_THAT(refused({"analyze", trace, "h100_every_way"}), HasSubstr("this is not a trace"));
  EXPECT_THAT(refused({"analyze", "h100_every_way", trace}), HasSubstr("one run at a time"));
  EXPECT_THAT(refused({"analyze", "h100_every_way", "--csv", "x"}),
              HasSubstr("--csv is for traces"));
  writeFile(folder.path("r.html"), "<html></html>");
  EXPECT_THAT(refused({"analyze", folder.path("r.html")}), HasSubstr("this file contains no run"));
}

TEST(AnalyzeTraces, SaysOfAnEmptyObjectThatItIsNeitherRunNorTrace) {
  const TemporaryFolder folder;
  writeFile(folder.path("empty.json"), "{}");
  const Ended ended = runCli({"analyze", folder.path("empty.json")});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("this is neither a run nor a trace"));
}

TEST(AnalyzeTraces, OpensTheRunInsideAReport) {
  const TemporaryFolder folder;
  const std::string run =
      readFile(fusebench::test::sourcePath("/resources/recordings/h100_fusion_study.jsonl"));
  writeFile(folder.path("report.html"),
            "<html><script type=\"application/x-fusebench-run\">\n" + run + "</script></html>");
  const Ended ended = runCli({"analyze", folder.path("report.html")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, runCli({"analyze", "h100_fusion_study"}).out);
}

TEST(AnalyzeTraces, CountsWhatAnIndependentProgramCounts) {
  if (std::system("python3 -c 'import json, sqlite3, gzip' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no python3";
  std::string command =
      "python3 " + fusebench::test::sourcePath("/tests/profiler/independent_count.py --against ") +
      fusebench::test::cliPath();
  for (const auto& entry : std::filesystem::directory_iterator(kTraces))
    command += " " + entry.path().string();
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  std::array<char, 4096> piece{};
  while (fgets(piece.data(), piece.size(), pipe)) said += piece.data();
  EXPECT_EQ(pclose(pipe), 0) << said;
  EXPECT_THAT(said, HasSubstr("agrees"));
}

}  // namespace
}  // namespace fusebench
