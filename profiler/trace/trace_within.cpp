// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_within.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_copying.h"

namespace fusebench {
namespace {

using Windows = std::vector<std::pair<Nanoseconds, Nanoseconds>>;

constexpr std::size_t kNamesListed = 5;

bool isNamed(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

/// Calls `visit` with each range that the program named on a host.
template <typename Visit>
void eachNamedRange(const Trace& trace, Visit&& visit) {
  for (const TraceRow& row : trace.rows()) {
    if (trace.lanes()[row.lane].kind != Lane::Kind::host) continue;
    for (EventId e = row.first; e < row.last; ++e)
      if (trace.kind(e) == SpanKind::annotation) visit(e, trace.lanes()[row.lane]);
  }
}

/// In order, and joined where they touch or overlap.
Windows joinedWindows(Windows windows) {
  std::ranges::sort(windows);
  Windows joined;
  for (const auto& [from, to] : windows)
    if (!joined.empty() && from <= joined.back().second)
      joined.back().second = std::max(joined.back().second, to);
    else
      joined.emplace_back(from, to);
  return joined;
}

/// The window that holds a time, its ends included; null: there is none.
const std::pair<Nanoseconds, Nanoseconds>* windowAt(
    std::span<const std::pair<Nanoseconds, Nanoseconds>> windows, Nanoseconds time) {
  const auto after =
      std::upper_bound(windows.begin(), windows.end(), time,
                       [](Nanoseconds at, const auto& window) { return at < window.first; });
  if (after == windows.begin() || (after - 1)->second < time) return nullptr;
  return &*(after - 1);
}

[[noreturn]] void refuseName(const Trace& trace, std::string_view name) {
  const std::vector<NamedRange> known = namedRangesOf(trace);
  if (known.empty())
    throw InputError(
        saying("this trace has no ranges named by the program; name some with "
               "torch.profiler.record_function or NVTX, and record again"));
  std::string names;
  for (std::size_t i = 0; i < known.size() && i < kNamesListed; ++i)
    names += (i > 0 ? ", " : "") + known[i].name;
  if (known.size() > kNamesListed) names += ", ...";
  throw InputError(saying("this trace has no range \"{}\"; it has {}", name, names));
}

}  // namespace

std::vector<NamedRange> namedRangesOf(const Trace& trace) {
  std::map<NameId, NamedRange> byName;
  eachNamedRange(trace, [&](EventId e, const Lane&) {
    NamedRange& range = byName[trace.nameId(e)];
    ++range.count;
    range.total += trace.duration(e);
  });
  std::vector<NamedRange> ranges;
  for (auto& [name, range] : byName) {
    range.name = trace.nameText(name);
    ranges.push_back(std::move(range));
  }
  std::ranges::stable_sort(ranges, std::ranges::greater(), &NamedRange::total);
  return ranges;
}

std::shared_ptr<const Trace> traceWithin(const Trace& trace, std::string_view name) {
  // What a process did counts, whichever thread did it: autograd has threads of its own.
  std::map<std::int64_t, Windows> times;
  eachNamedRange(trace, [&](EventId e, const Lane& lane) {
    if (isNamed(trace.name(e), name))
      times[lane.process].emplace_back(trace.start(e), trace.end(e));
  });
  if (times.empty()) refuseName(trace, name);
  Windows windows;
  for (auto& [process, of] : times) {
    of = joinedWindows(std::move(of));
    windows.insert(windows.end(), of.begin(), of.end());
  }
  const auto inside = [&](EventId e, const Lane& lane) {
    const auto known = times.find(lane.process);
    if (known == times.end()) return false;
    const auto* window = windowAt(known->second, trace.start(e));
    return window != nullptr && trace.end(e) <= window->second;
  };
  // Work of a device counts with its call, whenever it runs.
  for (const TraceRow& row : trace.rows())
    for (EventId e = row.first; e < row.last; ++e) {
      const EventId call = trace.link(e);
      if (!isDeviceWork(trace.kind(e)) || call == kNoEvent) continue;
      const Lane& caller = trace.laneOf(call);
      if (inside(call, caller))
        windows.emplace_back(windowAt(times[caller.process], trace.start(call))->first,
                             trace.end(e));
    }
  windows = joinedWindows(std::move(windows));
  const auto takes = [&](EventId e, const Lane& lane) {
    const EventId call = trace.link(e);
    if (isDeviceWork(trace.kind(e)) && call != kNoEvent) return inside(call, trace.laneOf(call));
    if (lane.kind == Lane::Kind::host) return inside(e, lane);
    const auto* window = windowAt(windows, trace.start(e));
    return window != nullptr && trace.end(e) <= window->second;
  };
  TraceBuilder builder(trace.title());
  JoiningNumbers numbers;
  TraceCopying copying(builder, trace, numbers);
  for (LaneId l = 0; l < trace.lanes().size(); ++l) {
    const Lane& lane = trace.lanes()[l];
    copying.addLane(l, lane, [&](EventId e) { return takes(e, lane); });
  }
  for (const CounterTrack& counter : trace.counters())
    copying.addCounter(counter, counter.process, counter.processName);
  for (const TracePart& part : trace.parts()) builder.addPart(part);
  builder.setDevice(trace.device());
  for (const DeviceLimits& limits : trace.limits()) builder.addLimits(limits);
  builder.setPartial(trace.partial());
  builder.setRank(trace.rank());
  builder.setNote(trace.note());
  builder.setOrigin(trace.origin());
  builder.losses() = trace.losses();
  builder.remarks() = trace.remarks();
  builder.setWindows(std::move(windows), trace.length());
  return builder.finish();
}

Nanoseconds countedIn(const Trace& trace, TimeRange range) {
  if (trace.windows().empty()) return range.length();
  Nanoseconds counted = 0;
  for (const auto& [from, to] : trace.windows())
    counted += std::max<Nanoseconds>(0, std::min(to, range.to) - std::max(from, range.from));
  return counted;
}

bool countsThrough(const Trace& trace, Nanoseconds from, Nanoseconds to) {
  if (trace.windows().empty()) return true;
  const auto* window = windowAt(trace.windows(), from);
  return window != nullptr && to <= window->second;
}

}  // namespace fusebench
