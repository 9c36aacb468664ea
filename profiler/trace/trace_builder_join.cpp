// SPDX-License-Identifier: GPL-3.0-or-later
// How a TraceBuilder joins calls with what they set off.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
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
    if (event.call != kNoEvent) link(placeOf[event.call], placeOf[i]);
  }
  const auto order = [](const Correlated& c) {
    return std::tuple(c.correlation, c.start, c.event);
  };
  std::ranges::sort(calls_, {}, order);
  std::ranges::sort(executions_, {}, order);
  std::vector<std::int64_t> callers;
  for (const Correlated& call : calls_)
    if (callers.empty() || callers.back() != call.process) callers.push_back(call.process);
  std::ranges::sort(callers);
  callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
  auto call = calls_.begin();
  for (auto from = executions_.begin(); from != executions_.end();) {
    const std::uint64_t number = from->correlation;
    const auto differs = [number](const Correlated& c) { return c.correlation != number; };
    const auto to = std::find_if(from, executions_.end(), differs);
    while (call != calls_.end() && call->correlation < number) ++call;
    const auto last = std::find_if(call, calls_.end(), differs);
    if (call != last) joinGroup({call, last}, {from, to}, placeOf, callers);
    call = last;
    from = to;
  }
}

/// Calls and executions of one number, each in order of time. `callers`: all processes that call,
/// sorted.
void TraceBuilder::joinGroup(std::span<const Correlated> calls,
                             std::span<const Correlated> executions,
                             const std::vector<EventId>& placeOf,
                             const std::vector<std::int64_t>& callers) {
  // The last call before the current execution, or the first.
  std::map<std::int64_t, const Correlated*> ofProcess;
  const Correlated* ofAny = &calls.front();
  std::unordered_map<EventId, EventId> lastOf;  // a call's last execution
  const bool several = calls.size() > 1;
  if (several)
    for (const Correlated& call : calls) ofProcess.try_emplace(call.process, &call);
  std::size_t next = 0;
  for (const Correlated& execution : executions) {
    // Numbers can come again: the last call before the execution counts.
    for (; several && next < calls.size() && calls[next].start <= execution.start; ++next) {
      ofAny = &calls[next];
      ofProcess[calls[next].process] = &calls[next];
    }
    const Correlated* call = ofAny;
    if (std::ranges::binary_search(callers, execution.process)) {
      const auto own = ofProcess.find(execution.process);
      if (several)
        call = own == ofProcess.end() ? nullptr : own->second;
      else if (call->process != execution.process)
        call = nullptr;
    }
    if (!call) continue;
    const EventId host = placeOf[call->event], device = placeOf[execution.event];
    link(host, device);
    if (executions.size() > 1) {
      const auto [last, isFirst] = lastOf.try_emplace(host, device);
      if (!isFirst) trace_->details_[trace_->detail_[last->second]].sibling = device;
      last->second = device;
    }
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
