// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_groups.h"

#include "engine/base/saying.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace fusebench {
namespace {

constexpr std::size_t kMostRows = 1024;                 // that are looked at around an event
constexpr std::string_view kStepMark = "ProfilerStep";  // of PyTorch's profiler
constexpr std::string_view kNoOperator = toBeSaid("no operator recorded");
constexpr std::string_view kNoStep = toBeSaid("outside of steps");

/// Whether a span of one of these kinds, in a row above, holds this one's start.
template <typename Wanted>
bool liesWithin(const Trace& trace, EventId event, Wanted&& wanted) {
  const std::size_t own = trace.rowOf(event);
  std::size_t looked = 0;
  for (const TraceRow& row : trace.rowsOf(trace.rows()[own].lane)) {
    if (&row == &trace.rows()[own] || ++looked > kMostRows) return false;
    const EventId around = trace.firstEndingAfter(row, trace.start(event));
    if (around < row.last && trace.start(around) <= trace.start(event) && wanted(around))
      return true;
  }
  return false;
}

/// Stretches of a thread's time that have a name.
class Steps {
 public:
  explicit Steps(const Trace& trace) {
    bool marked = false;
    const auto isMark = [&](EventId e) { return trace.name(e).starts_with(kStepMark); };
    for (const TraceRow& row : trace.rows())
      if (trace.lanes()[row.lane].kind == Lane::Kind::host)
        for (EventId e = row.first; e < row.last; ++e) {
          if (trace.kind(e) != SpanKind::annotation) continue;
          if (isMark(e) && !marked) {
            marked = true;
            steps_.clear();
          }
          if (marked ? isMark(e) : !isInner(trace, e))
            steps_.push_back({trace.start(e), trace.end(e), row.lane, std::string(trace.name(e))});
        }
    everywhere_ = marked;
    std::ranges::sort(steps_, {}, [this](const Step& step) {
      return std::pair(everywhere_ ? LaneId{0} : step.lane, step.from);
    });
    // Their numbers differ from trace to trace: what is alike is which one it is.
    if (marked)
      for (std::size_t i = 0; i < steps_.size(); ++i)
        steps_[i].name = "step " + std::to_string(i + 1);
  }

  /// Of a moment of a thread.
  std::string_view at(Nanoseconds time, LaneId lane) const {
    if (everywhere_) lane = 0;
    const auto after =
        std::ranges::upper_bound(steps_, std::pair(lane, time), {}, [this](const Step& step) {
          return std::pair(everywhere_ ? LaneId{0} : step.lane, step.from);
        });
    if (after == steps_.begin()) return said(kNoStep);
    const Step& step = *(after - 1);
    return (everywhere_ || step.lane == lane) && time < step.to ? std::string_view(step.name)
                                                                : said(kNoStep);
  }

 private:
  struct Step {
    Nanoseconds from, to;
    LaneId lane;
    std::string name;
  };
  static bool isInner(const Trace& trace, EventId event) {
    return liesWithin(trace, event,
                      [&](EventId around) { return trace.kind(around) == SpanKind::annotation; });
  }

  std::vector<Step> steps_;
  bool everywhere_ = false;  ///< they hold for all threads
};

std::string_view operatorOf(const Trace& trace, EventId event) {
  if (!isDeviceWork(trace.kind(event))) return trace.name(event);
  if (const LaunchDetails* details = trace.details(event); details && details->op != 0)
    return trace.nameText(details->op);
  const EventId call = trace.link(event);
  const EventId around = call == kNoEvent ? kNoEvent : operatorAround(trace, call);
  return around == kNoEvent ? said(kNoOperator) : trace.name(around);
}

}  // namespace

std::string_view nameOf(Grouping grouping) {
  switch (grouping) {
    case Grouping::kernel:
      return "kernel";
    case Grouping::op:
      return "operator";
    case Grouping::step:
      return "step";
    case Grouping::stream:
      return "stream";
  }
  return "";
}

EventId operatorAround(const Trace& trace, EventId call) {
  const std::size_t own = trace.rowOf(call);
  const auto rows = trace.rowsOf(trace.rows()[own].lane);
  // Where very many spans nest, only the nearest around the call are looked at.
  const std::size_t before = static_cast<std::size_t>(&trace.rows()[own] - rows.data());
  const std::size_t until = std::min(rows.size(), before + kMostRows);
  for (std::size_t row = until; row-- > (before > kMostRows ? before - kMostRows : 0);) {
    const EventId e = trace.firstEndingAfter(rows[row], trace.start(call));
    if (e == rows[row].last || e == call || trace.start(e) > trace.start(call)) continue;
    if (trace.end(e) < trace.end(call) || trace.kind(e) != SpanKind::op) continue;
    return e;
  }
  return kNoEvent;
}

std::vector<GroupTotal> totalsBy(Grouping grouping, const Trace& trace, Work work, TimeRange range,
                                 OneDevice device) {
  std::unordered_map<std::string, GroupTotal> groups;
  const std::optional<Steps> steps =
      grouping == Grouping::step ? std::optional<Steps>(std::in_place, trace) : std::nullopt;
  const bool several = devicesOf(trace).size() > 1;
  const bool outerOnly =
      work == Work::host && (grouping == Grouping::step || grouping == Grouping::stream);
  const auto isWork = [&](EventId e) { return counts(trace.kind(e), work); };
  for (const TraceRow& row : trace.rows()) {
    const Lane& lane = trace.lanes()[row.lane];
    if (device && lane.process != *device) continue;
    const std::string stream =
        several && !lane.processName.empty() ? lane.name + " · " + lane.processName : lane.name;
    for (EventId e = trace.firstStartingAt(row, range.from);
         e < row.last && trace.start(e) < range.to; ++e) {
      if (!isWork(e) || (outerOnly && liesWithin(trace, e, isWork))) continue;
      std::string_view name = trace.name(e);
      if (grouping == Grouping::op) name = operatorOf(trace, e);
      if (grouping == Grouping::stream) name = stream;
      if (steps) {
        const EventId call = isDeviceWork(trace.kind(e)) ? trace.link(e) : e;
        name = call == kNoEvent
                   ? steps->at(trace.start(e), row.lane)
                   : steps->at(trace.start(call), trace.rows()[trace.rowOf(call)].lane);
      }
      GroupTotal& group = groups[std::string(name)];
      ++group.count;
      group.total += trace.duration(e);
    }
  }
  std::vector<GroupTotal> totals;
  for (auto& [name, group] : groups) {
    group.name = name;
    totals.push_back(std::move(group));
  }
  std::ranges::sort(totals, [](const GroupTotal& a, const GroupTotal& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return totals;
}

}  // namespace fusebench
