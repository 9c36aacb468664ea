// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/gap_neighbors.h"

#include <gtest/gtest.h>

#include <memory>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

/// Two kernels with a gap from 100 to 500 on one stream; another stream of GPU 1 is busy meanwhile.
std::shared_ptr<const Trace> gapTrace() {
  TraceBuilder builder("t");
  const LaneId thread = builder.lane({Lane::Kind::host, 1, 1, "python", "thread 1"});
  const LaneId stream = builder.lane({Lane::Kind::device, 0, 7, "GPU 0", "stream 7"});
  const LaneId other = builder.lane({Lane::Kind::device, 1, 8, "GPU 1", "stream 8"});
  builder.addSpan({thread, SpanKind::op, "aten::item", 90, 480});
  builder.addSpan({thread, SpanKind::runtime, "cudaStreamSynchronize", 120, 450});
  builder.addSpan({thread, SpanKind::runtime, "short", 460, 470});
  builder.addLaunch({.name = "relu(int)", .start = 0, .end = 100, .deviceLane = stream});
  builder.addLaunch({.name = "sum(int)", .start = 500, .end = 600, .deviceLane = stream});
  builder.addLaunch({.name = "late(int)", .start = 700, .end = 800, .deviceLane = stream});
  builder.addLaunch({.name = "elsewhere(int)", .start = 50, .end = 520, .deviceLane = other});
  return builder.finish();
}

TEST(GapNeighbors, AreTheWorkOnBothSidesAndTheCallDuringIt) {
  const auto trace = gapTrace();
  const GapNeighbors found = neighborsOf(*trace, Work::device, {100, 500}, 0);
  ASSERT_NE(found.before, kNoEvent);
  ASSERT_NE(found.after, kNoEvent);
  ASSERT_NE(found.host, kNoEvent);
  EXPECT_EQ(sentenceOf(*trace, found), "relu to sum; host: cudaStreamSynchronize");
}

TEST(GapNeighbors, AtTheEndsOfATraceAreMissing) {
  const auto trace = gapTrace();
  const GapNeighbors found = neighborsOf(*trace, Work::device, {800, 900}, 0);
  EXPECT_EQ(found.after, kNoEvent);
  EXPECT_EQ(sentenceOf(*trace, found), "late to -");
}

TEST(GapNeighbors, OfAllDevicesMayLieOnAny) {
  const auto trace = gapTrace();
  EXPECT_EQ(sentenceOf(*trace, neighborsOf(*trace, Work::device, {600, 700})), "sum to late");
  const GapNeighbors found = neighborsOf(*trace, Work::device, {520, 530});
  EXPECT_EQ(trace->name(found.before), "elsewhere(int)");
}

}  // namespace
}  // namespace fusebench
