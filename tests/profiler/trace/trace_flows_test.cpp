// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows of Chrome traces that join launches and kernels where nothing else does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

#include "profiler/experiment/experiment.h"
#include "profiler/files/files.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_statistics.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

/// "X" events: on a thread of process 5, and on a stream of device 0.
std::string callEvent(const char* name, int start, int duration,
                      const char* category = "cuda_runtime") {
  return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":5,"tid":6,"ts":{},"dur":{}}},)",
                     category, name, start, duration);
}
std::string kernelEvent(const char* name, int start, int duration, const char* tid = "7") {
  return fmt::format(
      R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"stream":7}}}},)",
      name, tid, start, duration);
}
std::string flowBegin(int id, int time, const char* more = "") {
  return fmt::format(
      R"({{"ph":"s","id":{},"pid":5,"tid":6,"ts":{},"cat":"async_cpu_to_gpu","name":"f"{}}},)", id,
      time, more);
}
std::string flowEnd(int id, int time, const char* more = R"(,"bp":"e")", const char* tid = "7") {
  return fmt::format(
      R"({{"ph":"f","id":{},"pid":0,"tid":{},"ts":{},"cat":"async_cpu_to_gpu","name":"f"{}}},)", id,
      tid, time, more);
}

class TraceFlowsTest : public testing::Test {
 protected:
  std::shared_ptr<const Trace> import(const std::string& events) const {
    writeFile(folder_.path("t.json"), "[" + events);
    return importTrace(folder_.path("t.json"));
  }
  /// What each kernel is joined with, by start: "a<cudaLaunchKernel b<-".
  static std::string joinsOf(const Trace& trace) {
    std::map<std::pair<Nanoseconds, EventId>, std::string> joins;
    for (EventId e = 0; e < trace.size(); ++e)
      if (isDeviceWork(trace.kind(e)))
        joins[{trace.start(e), e}] = fmt::format(
            "{}<{}", trace.name(e), trace.link(e) == kNoEvent ? "-" : trace.name(trace.link(e)));
    std::string all;
    for (const auto& [start, join] : joins) all += (all.empty() ? "" : " ") + join;
    return all;
  }
  std::string joinsOf(const std::string& events) const { return joinsOf(*import(events)); }
  test::TemporaryFolder folder_;
};

TEST_F(TraceFlowsTest, JoinTheCallAroundTheirBeginWithTheKernelAtTheirEnd) {
  const auto trace = import(callEvent("aten::sin", 0, 100, "cpu_op") + callEvent("launch", 10, 5) +
                            flowBegin(1, 12) + kernelEvent("sin", 50, 8) + flowEnd(1, 50));
  ASSERT_EQ(joinsOf(*trace), "sin<launch") << "the innermost span, not the operator";
  const EventId sin = trace->rowsOf(1)[0].first;
  const EventId launch = trace->link(sin);
  EXPECT_EQ(trace->link(launch), sin);
  EXPECT_EQ(trace->details(launch), trace->details(sin));
  EXPECT_THAT(launchDelaysOf(*trace, wholeOf(*trace)).times, testing::ElementsAre(40'000));
}

TEST_F(TraceFlowsTest, AreKeptWhereByAnotherClockTheExecutionBeganFirst) {
  const auto trace =
      import(callEvent("launch", 10, 5) + flowBegin(1, 12) + kernelEvent("early", 8, 20) +
             flowEnd(1, 13) + callEvent("launch again", 40, 5) + flowBegin(2, 41) +
             kernelEvent("before", 30, 5) + kernelEvent("later", 50, 5) + flowEnd(2, 50));
  ASSERT_EQ(joinsOf(*trace), "early<launch before<- later<launch again");
  exportTrace(*trace, folder_.path("again.json"));
  EXPECT_EQ(joinsOf(*importTrace(folder_.path("again.json"))), joinsOf(*trace));
}

TEST_F(TraceFlowsTest, OrderInTheFileDoesNotMatterAndIdsComeAgain) {
  EXPECT_EQ(joinsOf(flowEnd(3, 70) + kernelEvent("b", 70, 5) + flowEnd(3, 20) +
                    kernelEvent("a", 20, 5) + flowBegin(3, 60) + flowBegin(3, 11) +
                    callEvent("one", 10, 2) + callEvent("two", 60, 2)),
            "a<one b<two");
}

TEST_F(TraceFlowsTest, OneCallSetsOffManyKernels) {
  const auto trace = import(callEvent("graph", 10, 5) + flowBegin(9, 10) + kernelEvent("a", 20, 5) +
                            flowEnd(9, 20) + kernelEvent("b", 30, 5) + flowEnd(9, 30) +
                            kernelEvent("c", 40, 5) + flowEnd(9, 40));
  ASSERT_EQ(joinsOf(*trace), "a<graph b<graph c<graph");
  const EventId a = trace->rowsOf(1)[0].first;
  EXPECT_EQ(trace->link(trace->link(a)), a);
  EXPECT_EQ(trace->details(a)->sibling, a + 1);
  EXPECT_EQ(trace->details(a + 1)->sibling, a + 2);
  EXPECT_EQ(trace->details(a + 2)->sibling, kNoEvent);
}

TEST_F(TraceFlowsTest, AnEndWithoutBindingPointMeansTheNextKernel) {
  const std::string events = callEvent("one", 10, 2) + flowBegin(1, 10) + kernelEvent("a", 15, 20) +
                             kernelEvent("b", 40, 5);
  EXPECT_EQ(joinsOf(events + flowEnd(1, 30, "")), "a<- b<one");
  EXPECT_EQ(joinsOf(events + flowEnd(1, 30)), "a<one b<-");
  EXPECT_EQ(joinsOf(events + flowEnd(1, 40, "")), "a<- b<one");
  EXPECT_EQ(joinsOf(events + flowEnd(1, 46, "")), "a<- b<-");
}

TEST_F(TraceFlowsTest, StepsLeadOn) {
  const auto step = [](int pid, int tid, int time) {
    return fmt::format(R"({{"ph":"t","id":"0x1","pid":{},"tid":{},"ts":{},"cat":"c","name":"f"}},)",
                       pid, tid, time);
  };
  const std::string from = R"({"ph":"s","id":"0x1","pid":5,"tid":6,"ts":1,"cat":"c"},)";
  const std::string events = from + callEvent("python", 0, 5) + callEvent("launch", 10, 5) +
                             kernelEvent("a", 20, 5) + kernelEvent("b", 30, 5);
  EXPECT_EQ(joinsOf(events + step(5, 6, 12) + step(0, 7, 20)), "a<launch b<-");
  EXPECT_EQ(joinsOf(events + step(0, 7, 20) + step(5, 6, 26) + step(0, 7, 30)), "a<python b<-")
      << "a step where nothing lies leads nowhere";
}

TEST_F(TraceFlowsTest, CorrelationsCountBeforeThem) {
  const std::string joined =
      R"({"ph":"X","cat":"cuda_runtime","name":"right","pid":5,"tid":6,"ts":20,"dur":5,"args":{"correlation":4}},)"
      R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":50,"dur":5,"args":{"correlation":4}},)";
  EXPECT_EQ(joinsOf(joined + callEvent("wrong", 10, 5) + flowBegin(1, 10) + flowEnd(1, 50)),
            "a<right");
  const auto both = import(joined + flowBegin(1, 22) + kernelEvent("b", 60, 5) + flowEnd(1, 60));
  ASSERT_EQ(joinsOf(*both), "a<right b<right");
  const EventId a = both->rowsOf(1)[0].first;
  EXPECT_EQ(both->details(a)->sibling, a + 1) << "one chain of both";
}

TEST_F(TraceFlowsTest, FindStreamsThatTheFileNamesOtherwise) {
  EXPECT_EQ(
      joinsOf(callEvent("one", 10, 2) + flowBegin(1, 10) + kernelEvent("a", 20, 5, "\"stream 7\"") +
              flowEnd(1, 20, R"(,"bp":"e")", "\"stream 7\"")),
      "a<one");
}

TEST_F(TraceFlowsTest, TimesThatWereRoundedStillMeetTheirSpans) {
  EXPECT_EQ(joinsOf(callEvent("one", 10, 2) + flowBegin(1, 12) + kernelEvent("a", 20, 5) +
                    flowEnd(1, 25)),
            "a<one");
  EXPECT_EQ(joinsOf(callEvent("one", 10, 2) + callEvent("two", 12, 0) + flowBegin(1, 12) +
                    kernelEvent("a", 20, 5) + flowEnd(1, 20)),
            "a<two");
}

TEST_F(TraceFlowsTest, ThatMakeNoSenseJoinNothing) {
  const std::string events =
      callEvent("one", 10, 2) + callEvent("two", 60, 2) + kernelEvent("a", 20, 5);
  EXPECT_EQ(joinsOf(events + flowBegin(1, 10)), "a<-") << "no end";
  EXPECT_EQ(joinsOf(events + flowEnd(1, 20)), "a<-") << "no begin";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 60) + flowEnd(1, 20)), "a<-")
      << "it ends before it begins";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 40) + flowEnd(1, 20)), "a<-")
      << "nothing lies at its begin";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 10) + flowEnd(2, 20)), "a<-") << "another number";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 10) + flowEnd(1, 55)), "a<-")
      << "nothing lies at its end";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 10) + flowEnd(1, 20, R"(,"bp":"e")", "8")), "a<-")
      << "no track";
  EXPECT_EQ(joinsOf(events + flowBegin(1, 10) +
                    R"({"ph":"f","id":1,"pid":0,"tid":7,"ts":20,"cat":"other","bp":"e"})"),
            "a<-")
      << "another category";
  // A flow between spans of hosts sets nothing off.
  const auto host = import(events + flowBegin(1, 10) +
                           R"({"ph":"f","id":1,"pid":5,"tid":6,"ts":60,"cat":"async_cpu_to_gpu"})");
  for (EventId e = 0; e < host->size(); ++e) EXPECT_EQ(host->link(e), kNoEvent);
  const auto odd = import(
      events + R"({"ph":"s","id":{"a":[1]},"pid":5,"tid":6,"ts":10},{"ph":"f","ts":1},)"
               R"({"ph":"s","id":1,"pid":5,"tid":6,"ts":"soon"},{"ph":"f","id":1,"ts":1e300},)");
  EXPECT_EQ(odd->size(), 3u);
  EXPECT_EQ(odd->losses().malformed, 2u);
}

TEST_F(TraceFlowsTest, AMillionOfOneIdTakeNoLongerThanOthers) {
  std::string events;
  for (int i = 0; i < 1'000; ++i)
    events += callEvent("call", 10 * i, 5) + kernelEvent("a", 10 * i + 6, 3);
  for (int i = 0; i < 250'000; ++i) events += flowBegin(1, i % 10'000) + flowBegin(1, 3);
  for (int i = 0; i < 250'000; ++i) events += flowEnd(1, i % 10'000) + flowEnd(1, i % 10'000, "");
  const auto trace = import(events);
  std::uint64_t joined = 0;
  for (EventId e = 0; e < trace->size(); ++e)
    if (isDeviceWork(trace->kind(e)) && trace->link(e) != kNoEvent) {
      ++joined;
      EXPECT_EQ(trace->start(trace->link(e)), trace->start(e) - 6'000);
    }
  EXPECT_EQ(joined, 1'000u);
}

TEST_F(TraceFlowsTest, AgreeWithLookingAtEveryPair) {
  std::mt19937 random(4);
  const auto any = [&](int below) { return static_cast<int>(random() % unsigned(below)); };
  for (int round = 0; round < 100; ++round) {
    struct Point {
      int id, time;
    };
    std::string events;
    std::vector<int> calls, kernels;
    for (int i = 0; i < 30; ++i) {
      // Calls and kernels start at multiples of 20; their ends differ.
      if (any(4))
        events += callEvent(fmt::format("c{}", i).c_str(), 20 * i, 10), calls.push_back(20 * i);
      if (any(4))
        events += kernelEvent(fmt::format("k{}", i).c_str(), 20 * i, 15), kernels.push_back(i);
    }
    std::vector<Point> begins, ends;
    for (int i = 0; i < 60; ++i) {
      // Flows begin at odd times and end at even ones, so that a begin and an end never coincide.
      begins.push_back({any(4), 1 + 2 * any(300)});
      ends.push_back({any(4), 2 * any(300)});
      events += flowBegin(begins.back().id, begins.back().time) +
                flowEnd(ends.back().id, ends.back().time);
    }
    std::string expected;
    for (const int k : kernels) {
      int best = -1;
      for (const Point& to : ends) {
        if (to.time < 20 * k || to.time > 20 * k + 15) continue;
        int from = -1;  // the last begin of that number
        for (const Point& other : begins)
          if (other.id == to.id && other.time < to.time) from = std::max(from, other.time);
        if (from < 0) continue;
        for (const int start : calls)
          if (from >= start && from <= start + 10) best = std::max(best, start);
      }
      expected += fmt::format("{}k{}<{}", expected.empty() ? "" : " ", k,
                              best < 0 ? "-" : fmt::format("c{}", best / 20));
    }
    if (calls.empty() || kernels.empty()) continue;
    EXPECT_EQ(joinsOf(events), expected) << round;
  }
}

TEST_F(TraceFlowsTest, WhatTheyJoinStaysJoinedInFilesAndParts) {
  // The second call has no category that calls are known by, and a span that begins with it.
  const auto trace =
      import(callEvent("one", 10, 2) + flowBegin(1, 10) + kernelEvent("a", 20, 5) + flowEnd(1, 20) +
             kernelEvent("b", 26, 5) + flowEnd(1, 26) + callEvent("op", 30, 20, "cpu_op") +
             callEvent("inner", 30, 5, "cpu_op") + flowBegin(2, 40) + kernelEvent("c", 60, 5) +
             flowEnd(2, 60));
  ASSERT_EQ(joinsOf(*trace), "a<one b<one c<op");
  exportTrace(*trace, folder_.path("again.json"));
  EXPECT_EQ(differenceOf(*trace, *importTrace(folder_.path("again.json"))), "");
  const auto joined = joinedTrace(std::vector{trace, trace}, "two");
  const auto parts = partsOf(joined);
  ASSERT_EQ(parts.size(), 2u);
  for (const auto& part : parts) EXPECT_EQ(joinsOf(*part), "a<one b<one c<op");
}

TEST_F(TraceFlowsTest, WhatTheyJoinStaysJoinedWhereKernelsOfAStreamBeginTogether) {
  for (const char* joined : {"a", "b"}) {
    std::string events = callEvent("one", 10, 2) + flowBegin(1, 10);
    // An end without a binding point means the first of the two, around its time is the last.
    if (joined == std::string("a"))
      events += kernelEvent("a", 20, 5) + kernelEvent("b", 20, 5) + flowEnd(1, 19, "");
    else
      events += kernelEvent("a", 20, 5) + kernelEvent("b", 20, 5) + flowEnd(1, 20);
    const auto trace = import(events);
    const std::string expected = joined == std::string("a") ? "a<one b<-" : "a<- b<one";
    ASSERT_EQ(joinsOf(*trace), expected);
    exportTrace(*trace, folder_.path("again.json"));
    EXPECT_EQ(joinsOf(*importTrace(folder_.path("again.json"))), expected);
  }
}

}  // namespace
}  // namespace fusebench
