// SPDX-License-Identifier: GPL-3.0-or-later
// Traces into files and back, and files of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/trace/trace_categories.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string shipped(const char* name) {
  return fusebench::test::sourcePath("/tests/profiler/traces/") + name;
}

class TraceFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::shared_ptr<const Trace> import(const std::string& text) const {
    writeFile(path("t.json"), text);
    return importTrace(path("t.json"));
  }
  std::string errorOf(const std::string& text) const {
    try {
      import(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  test::TemporaryFolder folder_;
};

std::uint64_t countOf(const Trace& trace, SpanKind kind) {
  std::uint64_t count = 0;
  for (EventId e = 0; e < trace.size(); ++e) count += trace.kind(e) == kind;
  return count;
}

/// Host, two streams, a graph, overlapping kernels, own spans, odd names.
std::shared_ptr<const Trace> everything() {
  std::mt19937 random(3);
  TraceBuilder builder("all");
  builder.setOrigin(1'700'000'000'000'000'000);
  builder.setDevice("A \"card\"");
  const LaneId host = builder.lane({Lane::Kind::host, 100, 101, "python", "main"});
  const LaneId named = builder.lane({Lane::Kind::host, -1, -2, "Spans", "PyTorch Profiler"});
  const LaneId streams[] = {builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"}),
                            builder.lane({Lane::Kind::device, 0, 8, "GPU 0", "stream 8"})};
  // Spans of two ranges that overlap without nesting.
  const LaneId ranges = builder.lane({Lane::Kind::host, 100, 102, "python", "ranges"});
  for (int i = 0; i < 20; ++i)
    builder.addSpan({ranges, SpanKind::annotation, "range", i * 1'000, i * 1'000 + 1'500});
  builder.addSpan({named, SpanKind::annotation, "all of it \\ \"quoted\" \n µs", 0, 1'000'000});
  for (int i = 0; i < 200; ++i) {
    const Nanoseconds at = 1'000 + i * 4'000;
    builder.addSpan({host, SpanKind::op, "aten::sin", at, at + 2'000});
    for (const SpanKind kind : {SpanKind::guard, SpanKind::dispatch, SpanKind::allocate})
      builder.addSpan({host, kind, "part", at + 100 * static_cast<int>(kind),
                       at + 100 * static_cast<int>(kind) + 90});
    const auto number = static_cast<std::uint64_t>(i + 1);
    builder.addSpan({host, SpanKind::runtime, "cudaLaunchKernel", at + 800, at + 1'500, number});
    for (int node = 0; node < (i % 10 == 0 ? 5 : 1); ++node) {
      const Nanoseconds start = at + 1'600 + 300 * node + static_cast<int>(random() % 100);
      builder.addLaunch({.kind = i % 7 == 0 ? SpanKind::copy : SpanKind::kernel,
                         .name = "kernel<float, 4>",
                         .op = "sin + mul",
                         .firstStatement = 1,
                         .lastStatement = 1 + i % 3,
                         .queued = i % 2 ? kNoTime : start - 50,
                         .submitted = i % 2 ? kNoTime : start - 20,
                         .start = start,
                         .end = start + 700,
                         .deviceLane = streams[i % 2],
                         .correlation = number,
                         .externalId = 5,
                         .graph = i % 10 == 0 ? 3u : 0u,
                         .graphNode = static_cast<std::uint64_t>(node),
                         .device = 0,
                         .context = 1});
    }
  }
  builder.addLaunch({.name = "fused",
                     .firstStatement = 1,
                     .lastStatement = 30,
                     .hostBegin = 900'000,
                     .hostEnd = 900'100,
                     .start = 900'050,
                     .end = 900'090,
                     .hostLane = host,
                     .deviceLane = host,
                     .grid = {1, 2, 3},
                     .block = {32, 4, 1},
                     .registers = 40,
                     .staticShared = 16,
                     .dynamicShared = 1'024,
                     .bytesRead = 512,
                     .bytesWritten = 0,
                     .occupancy = 33.5F,
                     .blocksPerSm = 0.25F,
                     .warpsPerSm = 2});
  return builder.finish();
}

TEST_F(TraceFiles, AreKnownByTheirBeginWhereverTheirEventsAre) {
  const std::string much(70'000, 'm');
  writeFile(path("late.json"),
            R"({"metadata":")" + much +
                R"(","traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]})");
  EXPECT_TRUE(looksLikeTrace(path("late.json")));
  std::filesystem::copy_file(path("late.json"), path("late.jsonl"));
  EXPECT_FALSE(looksLikeTrace(path("late.jsonl"))) << "a run whose head is damaged";
  EXPECT_EQ(importTrace(path("late.json"))->size(), 1u);
  writeFile(path("run.json"), R"({"fusebench":"run","note":")" + much);
  EXPECT_FALSE(looksLikeTrace(path("run.json")));
}

TEST_F(TraceFiles, ArePartlyShownWherePackingIsDamaged) {
  exportTrace(*everything(), path("t.json.gz"));
  std::string packed = readFile(path("t.json.gz"));
  ASSERT_GT(packed.size(), 6'000u);
  packed.replace(5'000, 8, 8, '\xff');
  writeFile(path("bad.json.gz"), packed);
  ASSERT_TRUE(looksLikeTrace(path("bad.json.gz")));
  const auto trace = importTrace(path("bad.json.gz"));
  EXPECT_GT(trace->size(), 0u);
  EXPECT_THAT(trace->partial(), testing::HasSubstr("damaged"));
}

TEST_F(TraceFiles, OfPartsComeApartAgain) {
  std::vector<std::shared_ptr<const Trace>> traces;
  for (int t = 0; t < 2; ++t) {
    TraceBuilder builder(t == 0 ? "eager" : "static");
    const LaneId host = builder.lane({Lane::Kind::host, 5, 0, "host", "calling thread"});
    const LaneId stream = builder.lane({Lane::Kind::device, 5, 7, "on the device", "stream 7"});
    for (int i = 0; i < 3; ++i) {
      builder.addSpan({host, SpanKind::driver, "cuLaunchKernel", 100 * i, 100 * i + 20, 9u + i});
      builder.addLaunch({.name = "sin",
                         .start = 100 * i + 40 + t,
                         .end = 100 * i + 90,
                         .deviceLane = stream,
                         .correlation = 9u + i,
                         .device = 0});
    }
    traces.push_back(builder.finish());
  }
  const auto joined = joinedTrace(traces, "both");
  ASSERT_EQ(joined->size(), traces[0]->size() + traces[1]->size());
  exportTrace(*joined, path("both.json.gz"));
  const auto back = importTrace(path("both.json.gz"));
  EXPECT_EQ(differenceOf(*joined, *back), "");
  const auto parts = partsOf(back);
  ASSERT_EQ(parts.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_EQ(parts[t]->title(), traces[t]->title());
    ASSERT_EQ(parts[t]->size(), traces[t]->size());
    EXPECT_EQ(parts[t]->length(), traces[t]->length());
    for (EventId e = 0; e < parts[t]->size(); ++e) {
      EXPECT_EQ(parts[t]->start(e), traces[t]->start(e));
      EXPECT_EQ(parts[t]->link(e), traces[t]->link(e)) << "each call sets off its own kernel";
    }
  }
  EXPECT_EQ(partsOf(traces[0]), std::vector{traces[0]}) << "what ran together stays together";
  // The same with another trace added: events are not joined across traces.
  std::vector<std::shared_ptr<const Trace>> three = parts;
  three.push_back(traces[0]);
  const auto again = joinedTrace(three, "three");
  for (EventId e = 0; e < again->size(); ++e) {
    if (again->kind(e) != SpanKind::kernel) continue;
    ASSERT_NE(again->link(e), kNoEvent);
    EXPECT_EQ(again->laneOf(e).process - again->laneOf(again->link(e)).process, 1'000);
  }
  EXPECT_EQ(partsOf(again).size(), 3u);
}

TEST_F(TraceFiles, WhereAProgramAndADeviceHaveOneNumberEachStaysWhatItIs) {
  TraceBuilder builder("both 0");
  const LaneId host = builder.lane({Lane::Kind::host, 0, 2, "process 0", "track 2"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 6, "GPU 0", "track 6"});
  builder.addSpan({host, SpanKind::other, "mark", 0, 0});
  builder.addLaunch({.name = "gemm",
                     .hostBegin = 0,
                     .hostEnd = 900,
                     .start = 400,
                     .end = 700,
                     .hostLane = host,
                     .deviceLane = stream});
  const auto trace = builder.finish();
  exportTrace(*trace, path("t.json"));
  const auto back = importTrace(path("t.json"));
  EXPECT_EQ(differenceOf(*trace, *back), "");
  EXPECT_EQ(back->losses().total(), 0u);
}

TEST_F(TraceFiles, ComeBackTheSamePlainAndPacked) {
  const auto trace = everything();
  for (const char* name : {"t.json", "t.json.gz"}) {
    exportTrace(*trace, path(name));
    EXPECT_TRUE(looksLikeTrace(path(name)));
    const auto back = importTrace(path(name));
    EXPECT_EQ(differenceOf(*trace, *back), "");
    EXPECT_EQ(back->losses().total(), 0u);
  }
  EXPECT_LT(std::filesystem::file_size(path("t.json.gz")),
            std::filesystem::file_size(path("t.json")) / 4);
}

TEST_F(TraceFiles, HoldWhatTheFormatAsksFor) {
  exportTrace(*everything(), path("t.json"));
  const auto root = nlohmann::json::parse(readFile(path("t.json")));
  EXPECT_EQ(root["schemaVersion"], 1);
  EXPECT_EQ(root["deviceProperties"][0]["name"], "A \"card\"");
  EXPECT_EQ(root["baseTimeNanoseconds"], 1'700'000'000'000'000'000);
  struct Span {
    double from, to;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Span>> lanes;
  std::map<std::int64_t, double> flowStarts;
  int kernels = 0, devices = 0, flows = 0, metadata = 0;
  for (const auto& event : root["traceEvents"]) {
    const std::string phase = event["ph"];
    ASSERT_TRUE(event.contains("pid") && event.contains("tid") && event["ts"].is_number());
    if (phase == "M") ++metadata;
    if (phase == "X") {
      const double from = event["ts"], duration = event["dur"];
      lanes[{event["pid"], event["tid"]}].push_back({from, from + duration});
      if (event["cat"] == "kernel") {
        ++kernels;
        const nlohmann::json& arguments = event["args"];
        EXPECT_TRUE(arguments.contains("correlation"));
        const bool device = arguments.contains("stream");
        devices += device;
        for (const char* key : {"device", "context", "External id", "queued"})
          EXPECT_EQ(arguments.contains(key), device) << key;
        for (const char* key : {"grid", "block", "registers per thread", "shared memory"})
          EXPECT_TRUE(arguments.contains(key)) << key;
        EXPECT_EQ(arguments["grid"].size(), 3u);
      }
    }
    if (phase == "s") flowStarts[event["id"]] = event["ts"];
    if (phase == "f") {
      ++flows;
      EXPECT_EQ(event["bp"], "e");
      EXPECT_EQ(event["cat"], "ac2g");
      EXPECT_GE(event["ts"].get<double>(), flowStarts.at(event["id"]));
    }
  }
  EXPECT_GT(kernels, 200);
  EXPECT_GT(kernels, devices);
  EXPECT_GT(flows, 250);
  EXPECT_GE(metadata, 12);
  // On one lane spans nest or follow each other.
  for (auto& [lane, spans] : lanes) {
    std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
      return a.from != b.from ? a.from < b.from : a.to > b.to;
    });
    std::vector<double> open;
    for (const Span& span : spans) {
      while (!open.empty() && open.back() <= span.from + 1e-6) open.pop_back();
      if (!open.empty()) {
        EXPECT_LE(span.to, open.back() + 1e-6) << lane.first << '/' << lane.second;
      }
      open.push_back(span.to);
    }
  }
}

TEST_F(TraceFiles, GiveRowsNumbersThatNoThreadHas) {
  TraceBuilder builder("numbers");
  // Spans that overlap without nesting, and threads that have exactly these numbers.
  const LaneId ranges = builder.lane({Lane::Kind::host, 3, 5, "python", "ranges"});
  for (const std::int64_t thread : {1'000'005, 1'000'000, 1'000'001})
    builder.addSpan({.lane = builder.lane({Lane::Kind::host, 3, thread, "python", "worker"}),
                     .name = "work",
                     .start = 0,
                     .end = 90});
  for (int i = 0; i < 8; ++i)
    builder.addSpan({.lane = ranges, .name = "range", .start = i * 10, .end = i * 10 + 25});
  // And a stream that has the number of a thread, of a device that has the process's.
  const LaneId stream = builder.lane({Lane::Kind::device, 3, 5, "python", "stream 5"});
  builder.addLaunch({.name = "sin", .start = 5, .end = 50, .deviceLane = stream});
  const auto trace = builder.finish();
  exportTrace(*trace, path("t.json"));
  EXPECT_EQ(differenceOf(*trace, *importTrace(path("t.json"))), "");
  // Whatever has one number is of one lane, and in it nothing overlaps without nesting.
  std::map<std::int64_t, std::vector<std::pair<double, double>>> spans;
  std::map<std::int64_t, std::set<std::string>> names;
  const auto root = nlohmann::json::parse(readFile(path("t.json")));
  for (const auto& event : root["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const double from = event["ts"], duration = event["dur"];
    spans[event["tid"]].push_back({from, from + duration});
    names[event["tid"]].insert(event["name"]);
  }
  for (const auto& [thread, of] : names) EXPECT_EQ(of.size(), 1u) << thread;
  for (const auto& [thread, of] : spans)
    for (const auto& one : of)
      for (const auto& other : of)
        EXPECT_FALSE(one.first < other.first && other.first < one.second &&
                     one.second < other.second)
            << thread;
}

TEST_F(TraceFiles, OfThePyTorchProfilerAreRead) {
  const auto trace = importTrace(shipped("kineto_cpu.json"));
  // Three calls of seven statements and a sum, as torch 2 recorded them; counted in the file by
  // another reader.
  const auto root = nlohmann::json::parse(readFile(shipped("kineto_cpu.json")));
  std::map<std::string, std::uint64_t> counted;
  double first = 1e300;
  for (const auto& event : root["traceEvents"])
    if (event["ph"] == "X") {
      ++counted[event.value("cat", "")];
      first = std::min(first, event["ts"].get<double>());
    }
  EXPECT_GE(counted["cpu_op"], 24u);
  EXPECT_EQ(countOf(*trace, SpanKind::op), counted["cpu_op"]);
  EXPECT_EQ(countOf(*trace, SpanKind::annotation), counted["user_annotation"]);
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(trace->partial(), "");
  EXPECT_NEAR(static_cast<double>(trace->origin() - root["baseTimeNanoseconds"].get<Nanoseconds>()),
              first * 1000, 600);
  exportTrace(*trace, path("again.json.gz"));
  EXPECT_EQ(differenceOf(*trace, *importTrace(path("again.json.gz"))), "");
  const auto training = importTrace(shipped("kineto_training.json.gz"));
  EXPECT_GT(countOf(*training, SpanKind::op), 50u);
  exportTrace(*training, path("again.json"));
  EXPECT_EQ(differenceOf(*training, *importTrace(path("again.json"))), "");
}

TEST_F(TraceFiles, OfAGraphLaunchAreJoined) {
  const auto trace = import(R"({"traceEvents":[
    {"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":20.5,"dur":1.25,"args":{"stream":7,"correlation":9,"graph node id":1,"grid":[4,2,1],"registers per thread":32}},
    {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":30,"dur":1,"args":{"correlation":9}},
    {"ph":"s","id":9,"pid":5,"tid":5,"ts":10,"cat":"ac2g","name":"ac2g"},
    {"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":5,"tid":5,"ts":10,"dur":2,"args":{"correlation":9}},
    {"ph":"M","name":"process_name","pid":0,"tid":0,"ts":0,"args":{"name":"python"}},
    {"ph":"M","name":"thread_name","pid":0,"tid":7,"ts":0,"args":{"name":"stream 7 "}},
    {"ph":"M","name":"process_labels","pid":0,"tid":0,"ts":0,"args":{"labels":"GPU 0"}}]})");
  ASSERT_EQ(trace->size(), 3u);
  ASSERT_EQ(trace->lanes().size(), 2u);
  EXPECT_EQ(trace->lanes()[1].processName, "GPU 0");
  EXPECT_EQ(trace->lanes()[1].name, "stream 7");
  EXPECT_EQ(trace->link(1), 0u);
  EXPECT_EQ(trace->link(2), 0u);
  EXPECT_EQ(trace->start(1), 10'500);
  EXPECT_EQ(trace->duration(1), 1'250);
  EXPECT_EQ(trace->details(1)->grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(trace->details(1)->sibling, 2u);
}

TEST_F(TraceFiles, OfOtherOriginAreRead) {
  const auto trace = import(R"([
    {"ph":"B","name":"outer","pid":"main","tid":"worker","ts":1},
    {"ph":"B","name":"inner","cat":"Operator","pid":"main","tid":"worker","ts":"2"},
    {"ph":"E","pid":"main","tid":"worker","ts":3.5},
    {"ph":"E","pid":"main","tid":"worker","ts":9},
    {"ph":"E","pid":"main","tid":"worker","ts":10},
    {"ph":"B","name":"never ends","pid":"main","tid":"worker","ts":11},
    {"ph":"i","name":"instant","pid":1,"tid":1,"ts":4},
    {"ph":"b","name":"asynchronous","id":7,"pid":1,"ts":4},)");
  ASSERT_EQ(trace->size(), 2u);
  EXPECT_EQ(trace->name(0), "outer");
  EXPECT_EQ(trace->duration(0), 8'000);
  EXPECT_EQ(trace->kind(1), SpanKind::op);
  EXPECT_EQ(trace->lanes()[0].name, "worker");
  EXPECT_EQ(trace->losses().unpaired, 2u);
  EXPECT_EQ(trace->losses().otherKinds, 1u);
  EXPECT_EQ(trace->partial(), "");  // the format lets such a list end like this
}

TEST_F(TraceFiles, ThatEndTooEarlyGiveWhatTheyHold) {
  exportTrace(*everything(), path("t.json"));
  exportTrace(*everything(), path("t.json.gz"));
  const std::string text = readFile(path("t.json"));
  const std::string packed = readFile(path("t.json.gz"));
  for (const double share : {0.2, 0.5, 0.9}) {
    const auto cut = [share](const std::string& whole) {
      return whole.substr(0, static_cast<std::size_t>(static_cast<double>(whole.size()) * share));
    };
    const auto plain = import(cut(text));
    EXPECT_GT(plain->size(), 10u);
    EXPECT_THAT(plain->partial(), HasSubstr("the file ends in the middle"));
    writeFile(path("cut.json.gz"), cut(packed));
    EXPECT_THAT(importTrace(path("cut.json.gz"))->partial(),
                HasSubstr("compressed file is truncated"));
  }
}

TEST_F(TraceFiles, ThatAreNoneAreRefusedInOneLine) {
  EXPECT_THAT(errorOf(""), HasSubstr("the file is empty"));
  EXPECT_THAT(errorOf("hello"), HasSubstr("this is not a trace; a trace is JSON"));
  EXPECT_THAT(errorOf("{\"a\":1}"), HasSubstr("this JSON has no traceEvents"));
  EXPECT_THAT(errorOf("{\"a\":"), HasSubstr("no traceEvents came before"));
  EXPECT_THAT(errorOf("[]"), HasSubstr("no event of the trace can be shown"));
  EXPECT_THAT(errorOf("[{\"ph\":\"X\",\"ts\":\"soon\"}]"), HasSubstr("1 malformed"));
  EXPECT_THAT(errorOf("SQLite format 3"), HasSubstr("cannot be"));
  EXPECT_THROW(importTrace(path("absent.json")), InputError);
  EXPECT_THROW(importTrace(folder_.string()), InputError);
  EXPECT_FALSE(looksLikeTrace(path("absent.json")));
}

TEST_F(TraceFiles, ThatAreHostileDoNoHarm) {
  const std::string good = R"({"ph":"X","name":"good","pid":1,"tid":1,"ts":1,"dur":1})";
  const auto lost = [&](const std::string& bad) {
    const auto trace = import("[" + good + "," + bad + "," + good + "]");
    EXPECT_EQ(trace->size(), 2u) << bad.substr(0, 60);
    return trace->losses().total();
  };
  EXPECT_EQ(lost(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":1e300,"dur":1})"), 1u);
  EXPECT_EQ(lost(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":9223372036854775807,"dur":1})"), 1u);
  EXPECT_EQ(lost(R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":5,"dur":-1})"), 1u);
  EXPECT_EQ(lost(R"({"ph":"X","name":"x" "pid":1})"), 1u);
  EXPECT_EQ(lost(std::string(100'000, '[') + std::string(100'000, ']')), 1u);
  EXPECT_EQ(lost("12"), 1u);
  EXPECT_EQ(lost("\"text with ] and } and \\\" in it\""), 1u);
  std::string many = "{";
  for (int i = 0; i < 200'000; ++i) many += "\"traceEvents\":[],";
  EXPECT_EQ(import(many + "\"traceEvents\":[" + good + "]}")->size(), 1u);
  const std::string longName(9 << 20, 'x');
  EXPECT_EQ(import("[" + good + R"(,{"ph":"X","name":")" + longName +
                   R"(","pid":1,"tid":1,"ts":1,"dur":1}])")
                ->size(),
            2u);
}

TEST_F(TraceFiles, CutAnywhereNeverCrash) {
  const std::string text = readFile(shipped("kineto_cpu.json"));
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string changed = text.substr(0, 1 + random() % text.size());
    for (int i = 0; i < 3; ++i)
      changed[random() % changed.size()] = static_cast<char>("{}[]\",:0 \\"[random() % 10]);
    try {
      import(changed);
    } catch (const InputError&) {
    }
  }
}

TEST_F(TraceFiles, LeaveNothingBehindWhenTheyCannotBeWritten) {
  EXPECT_THROW(exportTrace(*everything(), path("absent/t.json")), InputError);
  EXPECT_THROW(exportTrace(*everything(), path("t.json"), [](double) { return false; }), Canceled);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  exportTrace(*everything(), path("t.json"));
  EXPECT_THROW(importTrace(path("t.json"), [](double) { return false; }), Canceled);
}

TEST(TraceTimes, AreReadExactly) {
  EXPECT_EQ(fromMicroseconds("4445732276840.465"), 4'445'732'276'840'465);
  EXPECT_EQ(fromMicroseconds("0.5"), 500);
  EXPECT_EQ(fromMicroseconds("-1.001"), -1'001);
  EXPECT_EQ(fromMicroseconds("1.0005"), 1'001);
  EXPECT_EQ(fromMicroseconds("1.0004999"), 1'000);
  EXPECT_EQ(fromMicroseconds("1e3"), 1'000'000);
  EXPECT_EQ(fromMicroseconds("2.5E+2"), 250'000);
  for (const char* bad : {"", "-", "x", "1x", "1.2.3", "1e400", "9223372036854775807", "null"})
    EXPECT_EQ(fromMicroseconds(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace fusebench
