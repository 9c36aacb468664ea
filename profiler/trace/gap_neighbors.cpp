// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/gap_neighbors.h"

#include <algorithm>

#include "engine/base/saying.h"
#include "profiler/trace/kernel_names.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostLookedAt = 10'000;  ///< events of a row, around one gap

/// Finds the work on both sides of the gap in one row.
void lookAround(const Trace& trace, const TraceRow& row, Work work, TimeRange gap,
                GapNeighbors& found) {
  std::size_t looked = 0;
  for (EventId e = trace.firstEndingAfter(row, gap.from); e > row.first && looked < kMostLookedAt;
       --e, ++looked) {
    if (!counts(trace.kind(e - 1), work)) continue;
    if (found.before == kNoEvent || trace.end(e - 1) > trace.end(found.before))
      found.before = e - 1;
    break;
  }
  looked = 0;
  for (EventId e = trace.firstStartingAt(row, gap.to); e < row.last && looked < kMostLookedAt;
       ++e, ++looked) {
    if (!counts(trace.kind(e), work)) continue;
    if (found.after == kNoEvent || trace.start(e) < trace.start(found.after)) found.after = e;
    break;
  }
}

/// The innermost call of a thread during at least half of the gap; rows below are deeper.
EventId callDuring(const Trace& trace, LaneId lane, TimeRange gap) {
  EventId found = kNoEvent;
  std::size_t looked = 0;
  for (const TraceRow& row : trace.rowsOf(lane))
    for (EventId e = trace.firstEndingAfter(row, gap.from);
         e < row.last && trace.start(e) < gap.to && looked < kMostLookedAt; ++e, ++looked) {
      const Nanoseconds shared =
          std::min(trace.end(e), gap.to) - std::max(trace.start(e), gap.from);
      if (trace.kind(e) != SpanKind::profiler && 2 * shared >= gap.length()) found = e;
    }
  return found;
}

}  // namespace

GapNeighbors neighborsOf(const Trace& trace, Work work, TimeRange gap, OneDevice device) {
  GapNeighbors found;
  for (const TraceRow& row : trace.rows()) {
    const Lane& lane = trace.lanes()[row.lane];
    if (device && (lane.kind != Lane::Kind::device || lane.process != *device)) continue;
    lookAround(trace, row, work, gap, found);
  }
  if (work != Work::device) return found;
  // The thread that started the next work, else any.
  const EventId call = found.after == kNoEvent ? kNoEvent : trace.link(found.after);
  if (call != kNoEvent) found.host = callDuring(trace, trace.rows()[trace.rowOf(call)].lane, gap);
  for (LaneId lane = 0; lane < trace.lanes().size() && found.host == kNoEvent; ++lane)
    if (trace.lanes()[lane].kind == Lane::Kind::host) found.host = callDuring(trace, lane, gap);
  return found;
}

std::string sentenceOf(const Trace& trace, const GapNeighbors& neighbors) {
  const auto name = [&trace](EventId event) {
    return event == kNoEvent ? std::string("-") : shortKernelName(trace.name(event));
  };
  if (neighbors.host == kNoEvent)
    return saying("{} to {}", name(neighbors.before), name(neighbors.after));
  return saying("{} to {}; host: {}", name(neighbors.before), name(neighbors.after),
                std::string(trace.name(neighbors.host)));
}

}  // namespace fusebench
