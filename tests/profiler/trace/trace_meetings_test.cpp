// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_meetings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profiler/measure/recorded_calls.h"
#include "profiler/study/launch_pass.h"

namespace fusebench {
namespace {

/// One call of a rank: a kernel, and an all-reduce that begins then.
RecordedCalls oneReduction(int rank, std::int64_t begin, std::int64_t shift) {
  RecordedCalls calls;
  calls.kernels = {"", "sin", "all_reduce"};
  const auto span = [](std::int64_t start, std::int64_t end, CallPart part, std::uint32_t kernel) {
    CallSpan made;
    made.start = start;
    made.end = end;
    made.part = part;
    made.kernel = kernel;
    made.launch = kernel == 0 ? -1 : static_cast<std::int32_t>(kernel) - 1;
    return made;
  };
  calls.spans = {span(0, 10, CallPart::guard, 0), span(10, begin, CallPart::kernel, 1),
                 span(begin, 900, CallPart::kernel, 2)};
  calls.place = {rank, 2, shift, 0, 7};
  return calls;
}

CellCalls twoRanks() {
  CellCalls cell;
  cell.variant = "static";
  cell.calls = oneReduction(0, 100, 0);
  cell.others = {oneReduction(1, 300, 40)};
  return cell;
}

EventId reductionOf(const Trace& trace, int rank) {
  for (EventId event = 0; event < trace.size(); ++event)
    if (trace.kind(event) == SpanKind::kernel && trace.name(event) == "all_reduce" &&
        rankInProcessName(trace.laneOf(event).processName) == rank)
      return event;
  return kNoEvent;
}

TEST(TraceMeetings, RanksStandOnOneClockAndTheirCollectivesAreJoined) {
  const std::vector<CellCalls> cells{twoRanks()};
  const auto trace = traceOf(cells, "ranks");
  const EventId first = reductionOf(*trace, 0), second = reductionOf(*trace, 1);
  ASSERT_NE(first, kNoEvent);
  ASSERT_NE(second, kNoEvent);
  EXPECT_EQ(trace->start(first), 100);
  EXPECT_EQ(trace->start(second), 340);
  EXPECT_EQ(trace->meets(second), first);
  EXPECT_EQ(trace->meets(first), kNoEvent);
  EXPECT_NE(trace->note().find("2 ranks, their clocks compared by exchanges of messages: within 7"),
            std::string::npos)
      << trace->note();
  ASSERT_EQ(trace->parts().size(), 1u);
  EXPECT_EQ(trace->parts()[0].name, "static");
}

TEST(TraceMeetings, OtherNumbersOfCollectivesAreNotJoined) {
  std::vector<CellCalls> cells{twoRanks()};
  cells[0].others[0].spans.pop_back();
  const auto trace = traceOf(cells, "ranks");
  EXPECT_EQ(reductionOf(*trace, 1), kNoEvent);
  for (EventId event = 0; event < trace->size(); ++event) EXPECT_EQ(trace->meets(event), kNoEvent);
}

TEST(TraceMeetings, ARanksNumberIsReadOffItsProcess) {
  EXPECT_EQ(rankInProcessName("rank 13, eager"), 13);
  EXPECT_EQ(rankInProcessName("rank 13"), -1);
  EXPECT_EQ(rankInProcessName("ranking, 3"), -1);
  EXPECT_EQ(rankInProcessName("eager"), -1);
}

}  // namespace
}  // namespace fusebench
