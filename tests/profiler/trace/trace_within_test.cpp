// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_within.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "profiler/files/input_error.h"
#include "profiler/trace/operator_groups.h"
#include "profiler/trace/trace_breakdown.h"
#include "profiler/trace/trace_builder.h"
#include "profiler/trace/trace_counters.h"
#include "profiler/trace/trace_report.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two steps, each with a range "forward" and a range "backward" that launch a kernel apiece. The
/// kernels run late: those of "forward" while the host is in "backward".
std::shared_ptr<const Trace> twoSteps() {
  TraceBuilder builder("steps");
  const LaneId host = builder.lane({Lane::Kind::host, 1, 1, "python", "main"});
  const LaneId other = builder.lane({Lane::Kind::host, 1, 2, "python", "autograd"});
  const LaneId gpu = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  std::uint64_t correlation = 1;
  const auto range = [&](const char* name, Nanoseconds from, Nanoseconds to, LaneId lane,
                         Nanoseconds kernelFrom, Nanoseconds kernelTo) {
    builder.addSpan({host, SpanKind::annotation, name, from, to});
    builder.addSpan({lane, SpanKind::op, "aten::mm", from + 10, to - 10});
    builder.addSpan(
        {lane, SpanKind::runtime, "cudaLaunchKernel", from + 20, from + 30, correlation});
    builder.addLaunch({.name = std::string("kernel of ") + name,
                       .start = kernelFrom,
                       .end = kernelTo,
                       .deviceLane = gpu,
                       .correlation = correlation++});
  };
  for (const Nanoseconds at : {0, 1000}) {
    range("forward", at, at + 100, host, at + 150, at + 200);
    range("backward", at + 100, at + 300, other, at + 250, at + 400);
  }
  builder.addSpan({host, SpanKind::op, "aten::outside", 600, 700});
  const std::size_t counter = builder.counter({.name = "power"});
  for (const Nanoseconds at : {0, 250, 500, 1200})
    builder.addCount(counter, at, static_cast<double>(at));
  return builder.finish();
}

std::vector<std::string> namesIn(const Trace& trace) {
  std::vector<std::string> names;
  for (EventId e = 0; e < trace.size(); ++e) names.emplace_back(trace.name(e));
  return names;
}

TEST(TraceWithin, HasTheHostsPartAndWhatItLaunchedWheneverThatRuns) {
  const auto trace = twoSteps();
  const auto forward = traceWithin(*trace, "forward");
  EXPECT_THAT(namesIn(*forward),
              testing::UnorderedElementsAre("forward", "aten::mm", "cudaLaunchKernel",
                                            "kernel of forward", "forward", "aten::mm",
                                            "cudaLaunchKernel", "kernel of forward"));
  const auto backward = traceWithin(*trace, "backward");
  EXPECT_THAT(namesIn(*backward), testing::Contains("kernel of backward").Times(2));
  EXPECT_THAT(namesIn(*backward), testing::Contains("aten::mm").Times(2)) << "on another thread";
  EXPECT_THAT(namesIn(*backward), testing::Not(testing::Contains("kernel of forward")));
}

TEST(TraceWithin, KeepsTimesAndLinks) {
  const auto trace = twoSteps();
  const auto within = traceWithin(*trace, "backward");
  EXPECT_EQ(within->length(), trace->length());
  EXPECT_EQ(within->origin(), trace->origin());
  for (EventId e = 0; e < within->size(); ++e) {
    if (within->kind(e) != SpanKind::kernel) continue;
    ASSERT_NE(within->link(e), kNoEvent);
    EXPECT_EQ(within->start(e) - within->start(within->link(e)), 130);
  }
  using Window = std::pair<Nanoseconds, Nanoseconds>;
  EXPECT_THAT(within->windows(), ElementsAre(Window(100, 400), Window(1100, 1400)));
}

TEST(TraceWithin, CountsOnlyTheTimeOfTheRanges) {
  const auto within = traceWithin(*twoSteps(), "backward");
  const TraceReport report = reportOf(within, "t");
  EXPECT_EQ(report.statistics.counted, 600);
  EXPECT_EQ(report.statistics.busy, 300);
  EXPECT_EQ(report.statistics.idle, 300);
  EXPECT_EQ(report.statistics.gaps, 0u) << "the time between the two steps does not count";
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_EQ(report.devices[0].total, 600);
  EXPECT_EQ(report.devices[0].idle, 300);
  EXPECT_EQ(report.devices[0].hostWait + report.devices[0].kernelWait + report.devices[0].otherWait,
            0);
  EXPECT_EQ(report.savings.total, 600);
  // 150 ns of 0 and 150 ns of 250 in the first step; 100 ns of 500 and 200 ns of 1200 in the
  // second.
  const auto power = figuresOf(*within, within->counters()[0]);
  ASSERT_TRUE(power);
  EXPECT_NEAR(power->mean, (150 * 250 + 100 * 500 + 200 * 1200) / 600.0, 1e-9);
  EXPECT_EQ(power->most, 1200);
  EXPECT_EQ(power->samples, 2u);
  ASSERT_EQ(report.totals.size(), 1u);
  EXPECT_EQ(report.totals[0].count, 2u);
  const OperatorFrames frames = operatorFrames(*within, recordedOf(*within));
  const auto groups = operatorGroups(*within, frames, operatorKeysNamed("operator"));
  EXPECT_EQ(groups.size(), 1u);
  EXPECT_TRUE(longestGapsOf(*within, Work::device, recordedOf(*within)).empty());
}

TEST(TraceWithin, TakesAllRangesThatBeginWithAName) {
  EXPECT_EQ(traceWithin(*twoSteps(), "f*")->size(), traceWithin(*twoSteps(), "forward")->size());
  EXPECT_EQ(traceWithin(*twoSteps(), "*")->size(), 16u);
}

TEST(TraceWithin, RefusesANameThatNoRangeHasAndNamesSome) {
  const auto refusal = [](const Trace& trace) {
    try {
      traceWithin(trace, "optimizer");
    } catch (const InputError& wrong) {
      return std::string(wrong.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(refusal(*twoSteps()), HasSubstr("no range \"optimizer\"; it has backward, forward"));
  TraceBuilder builder("t");
  builder.addSpan({builder.lane({}), SpanKind::op, "aten::mm", 0, 10});
  EXPECT_THAT(refusal(*builder.finish()), HasSubstr("record_function"));
}

TEST(TraceWithin, NamesRangesTheLongestFirst) {
  const auto ranges = namedRangesOf(*twoSteps());
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].name, "backward");
  EXPECT_EQ(ranges[0].count, 2u);
  EXPECT_EQ(ranges[0].total, 400);
}

}  // namespace
}  // namespace fusebench
