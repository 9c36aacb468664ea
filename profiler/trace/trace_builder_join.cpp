// SPDX-License-Identifier: GPL-3.0-or-later
// How a TraceBuilder joins calls with what they set off.
#include <algorithm>
#include <tuple>
#include <utility>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

void TraceBuilder::link(EventId call, EventId execution) {
  Trace& trace = *trace_;
  trace.link_[execution] = call;
  if (trace.link_[call] != kNoEvent) return;
  trace.link_[call] = execution;
  trace.detail_[call] = trace.detail_[execution];
}

void TraceBuilder::join(const std::vector<EventId>& placeOf) {
  Trace& trace = *trace_;
  trace.link_.assign(trace.size(), kNoEvent);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    if (event.call == kNoEvent || placeOf[i] == kNoEvent) continue;
    if (placeOf[event.call] != kNoEvent) link(placeOf[event.call], placeOf[i]);
  }
  const auto order = [](const Correlated& c) {
    return std::tuple(c.correlation, c.start, c.event);
  };
  std::ranges::sort(calls_, {}, order);
  std::ranges::sort(executions_, {}, order);
  auto call = calls_.begin();
  std::pair<EventId, EventId> before{kNoEvent, kNoEvent};  // a call and its last execution
  for (const Correlated& execution : executions_) {
    while (call != calls_.end() && call->correlation < execution.correlation) ++call;
    // Numbers can come again (several processes): the last call before the execution counts.
    while (call != calls_.end() && call + 1 != calls_.end() &&
           (call + 1)->correlation == execution.correlation && (call + 1)->start <= execution.start)
      ++call;
    if (call == calls_.end() || call->correlation != execution.correlation) continue;
    const EventId host = placeOf[call->event], device = placeOf[execution.event];
    if (host == kNoEvent || device == kNoEvent) continue;
    link(host, device);
    if (before.first == host) trace.details_[trace.detail_[before.second]].sibling = device;
    before = {host, device};
  }
}

/// `rank`: the new number of each lane, `first`: the time that becomes 0.
void TraceBuilder::joinByFlows(const std::vector<LaneId>& rank, Nanoseconds first) {
  for (std::vector<LaneId>& track : flows_.tracks) {
    for (LaneId& lane : track) lane = rank.at(lane);
    std::erase(track, kNoLane);
  }
  for (FlowPoint& point : flows_.points) point.time -= first;
  Trace& trace = *trace_;
  EventId call = kNoEvent, last = kNoEvent;  // and the last that it set off
  for (const FlowJoint& joint : jointsOf(trace, std::exchange(flows_, {}))) {
    if (joint.call != call) {
      call = joint.call;
      last = trace.link_[call];
      while (last != kNoEvent && trace.details(last)->sibling != kNoEvent)
        last = trace.details(last)->sibling;
    }
    link(call, joint.execution);
    if (last != kNoEvent) trace.details_[trace.detail_[last]].sibling = joint.execution;
    last = joint.execution;
  }
}

}  // namespace fusebench
