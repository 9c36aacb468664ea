// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "engine/base/saying.h"
#include "profiler/trace/trace_within.h"

namespace fusebench {
namespace {

/// Calls `visit` with each event of the work that touches the range, row by row.
template <typename Visit>
void eachEvent(const Trace& trace, Work work, TimeRange range, OneDevice device, Visit&& visit) {
  for (const TraceRow& row : trace.rows()) {
    if (device && trace.lanes()[row.lane].process != *device) continue;
    for (EventId e = trace.firstEndingAfter(row, range.from);
         e < row.last && trace.start(e) < range.to; ++e)
      if (counts(trace.kind(e), work)) visit(e);
  }
}

/// The times with at least one event, cut to the range, in order, joined where they touch.
std::vector<TimeRange> busyTimes(const Trace& trace, Work work, TimeRange range, OneDevice device) {
  std::vector<TimeRange> times;
  bool sorted = true;
  eachEvent(trace, work, range, device, [&](EventId e) {
    const TimeRange time{std::max(trace.start(e), range.from), std::min(trace.end(e), range.to)};
    if (time.length() <= 0) return;
    if (!times.empty() && time.from < times.back().from) sorted = false;
    if (sorted && !times.empty() && time.from <= times.back().to)
      times.back().to = std::max(times.back().to, time.to);
    else
      times.push_back(time);
  });
  if (sorted) return times;
  std::ranges::sort(times, {}, &TimeRange::from);
  std::size_t kept = 0;
  for (const TimeRange& time : times)
    if (kept > 0 && time.from <= times[kept - 1].to)
      times[kept - 1].to = std::max(times[kept - 1].to, time.to);
    else
      times[kept++] = time;
  times.resize(kept);
  return times;
}

/// Calls `visit` with each time between two busy ones that counts.
template <typename Visit>
void eachGap(const Trace& trace, const std::vector<TimeRange>& busy, Visit&& visit) {
  for (std::size_t i = 1; i < busy.size(); ++i)
    if (countsThrough(trace, busy[i - 1].to, busy[i].from))
      visit(TimeRange{busy[i - 1].to, busy[i].from});
}

/// Calls `visit` with each counted span of one lane's rows that touches the range, and with its
/// self time there.
template <typename Visit>
void eachSelfTime(const Trace& trace, Work work, TimeRange range, std::span<const TraceRow> rows,
                  Visit&& visit) {
  // The rows' next events, the earliest first; among those that start together the outer one.
  using Next = std::tuple<Nanoseconds, std::size_t, EventId>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto enqueue = [&](std::size_t row, EventId e) {
    while (e < rows[row].last && !counts(trace.kind(e), work)) ++e;
    if (e < rows[row].last) next.emplace(trace.start(e), row, e);
  };
  for (std::size_t row = 0; row < rows.size(); ++row)
    enqueue(row, trace.firstEndingAfter(rows[row], range.from));
  struct Open {
    EventId event;
    Nanoseconds self = 0;
  };
  std::vector<Open> open;  // the innermost last; the others may have ended meanwhile
  Nanoseconds at = range.from;
  const auto advance = [&](Nanoseconds to) {
    while (!open.empty()) {
      const Nanoseconds end = trace.end(open.back().event);
      const Nanoseconds time = std::min(end, to) - at;
      if (time > 0) {
        open.back().self += time;
        at += time;
      }
      if (end > to) break;
      visit(open.back().event, open.back().self);
      open.pop_back();
    }
    at = std::max(at, to);
  };
  for (; !next.empty(); next.pop()) {
    const auto [start, row, event] = next.top();
    if (start >= range.to) break;
    advance(start);
    open.push_back({event});
    enqueue(row, event + 1);
  }
  advance(range.to);
  for (const Open& one : open) visit(one.event, one.self);
}

void count(const Trace& trace, EventId e, WorkCounts& counts) {
  const SpanKind kind = trace.kind(e);
  counts.kernels += kind == SpanKind::kernel;
  counts.copies += kind == SpanKind::copy;
  counts.fills += kind == SpanKind::set;
  counts.graphs += kind == SpanKind::graph;
  if (!isDeviceWork(kind)) {
    ++counts.spans;
    return;
  }
  const LaunchDetails* details = trace.details(e);
  counts.graphNodes += kind != SpanKind::graph && details && details->graphNode != 0;
  const EventId call = trace.link(e);
  counts.calls += call != kNoEvent && trace.link(call) == e;
}

/// "12,345".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

/// A sum of which a part is not known is not known.
void addBytes(std::int64_t& sum, std::int64_t bytes) {
  sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
}

}  // namespace

TimeRange wholeOf(const Trace& trace) {
  return {trace.recordedFrom(), trace.recordedTo() + 1};
}

TimeRange recordedOf(const Trace& trace) {
  return {trace.recordedFrom(), std::max(trace.recordedFrom() + 1, trace.recordedTo())};
}

Work workOf(const Trace& trace) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (isDeviceWork(trace.kind(e))) return Work::device;
  return Work::host;
}

bool counts(SpanKind kind, Work work) {
  if (work == Work::device) return isDeviceWork(kind);
  // A range that the program named says nothing about what was done in it.
  return !isDeviceWork(kind) && kind != SpanKind::annotation && kind != SpanKind::profiler;
}

std::vector<TraceDevice> devicesOf(const Trace& trace) {
  std::vector<TraceDevice> devices;
  std::set<std::int64_t> seen;
  std::map<std::string, int> named;
  for (const TraceRow& row : trace.rows()) {
    const Lane& lane = trace.lanes()[row.lane];
    if (seen.contains(lane.process)) continue;
    EventId e = row.first;
    while (e < row.last && !isDeviceWork(trace.kind(e))) ++e;
    if (e == row.last) continue;
    seen.insert(lane.process);
    ++named[lane.processName];
    devices.push_back({lane.process, lane.processName});
  }
  for (TraceDevice& device : devices)
    if (named[device.name] > 1) device.name += fmt::format(" ({})", device.process);
  return devices;
}

std::vector<SpanTotal> totalsByName(const Trace& trace, Work work, TimeRange range,
                                    OneDevice device) {
  struct Summing {
    SpanTotal total;
    std::uint64_t touching = 0;
    Nanoseconds whole = 0;
  };
  std::unordered_map<std::uint64_t, Summing> byName;
  const auto keyOf = [&](EventId e) {
    return std::uint64_t{trace.nameId(e)} * kSpanKinds + static_cast<std::uint64_t>(trace.kind(e));
  };
  Nanoseconds all = 0;
  eachEvent(trace, work, range, device, [&](EventId e) {
    const Nanoseconds whole = trace.duration(e);
    const Nanoseconds time =
        std::min(trace.end(e), range.to) - std::max(trace.start(e), range.from);
    Summing& sum = byName[keyOf(e)];
    SpanTotal& total = sum.total;
    if (sum.touching++ == 0) {
      total.name = trace.nameId(e);
      total.kind = trace.kind(e);
      total.least = total.most = whole;
    }
    total.total += time;
    sum.whole += whole;
    total.least = std::min(total.least, whole);
    total.most = std::max(total.most, whole);
    if (work == Work::device) total.self += time;
    all += time;
    if (trace.start(e) < range.from) return;
    ++total.count;
    const LaunchDetails* details = trace.details(e);
    addBytes(total.bytesRead, details ? details->bytesRead : -1);
    addBytes(total.bytesWritten, details ? details->bytesWritten : -1);
  });
  if (work == Work::host) {
    all = 0;
    for (LaneId lane = 0; lane < trace.lanes().size(); ++lane)
      if (!device || trace.lanes()[lane].process == *device)
        eachSelfTime(trace, work, range, trace.rowsOf(lane), [&](EventId e, Nanoseconds time) {
          byName[keyOf(e)].total.self += time;
          all += time;
        });
  }
  std::vector<SpanTotal> totals;
  totals.reserve(byName.size());
  for (auto& [key, sum] : byName) {
    SpanTotal& total = sum.total;
    total.mean = static_cast<double>(sum.whole) / static_cast<double>(sum.touching);
    total.share = all > 0 ? static_cast<double>(total.self) / static_cast<double>(all) : 0;
    totals.push_back(total);
  }
  std::ranges::sort(totals, [](const SpanTotal& a, const SpanTotal& b) {
    return std::tuple(-a.total, a.name, a.kind) < std::tuple(-b.total, b.name, b.kind);
  });
  return totals;
}

RangeStatistics statisticsOf(const Trace& trace, Work work, TimeRange range, OneDevice device) {
  RangeStatistics found;
  found.range = range;
  eachEvent(trace, work, range, device, [&](EventId e) {
    if (trace.start(e) < range.from) return;
    ++found.launches;
    count(trace, e, found.counts);
  });
  const std::vector<TimeRange> busy = busyTimes(trace, work, range, device);
  Nanoseconds gaps = 0;
  for (const TimeRange& one : busy) found.busy += one.length();
  eachGap(trace, busy, [&](TimeRange gap) {
    gaps += gap.length();
    ++found.gaps;
  });
  found.counted = countedIn(trace, range);
  found.idle = found.counted - found.busy;
  if (found.gaps > 0) found.meanGap = static_cast<double>(gaps) / static_cast<double>(found.gaps);
  return found;
}

std::vector<Nanoseconds> gapsOf(const Trace& trace, Work work, TimeRange range, OneDevice device) {
  const std::vector<TimeRange> busy = busyTimes(trace, work, range, device);
  std::vector<Nanoseconds> gaps;
  eachGap(trace, busy, [&](TimeRange gap) { gaps.push_back(gap.length()); });
  return gaps;
}

std::vector<TimeRange> longestGapsOf(const Trace& trace, Work work, TimeRange range,
                                     OneDevice device, std::size_t most) {
  const std::vector<TimeRange> busy = busyTimes(trace, work, range, device);
  std::vector<TimeRange> gaps;
  eachGap(trace, busy, [&](TimeRange gap) { gaps.push_back(gap); });
  const auto longer = [](const TimeRange& a, const TimeRange& b) {
    return a.length() != b.length() ? a.length() > b.length() : a.from < b.from;
  };
  const std::size_t kept = std::min(most, gaps.size());
  std::ranges::partial_sort(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(kept), longer);
  gaps.resize(kept);
  return gaps;
}

LaunchDelays launchDelaysOf(const Trace& trace, TimeRange range, OneDevice device) {
  LaunchDelays delays;
  eachEvent(trace, Work::device, range, device, [&](EventId e) {
    if (trace.start(e) < range.from) return;
    ++delays.executions;
    if (trace.link(e) == kNoEvent) return;
    const Nanoseconds delay = trace.start(e) - trace.start(trace.link(e));
    if (delay < 0)
      ++delays.before;
    else
      delays.times.push_back(delay);
  });
  return delays;
}

std::string sentenceOf(const LaunchDelays& delays) {
  std::string text = saying("of {} of {} executions, from the beginning of their call",
                            delays.times.size(), delays.executions);
  if (delays.before > 0)
    text += saying("; {} {} before it", delays.before, delays.before == 1 ? "begins" : "begin");
  return text;
}

std::string sentenceOf(const WorkCounts& counts) {
  std::string text;
  const auto say = [&text](std::uint64_t number, std::string_view one, std::string_view many) {
    if (number > 0)
      text += fmt::format("{}{} {}", text.empty() ? std::string_view() : said(", "),
                          grouped(number), saidAs("count", number == 1 ? one : many));
  };
  say(counts.calls, "launching call", "launching calls");
  say(counts.graphs, "whole graph", "whole graphs");
  say(counts.kernels, "kernel", "kernels");
  say(counts.copies, "copy", "copies");
  say(counts.fills, "fill", "fills");
  say(counts.spans, "slice", "slices");
  if (counts.graphNodes > 0)
    text += saying(" ({} of them graph {})", grouped(counts.graphNodes),
                   counts.graphNodes == 1 ? "node" : "nodes");
  return text.empty() ? saying("nothing") : text;
}

}  // namespace fusebench
