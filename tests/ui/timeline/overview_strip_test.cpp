// SPDX-License-Identifier: GPL-3.0-or-later
// The strip with the whole trace above the timeline.
#include <gtest/gtest.h>

#include <QTest>
#include <QWheelEvent>
#include <memory>

#include "profiler/trace/trace_builder.h"
#include "ui/views/timeline/overview_strip.h"

namespace fusebench {
namespace {

/// A stream that is busy in the first tenth and in the last half of 1 ms.
std::shared_ptr<const Trace> halfBusy() {
  TraceBuilder builder("t");
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  builder.addLaunch({.name = "a", .start = 0, .end = 100'000, .deviceLane = stream});
  builder.addLaunch({.name = "b", .start = 500'000, .end = 1'000'000, .deviceLane = stream});
  return builder.finish();
}

class OverviewStripTest : public testing::Test {
 protected:
  OverviewStripTest() : strip(model) {
    strip.resize(1016, 22);  // a thousand columns between the edges
    strip.show();
    model.setTraces({halfBusy()});
  }
  TimelineModel model;
  OverviewStrip strip;
};

TEST_F(OverviewStripTest, ShowsWhereTheDeviceWorks) {
  EXPECT_TRUE(strip.isVisible());
  EXPECT_NEAR(strip.busyAt(8 + 50), 1, 1e-6);
  EXPECT_NEAR(strip.busyAt(8 + 300), 0, 1e-6);
  EXPECT_NEAR(strip.busyAt(8 + 700), 1, 1e-6);
  model.setTraces({});
  EXPECT_FALSE(strip.isVisible());
}

/// As a recording of calls on the CPU, whose thread runs the kernels itself.
TEST_F(OverviewStripTest, ShowsWhereAThreadRunsKernels) {
  TraceBuilder builder("t");
  const LaneId thread = builder.lane({Lane::Kind::host, 1, 1, "calls", "calling thread"});
  builder.addSpan({.lane = thread, .kind = SpanKind::kernel, .name = "a", .start = 0, .end = 90});
  builder.addSpan(
      {.lane = thread, .kind = SpanKind::kernel, .name = "b", .start = 500'000, .end = 1'000'000});
  model.setTraces({builder.finish()});
  EXPECT_NEAR(strip.busyAt(8), 1, 1e-6);
  EXPECT_NEAR(strip.busyAt(8 + 300), 0, 1e-6);
  EXPECT_NEAR(strip.busyAt(8 + 500), 1, 1e-6);
}

TEST_F(OverviewStripTest, TheVisiblePartIsMarkedAndMoves) {
  model.setView(200'000, 300'000);
  EXPECT_NEAR(strip.part().left(), 8 + 200, 1);
  EXPECT_NEAR(strip.part().width(), 100, 1);
  // A click elsewhere moves the part there.
  QTest::mousePress(&strip, Qt::LeftButton, {}, QPoint(8 + 700, 10));
  EXPECT_NEAR((model.from() + model.to()) / 2, 700'000, 1'000);
  // Dragging it keeps the place where it is held.
  QTest::mouseRelease(&strip, Qt::LeftButton, {}, QPoint(8 + 700, 10));
  QTest::mousePress(&strip, Qt::LeftButton, {}, QPoint(8 + 730, 10));
  EXPECT_NEAR((model.from() + model.to()) / 2, 700'000, 1'000);
  QMouseEvent drag(QEvent::MouseMove, QPointF(8 + 630, 10), QPointF(8 + 630, 10), Qt::NoButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(&strip, &drag);
  EXPECT_NEAR((model.from() + model.to()) / 2, 600'000, 1'000);
  EXPECT_NEAR(model.to() - model.from(), 100'000, 1);
}

TEST_F(OverviewStripTest, TheWheelZoomsTheTimeline) {
  model.setView(200'000, 300'000);
  QWheelEvent wheel(QPointF(10, 10), QPointF(10, 10), {}, QPoint(0, 120), Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&strip, &wheel);
  EXPECT_NEAR(model.to() - model.from(), 80'000, 1);
  EXPECT_NEAR((model.from() + model.to()) / 2, 250'000, 1);
}

}  // namespace
}  // namespace fusebench
