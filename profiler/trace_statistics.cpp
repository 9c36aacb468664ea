// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

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

/// The times at which at least one event lies, cut to the range, in order, joined where they touch.
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

/// A sum of which a part is not known is not known.
void addBytes(std::int64_t& sum, std::int64_t bytes) {
  sum = sum < 0 || bytes < 0 ? -1 : sum + bytes;
}

}  // namespace

TimeRange wholeOf(const Trace& trace) {
  return {0, trace.length() + 1};
}

Work workOf(const Trace& trace) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (isDeviceWork(trace.kind(e))) return Work::device;
  return Work::host;
}

bool counts(SpanKind kind, Work work) {
  if (work == Work::device) return isDeviceWork(kind);
  // A range that the program named says nothing about what was done in it.
  return !isDeviceWork(kind) && kind != SpanKind::annotation;
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
  std::unordered_map<std::uint64_t, SpanTotal> byName;
  Nanoseconds all = 0;
  eachEvent(trace, work, range, device, [&](EventId e) {
    if (trace.start(e) < range.from) return;
    const std::uint64_t key =
        std::uint64_t{trace.nameId(e)} * kSpanKinds + static_cast<std::uint64_t>(trace.kind(e));
    const Nanoseconds time = trace.duration(e);
    SpanTotal& total = byName[key];
    if (total.count++ == 0) {
      total.name = trace.nameId(e);
      total.kind = trace.kind(e);
      total.least = total.most = time;
    }
    total.total += time;
    total.least = std::min(total.least, time);
    total.most = std::max(total.most, time);
    const LaunchDetails* details = trace.details(e);
    addBytes(total.bytesRead, details ? details->bytesRead : -1);
    addBytes(total.bytesWritten, details ? details->bytesWritten : -1);
    all += time;
  });
  const Nanoseconds of = work == Work::device ? all : std::min(range.length(), trace.length());
  std::vector<SpanTotal> totals;
  totals.reserve(byName.size());
  for (auto& [key, total] : byName) {
    total.mean = static_cast<double>(total.total) / static_cast<double>(total.count);
    total.share = of > 0 ? static_cast<double>(total.total) / static_cast<double>(of) : 0;
    totals.push_back(total);
  }
  std::ranges::sort(totals, [](const SpanTotal& a, const SpanTotal& b) {
    return std::tuple(-a.total, a.name, a.kind) < std::tuple(-b.total, b.name, b.kind);
  });
  return totals;
}

RangeStatistics statisticsOf(const Trace& trace, Work work, TimeRange range, OneDevice device) {
  RangeStatistics found{.range = range};
  eachEvent(trace, work, range, device,
            [&](EventId e) { found.launches += trace.start(e) >= range.from; });
  const std::vector<TimeRange> busy = busyTimes(trace, work, range, device);
  Nanoseconds gaps = 0;
  for (std::size_t i = 0; i < busy.size(); ++i) {
    found.busy += busy[i].length();
    if (i > 0) gaps += busy[i].from - busy[i - 1].to;
  }
  found.idle = range.length() - found.busy;
  found.gaps = busy.empty() ? 0 : busy.size() - 1;
  if (found.gaps > 0) found.meanGap = static_cast<double>(gaps) / static_cast<double>(found.gaps);
  return found;
}

std::vector<Nanoseconds> gapsOf(const Trace& trace, Work work, TimeRange range, OneDevice device) {
  const std::vector<TimeRange> busy = busyTimes(trace, work, range, device);
  std::vector<Nanoseconds> gaps;
  for (std::size_t i = 1; i < busy.size(); ++i) gaps.push_back(busy[i].from - busy[i - 1].to);
  return gaps;
}

std::vector<Nanoseconds> launchDelaysOf(const Trace& trace, TimeRange range, OneDevice device) {
  std::vector<Nanoseconds> delays;
  eachEvent(trace, Work::device, range, device, [&](EventId e) {
    if (trace.start(e) < range.from || trace.link(e) == kNoEvent) return;
    delays.push_back(trace.start(e) - trace.start(trace.link(e)));
  });
  return delays;
}

}  // namespace fusebench
