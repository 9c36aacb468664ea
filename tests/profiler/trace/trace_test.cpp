// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

LaneId host(TraceBuilder& builder) {
  return builder.lane({Lane::Kind::host, 10, 11, "program", "main thread"});
}
LaneId stream(TraceBuilder& builder) {
  return builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
}

EventId find(const Trace& trace, std::string_view name, SpanKind kind) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.name(e) == name && trace.kind(e) == kind) return e;
  return kNoEvent;
}

TEST(Launches, ClockBeginsWithTheFirstEventAndNestedSpansLieARowDeeper) {
  TraceBuilder builder("eager");
  const LaneId lane = host(builder);
  builder.addSpan({lane, SpanKind::guard, "inner", 1'200, 1'300});
  builder.addSpan({lane, SpanKind::op, "outer", 1'000, 2'000});
  builder.addSpan({lane, SpanKind::dispatch, "innermost", 1'210, 1'250});
  builder.addSpan({lane, SpanKind::op, "next", 2'000, 2'100});
  const auto trace = builder.finish();
  EXPECT_EQ(trace->origin(), 1'000);
  EXPECT_EQ(trace->length(), 1'100);
  ASSERT_EQ(trace->rows().size(), 3u);
  const EventId outer = find(*trace, "outer", SpanKind::op);
  EXPECT_EQ(trace->start(outer), 0);
  EXPECT_EQ(trace->duration(outer), 1'000);
  EXPECT_EQ(trace->rowOf(outer), 0u);
  EXPECT_EQ(trace->rowOf(find(*trace, "inner", SpanKind::guard)), 1u);
  EXPECT_EQ(trace->rowOf(find(*trace, "innermost", SpanKind::dispatch)), 2u);
  EXPECT_EQ(trace->rowOf(find(*trace, "next", SpanKind::op)), 0u);
  EXPECT_EQ(trace->laneOf(outer).name, "main thread");
}

TEST(Launches, ALaunchJoinsItsCallAndItsExecution) {
  TraceBuilder builder("static");
  builder.addLaunch({.name = "chain",
                     .op = "sin + mul",
                     .firstStatement = 1,
                     .lastStatement = 30,
                     .hostBegin = 100,
                     .hostEnd = 140,
                     .start = 150,
                     .end = 190,
                     .hostLane = host(builder),
                     .deviceLane = stream(builder),
                     .grid = {4, 1, 1},
                     .registers = 32});
  const auto trace = builder.finish();
  ASSERT_EQ(trace->size(), 2u);
  const EventId call = find(*trace, "chain", SpanKind::launch);
  const EventId kernel = find(*trace, "chain", SpanKind::kernel);
  EXPECT_EQ(trace->link(call), kernel);
  EXPECT_EQ(trace->link(kernel), call);
  ASSERT_TRUE(trace->details(call));
  EXPECT_EQ(trace->details(call), trace->details(kernel));
  EXPECT_EQ(trace->details(kernel)->registers, 32u);
  EXPECT_EQ(trace->nameText(trace->details(kernel)->op), "sin + mul");
  EXPECT_EQ(labelOf(*trace, kernel), "chain, statements 1–30");
}

TEST(Launches, AGraphLaunchHasManyExecutions) {
  TraceBuilder builder("replay");
  const LaneId lane = host(builder), device = stream(builder);
  for (const int node : {3, 1, 2})
    builder.addLaunch({.name = "k" + std::to_string(node),
                       .start = 100 * node,
                       .end = 100 * node + 50,
                       .deviceLane = device,
                       .correlation = 9,
                       .graph = 4,
                       .graphNode = static_cast<std::uint64_t>(node)});
  builder.addSpan({lane, SpanKind::runtime, "cudaGraphLaunch", 10, 40, 9});
  builder.addSpan({lane, SpanKind::runtime, "cudaMalloc", 50, 60, 10});
  const auto trace = builder.finish();
  const EventId call = find(*trace, "cudaGraphLaunch", SpanKind::runtime);
  std::vector<std::string> set;
  for (EventId e = trace->link(call); e != kNoEvent; e = trace->details(e)->sibling) {
    set.emplace_back(trace->name(e));
    EXPECT_EQ(trace->link(e), call);
  }
  EXPECT_THAT(set, testing::ElementsAre("k1", "k2", "k3"));
  EXPECT_EQ(trace->link(find(*trace, "cudaMalloc", SpanKind::runtime)), kNoEvent);
}

TEST(Launches, ANumberThatComesAgainBelongsToTheCallBefore) {
  TraceBuilder builder("two processes");
  const LaneId lane = host(builder), device = stream(builder);
  builder.addSpan({lane, SpanKind::runtime, "first", 10, 20, 5});
  builder.addSpan({lane, SpanKind::runtime, "second", 1'000, 1'020, 5});
  builder.addLaunch({.name = "a", .start = 30, .end = 40, .deviceLane = device, .correlation = 5});
  builder.addLaunch(
      {.name = "b", .start = 1'030, .end = 1'040, .deviceLane = device, .correlation = 5});
  const auto trace = builder.finish();
  EXPECT_EQ(trace->name(trace->link(find(*trace, "a", SpanKind::kernel))), "first");
  EXPECT_EQ(trace->name(trace->link(find(*trace, "b", SpanKind::kernel))), "second");
}

TEST(Launches, WhatHasNoSenseIsCountedAndNotKept) {
  TraceBuilder builder("broken");
  const LaneId lane = host(builder), device = stream(builder);
  builder.addLaunch({.name = "no end", .start = 10, .deviceLane = device});
  builder.addLaunch({.name = "no time", .start = 10, .end = 10, .deviceLane = device});
  builder.addLaunch({.name = "inverted", .start = 20, .end = 10, .deviceLane = device});
  builder.addSpan({lane, SpanKind::op, "far away", 0, std::numeric_limits<Nanoseconds>::max()});
  builder.addSpan({lane, SpanKind::op, "kept", 0, 1'000});
  builder.losses().dropped = 3;
  const auto trace = builder.finish();
  EXPECT_EQ(trace->size(), 1u);
  EXPECT_EQ(trace->losses(), (TraceLosses{3, 2, 1, 1, 0, 0}));
  EXPECT_EQ(sentenceOf(trace->losses()),
            "3 dropped by the collector, 2 without a time, 1 with their end before their start, 1 "
            "malformed");
}

TEST(Launches, AKernelOfTheHostMayTakeNoTimeByItsClock) {
  TraceBuilder builder("coarse clock");
  const LaneId lane = host(builder);
  builder.addLaunch({.name = "add",
                     .hostBegin = 0,
                     .hostEnd = 20,
                     .start = 10,
                     .end = 10,
                     .hostLane = lane,
                     .deviceLane = lane});
  const auto trace = builder.finish();
  EXPECT_EQ(trace->size(), 2u);
  EXPECT_EQ(trace->losses().total(), 0u);
}

TEST(Launches, RowsHoldEveryEventOnceAndNoneOverlap) {
  std::mt19937 random(7);
  TraceBuilder builder("random");
  const LaneId lanes[] = {host(builder), stream(builder)};
  std::int64_t total = 0;
  for (int i = 0; i < 5'000; ++i) {
    const auto start = static_cast<Nanoseconds>(random() % 100'000);
    const auto duration = static_cast<Nanoseconds>(random() % 200);
    total += duration;
    builder.addSpan({lanes[random() % 2], SpanKind::other, "x", start, start + duration});
  }
  const auto trace = builder.finish();
  ASSERT_EQ(trace->size(), 5'000u);
  std::int64_t sum = 0;
  EventId expected = 0;
  for (const TraceRow& row : trace->rows()) {
    EXPECT_EQ(row.first, expected);
    expected = row.last;
    for (EventId e = row.first; e < row.last; ++e) {
      sum += trace->duration(e);
      if (e > row.first) {
        EXPECT_GE(trace->start(e), trace->end(e - 1));
      }
    }
    for (const Nanoseconds t : {0, 777, 50'000, 99'999, 200'000}) {
      EventId plain = row.first;
      while (plain < row.last && trace->end(plain) <= t) ++plain;
      // An empty event at exactly this time may come first.
      EXPECT_EQ(trace->firstEndingAfter(row, t) == row.last, plain == row.last);
      if (plain < row.last) {
        EXPECT_LE(trace->firstEndingAfter(row, t), plain);
      }
    }
  }
  EXPECT_EQ(expected, trace->size());
  EXPECT_EQ(sum, total);
}

TEST(Launches, AnEmptyTraceHasNoLanes) {
  TraceBuilder builder("nothing");
  host(builder);
  const auto trace = builder.finish();
  EXPECT_EQ(trace->size(), 0u);
  EXPECT_TRUE(trace->lanes().empty());
  EXPECT_EQ(trace->length(), 0);
}

TEST(Launches, ManyDetailsLieInAFile) {
  MappedColumn<LaunchDetails> column;
  const std::size_t count = MappedBytes::kFileFrom / sizeof(LaunchDetails) + 1'000;
  for (std::size_t i = 0; i < count; ++i) column.push_back({.correlation = i});
  EXPECT_TRUE(column.inFile());
  for (std::size_t i = 0; i < count; i += 997) EXPECT_EQ(column[i].correlation, i);
  const MappedColumn<LaunchDetails> moved = std::move(column);
  EXPECT_EQ(moved.size(), count);
  EXPECT_EQ(moved[count - 1].correlation, count - 1);
}

TEST(Launches, CancelingEndsTheWork) {
  TraceBuilder builder("long");
  builder.addSpan({host(builder), SpanKind::op, "x", 0, 1});
  EXPECT_THROW(builder.finish([](double) { return false; }), Canceled);
}

}  // namespace
}  // namespace fusebench
