// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

/// Two steps of the profiler, in each aten::mul and aten::sin, a kernel of each on another stream;
/// the kernels run in the step after.
std::shared_ptr<const Trace> training(int firstStep) {
  TraceBuilder builder("training");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId streams[] = {builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"}),
                            builder.lane({Lane::Kind::device, 0, 9, "GPU 0", "stream 9"})};
  for (int i = 0; i < 2; ++i) {
    const Nanoseconds at = 10'000 * i;
    builder.addSpan({host, SpanKind::annotation, "ProfilerStep#" + std::to_string(firstStep + i),
                     at, at + 9'000});
    for (int k = 0; k < 2; ++k) {
      const Nanoseconds call = at + 1'000 + 3'000 * k;
      builder.addSpan(
          {host, SpanKind::op, k == 0 ? "aten::mul" : "aten::sin", call - 500, call + 2'000});
      builder.addLaunch({.name = "elementwise",
                         .hostBegin = call,
                         .hostEnd = call + 1'000,
                         .start = call + 9'500,
                         .end = call + 9'500 + 100 * (1 + k),
                         .hostLane = host,
                         .deviceLane = streams[k]});
    }
  }
  return builder.finish();
}

std::vector<GroupTotal> totals(Grouping grouping, const Trace& trace) {
  return totalsBy(grouping, trace, workOf(trace), wholeOf(trace));
}

TEST(TraceGroups, AnExecutionIsOfTheOperatorAndTheStepThatLaunchedIt) {
  const auto trace = training(12);
  EXPECT_THAT(totals(Grouping::kernel, *trace), ElementsAre(GroupTotal{"elementwise", 4, 600}));
  EXPECT_THAT(totals(Grouping::op, *trace),
              ElementsAre(GroupTotal{"aten::sin", 2, 400}, GroupTotal{"aten::mul", 2, 200}));
  // Whatever the profiler calls them: the first of one trace is compared with that of another.
  EXPECT_THAT(totals(Grouping::step, *trace),
              ElementsAre(GroupTotal{"step 1", 2, 300}, GroupTotal{"step 2", 2, 300}));
  EXPECT_THAT(totals(Grouping::stream, *trace),
              ElementsAre(GroupTotal{"stream 9", 2, 400}, GroupTotal{"stream 7", 2, 200}));
}

TEST(TraceGroups, WithoutStepsTheProgramsOuterRangesCount) {
  TraceBuilder builder("ranges");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addSpan({host, SpanKind::annotation, "forward", 0, 5'000});
  builder.addSpan({host, SpanKind::annotation, "attention", 500, 3'000});
  const auto launch = [&](Nanoseconds at) {
    builder.addLaunch({.name = "k",
                       .hostBegin = at,
                       .hostEnd = at + 100,
                       .start = at + 200,
                       .end = at + 210,
                       .hostLane = host,
                       .deviceLane = stream});
  };
  launch(1'000);
  launch(4'000);
  launch(7'000);
  const auto trace = builder.finish();
  EXPECT_THAT(totals(Grouping::step, *trace),
              ElementsAre(GroupTotal{"forward", 2, 20}, GroupTotal{"outside of steps", 1, 10}));
  EXPECT_THAT(totals(Grouping::op, *trace), ElementsAre(GroupTotal{"no operator recorded", 3, 30}));
}

TEST(TraceGroups, OfAHostWhatLiesInsideOfOthersIsNotCountedTwiceByThread) {
  TraceBuilder builder("host");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  builder.addSpan({host, SpanKind::op, "aten::linear", 0, 1'000});
  builder.addSpan({host, SpanKind::op, "aten::addmm", 100, 900});
  const auto trace = builder.finish();
  EXPECT_THAT(totals(Grouping::stream, *trace), ElementsAre(GroupTotal{"main", 1, 1'000}));
  EXPECT_THAT(totals(Grouping::op, *trace),
              ElementsAre(GroupTotal{"aten::linear", 1, 1'000}, GroupTotal{"aten::addmm", 1, 800}));
}

}  // namespace
}  // namespace fusebench
