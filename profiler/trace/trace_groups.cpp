// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_groups.h"

#include "engine/base/saying.h"
#include "profiler/trace/trace_steps.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace fusebench {
namespace {

constexpr std::string_view kNoOperator = toBeSaid("no operator recorded");

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
  const std::size_t until = std::min(rows.size(), before + kMostRowsAround);
  for (std::size_t row = until;
       row-- > (before > kMostRowsAround ? before - kMostRowsAround : 0);) {
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
  const std::optional<TraceSteps> steps =
      grouping == Grouping::step ? std::optional<TraceSteps>(std::in_place, trace) : std::nullopt;
  const bool several = devicesOf(trace).size() > 1;
  const bool outerOnly =
      work == Work::host && (grouping == Grouping::step || grouping == Grouping::stream);
  const auto isWork = [&](EventId e) { return counts(trace.kind(e), work); };
  for (const TraceRow& row : trace.rows()) {
    const Lane& lane = trace.lanes()[row.lane];
    if (device && lane.process != *device) continue;
    const std::string stream =
        several && !lane.processName.empty() ? lane.name + " · " + lane.processName : lane.name;
    for (EventId e = trace.firstEndingAfter(row, range.from);
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
      group.count += trace.start(e) >= range.from;
      group.total += std::min(trace.end(e), range.to) - std::max(trace.start(e), range.from);
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
