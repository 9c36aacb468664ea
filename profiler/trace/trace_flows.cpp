// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_flows.h"

#include <algorithm>
#include <tuple>

namespace fusebench {
namespace {

bool isUnjoined(const Trace& trace, EventId event) {
  return isDeviceWork(trace.kind(event)) && trace.link(event) == kNoEvent;
}

bool anyUnjoined(const Trace& trace) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (isUnjoined(trace, e)) return true;
  return false;
}

/// Finds the spans that points belong to: work of a device, or what a host did.
class SpanFinder {
 public:
  SpanFinder(const Trace& trace, const std::vector<std::vector<LaneId>>& tracks)
      : trace_(trace), tracks_(tracks) {}

  /// The innermost span that begins at the point or holds it; else one that ends there: times of
  /// some tools are rounded.
  EventId around(const FlowPoint& point, bool onDevice) const {
    EventId best = kNoEvent;
    auto rank = std::tuple(false, kNoTime);
    eachRow(point, [&](const TraceRow& row) {
      const EventId next = trace_.firstStartingAt(row, point.time);
      const auto consider = [&](EventId e) {
        if (isDeviceWork(trace_.kind(e)) != onDevice || trace_.end(e) < point.time) return;
        const bool holds = trace_.start(e) == point.time || trace_.end(e) > point.time;
        // Rows come from the outside in, so that of equal ones the last is the innermost.
        if (std::tuple(holds, trace_.start(e)) < rank) return;
        rank = {holds, trace_.start(e)};
        best = e;
      };
      if (next > row.first) consider(next - 1);
      if (next < row.last && trace_.start(next) == point.time) consider(next);
    });
    return best;
  }

  /// The first work of a device that begins at the point or later.
  EventId after(const FlowPoint& point) const {
    constexpr EventId kMostLookedAt = 16;  // ranges may be between, but not without end
    EventId best = kNoEvent;
    eachRow(point, [&](const TraceRow& row) {
      EventId e = trace_.firstStartingAt(row, point.time);
      const EventId until = std::min(row.last, e + std::min(kMostLookedAt, row.last - e));
      while (e < until && !isDeviceWork(trace_.kind(e))) ++e;
      if (e < until && (best == kNoEvent || trace_.start(e) < trace_.start(best))) best = e;
    });
    return best;
  }

 private:
  template <typename Visit>
  void eachRow(const FlowPoint& point, Visit&& visit) const {
    constexpr std::size_t kMostRows = 1024;  // spans nest no deeper where anything is to be seen
    for (const LaneId lane : tracks_[point.track]) {
      const auto rows = trace_.rowsOf(lane);
      if (point.row >= 0 && static_cast<std::size_t>(point.row) < rows.size())
        visit(rows[static_cast<std::size_t>(point.row)]);
      else
        for (const TraceRow& row : rows.first(std::min(rows.size(), kMostRows))) visit(row);
    }
  }

  const Trace& trace_;
  const std::vector<std::vector<LaneId>>& tracks_;
};

/// The calls that set off executions, several if arrows of several calls lead to one.
std::vector<FlowJoint> allJoints(const Trace& trace, const TraceFlows& flows) {
  const SpanFinder finder(trace, flows.tracks);
  std::vector<FlowJoint> joints;
  const FlowPoint* from = nullptr;
  EventId call = kNoEvent;  // of `from`, looked up when it is needed
  bool isKnown = false;
  const auto setOff = [&](EventId execution) {
    if (execution == kNoEvent || !isUnjoined(trace, execution)) return;
    if (!isKnown) call = finder.around(*from, /*onDevice=*/false);
    isKnown = true;
    if (call != kNoEvent) joints.push_back({call, execution});
  };
  std::uint64_t flow = 0;
  for (const FlowPoint& point : flows.points) {
    if (point.flow != flow) from = nullptr;
    flow = point.flow;
    if (point.kind == FlowPoint::Kind::begin) {
      from = &point;
      isKnown = false;
    } else if (!from) {
      continue;  // nothing was begun
    } else if (point.kind == FlowPoint::Kind::endAtNext) {
      setOff(finder.after(point));
    } else if (const EventId execution = finder.around(point, /*onDevice=*/true);
               execution != kNoEvent || point.kind == FlowPoint::Kind::end) {
      setOff(execution);
    } else {
      from = &point;  // a step on a host continues from there
      isKnown = false;
    }
  }
  return joints;
}

}  // namespace

std::vector<FlowJoint> jointsOf(const Trace& trace, TraceFlows flows) {
  if (flows.points.empty() || !anyUnjoined(trace)) return {};
  std::ranges::sort(flows.points, {}, [](const FlowPoint& point) {
    // An arrow of our own begins where it says, though by other clocks its end was before.
    const bool first = point.row >= 0 && point.kind == FlowPoint::Kind::begin;
    return std::tuple(point.flow, first ? kNoTime : point.time, point.kind, point.track);
  });
  std::vector<FlowJoint> joints = allJoints(trace, flows);
  std::ranges::sort(joints, {}, [&](const FlowJoint& joint) {
    return std::tuple(joint.execution, -trace.start(joint.call), ~joint.call);
  });
  const auto same = [](const FlowJoint& a, const FlowJoint& b) {
    return a.execution == b.execution;
  };
  joints.erase(std::unique(joints.begin(), joints.end(), same), joints.end());
  std::ranges::sort(joints, {}, [&](const FlowJoint& joint) {
    return std::tuple(joint.call, trace.start(joint.execution), joint.execution);
  });
  return joints;
}

}  // namespace fusebench
