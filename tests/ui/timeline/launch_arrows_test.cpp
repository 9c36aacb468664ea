// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows from calls to what they had executed, as window and files draw them.
#include "ui/models/timeline/launch_arrows.h"

#include <gtest/gtest.h>

#include <memory>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

constexpr double kWide = 10;

std::shared_ptr<const Trace> launched(bool inOneLane) {
  TraceBuilder builder("t");
  const LaneId device = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const LaneId host =
      inOneLane ? device : builder.lane({Lane::Kind::host, 1, 1, "program", "main"});
  builder.addLaunch({.name = "sin",
                     .hostBegin = 0,
                     .hostEnd = 2'000,
                     .start = 4'000,
                     .end = 7'000,
                     .hostLane = host,
                     .deviceLane = device});
  return builder.finish();
}

EventId eventOf(const Trace& trace, SpanKind kind) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.kind(e) == kind) return e;
  ADD_FAILURE();
  return 0;
}

TEST(LaunchArrows, AreForExecutionsThatCanBeToldApart) {
  const auto trace = launched(false);
  const EventId kernel = eventOf(*trace, SpanKind::kernel);
  EXPECT_TRUE(getsArrow(*trace, kernel, kWide));
  EXPECT_FALSE(getsArrow(*trace, kernel, 2.9));
  EXPECT_FALSE(getsArrow(*trace, trace->link(kernel), kWide)) << "a call";
}

TEST(LaunchArrows, AreNotForWhatLiesInTheLaneOfItsCall) {
  const auto trace = launched(true);
  const EventId kernel = eventOf(*trace, SpanKind::kernel);
  ASSERT_NE(trace->link(kernel), kNoEvent);
  EXPECT_FALSE(getsArrow(*trace, kernel, kWide));
}

TEST(LaunchArrows, TooManyHideWhatTheyJoinAndOnlyMarkedOnesStay) {
  std::vector<LaunchArrow> arrows(240);
  arrows.push_back({{1, 1}, {2, 2}, true});
  leaveReadable(arrows);
  EXPECT_EQ(arrows.size(), 241u);
  arrows.emplace_back();
  leaveReadable(arrows);
  ASSERT_EQ(arrows.size(), 1u);
  EXPECT_TRUE(arrows[0].marked);
}

TEST(LaunchArrows, StandUprightAtBothEndsAndPointToTheirTarget) {
  for (const double way : {1.0, -1.0}) {
    const LaunchArrow arrow{{10, 50}, {40, 50 + way * 20}};
    const ArrowStroke stroke = strokeOf(arrow, 6);
    EXPECT_EQ(stroke.firstControl, QPointF(10, 50 + way * 10));
    EXPECT_EQ(stroke.secondControl, QPointF(40, 50 + way * 10));
    EXPECT_EQ(stroke.head[1], arrow.to);
    EXPECT_EQ(stroke.head[0].x(), 37);
    EXPECT_EQ(stroke.head[2].x(), 43);
    EXPECT_LT(way * stroke.head[0].y(), way * arrow.to.y()) << "its sides lie behind the tip";
  }
}

}  // namespace
}  // namespace fusebench
