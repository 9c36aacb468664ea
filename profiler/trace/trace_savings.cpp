// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_savings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/trace/kernel_names.h"
#include "profiler/trace/trace_classes.h"
#include "profiler/trace/trace_within.h"

namespace fusebench {
namespace {

/// Costs of launching a graph, where the trace has none: cuGraphLaunch of CUDA 13 on an RTX 5070 Ti
/// laptop, published with the ocannl project's measurements.
constexpr Nanoseconds kPublishedGraphCall = 15'000, kPublishedGraphNode = 580;
/// Between two nodes of a graph that wait for each other, where the trace has none.
constexpr Nanoseconds kUsualNodeGap = 500;
constexpr std::size_t kLeastRun = 3;      ///< kernels; with two there is little to save
constexpr Nanoseconds kLongestPause = 8;  ///< intervals of calls; longer ones are other phases
constexpr std::size_t kNamesSaid = 3;

Nanoseconds medianOf(std::vector<Nanoseconds> times) {
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

/// Work of one lane in order of time, over all its rows.
std::vector<EventId> workInOrder(const Trace& trace, LaneId lane) {
  std::vector<EventId> events;
  for (const TraceRow& row : trace.rowsOf(lane))
    for (EventId e = row.first; e < row.last; ++e)
      if (isDeviceWork(trace.kind(e))) events.push_back(e);
  std::ranges::stable_sort(events, {}, [&](EventId e) { return trace.start(e); });
  return events;
}

bool isLaunchedAlone(const Trace& trace, EventId e) {
  const LaunchDetails* details = trace.details(e);
  const EventId call = trace.link(e);
  return trace.kind(e) == SpanKind::kernel && call != kNoEvent && details->graphNode == 0 &&
         trace.link(call) == e && details->sibling == kNoEvent;
}

/// Begins of the moments at which the host waits for a device, by its process, in order.
std::map<std::int64_t, std::vector<Nanoseconds>> waitsOf(const Trace& trace) {
  std::vector<bool> waits(trace.names(), false);
  for (NameId name = 0; name < waits.size(); ++name)
    waits[name] = trace.nameText(name).find("Synchronize") != std::string_view::npos;
  std::map<std::int64_t, std::vector<Nanoseconds>> found;
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    if (trace.lanes()[lane].kind != Lane::Kind::host) continue;
    auto& times = found[trace.lanes()[lane].process];
    for (const TraceRow& row : trace.rowsOf(lane))
      for (EventId e = row.first; e < row.last; ++e) {
        const SpanKind kind = trace.kind(e);
        if (kind == SpanKind::wait ||
            ((kind == SpanKind::runtime || kind == SpanKind::driver) && waits[trace.nameId(e)]))
          times.push_back(trace.start(e));
      }
  }
  for (auto& [process, times] : found) std::ranges::sort(times);
  return found;
}

bool isCopyToDevice(std::string_view name) {
  return name.find("HtoD") != std::string_view::npos ||
         name.find("HostToDevice") != std::string_view::npos;
}

/// Whether the kernel is pointwise in the wide sense, so that it can be a prologue or an epilogue.
bool mapsElements(const KernelMeaning& kernel) {
  switch (kernel.kind) {
    case KernelClass::pointwise:
    case KernelClass::copy:
    case KernelClass::fill:
    case KernelClass::random:
    case KernelClass::embedding:
      return kernel.joins == Joins::both;
    default:
      return false;
  }
}

/// The time at which at least one of the ranges runs; `ranges` are sorted by their begins.
Nanoseconds unionOf(const std::vector<TimeRange>& ranges) {
  Nanoseconds total = 0, end = ranges.empty() ? 0 : ranges.front().from;
  for (const TimeRange& range : ranges) {
    total += std::max<Nanoseconds>(0, range.to - std::max(range.from, end));
    end = std::max(end, range.to);
  }
  return total;
}

class SavingsFinder {
 public:
  SavingsFinder(const Trace& trace, OneDevice device, const std::optional<TimeRange>& range)
      : trace_(trace),
        device_(device),
        range_(range.value_or(recordedOf(trace))),
        classes_(trace),
        waits_(waitsOf(trace)) {
    for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
      const Lane& one = trace.lanes()[lane];
      if (one.kind != Lane::Kind::device || (device && one.process != *device)) continue;
      lanes_.emplace_back(lane, workInOrder(trace, lane));
    }
    measureCosts();
    if (!range) return;
    for (auto& [lane, events] : lanes_)
      std::erase_if(events, [&](EventId e) {
        return trace.start(e) < range->from || trace.end(e) > range->to;
      });
  }

  Savings find() {
    Savings found{.costs = costs_, .total = countedIn(trace_, range_), .ranked = {}};
    found.unknownShare = unknownShareOf(classesOf(trace_, device_));
    if (costs_.calls == 0) {
      found.ifKernels = found.ifGraphs = found.ifStepGraphs = found.total;
      return found;
    }
    for (const auto& [lane, events] : lanes_) takeRuns(lane, events);
    Nanoseconds byKernels = 0, byGraphs = 0;
    for (auto& [names, saving] : runs_) {
      finish(names, saving);
      byKernels += saving.fusible ? saving.now - saving.oneKernel : 0;
      byGraphs += saving.now - saving.oneGraph;
      if (saving.saved() > 0) found.ranked.push_back(std::move(saving));
    }
    std::ranges::stable_sort(found.ranked, std::greater{}, &Saving::saved);
    found.ifKernels = std::max<Nanoseconds>(0, found.total - byKernels);
    found.ifGraphs = std::max<Nanoseconds>(0, found.total - byGraphs);
    takeSteps(found);
    return found;
  }

 private:
  using Names = std::pair<LaneId, std::vector<NameId>>;

  void measureCosts() {
    std::vector<Nanoseconds> calls, intervals, gaps, graphLeads;
    Nanoseconds least = 0;
    for (const auto& [lane, events] : lanes_)
      for (std::size_t i = 0; i < events.size(); ++i) {
        const EventId e = events[i];
        if (trace_.kind(e) == SpanKind::kernel)
          least = least == 0 ? trace_.duration(e) : std::min(least, trace_.duration(e));
        if (isLaunchedAlone(trace_, e)) {
          const EventId call = trace_.link(e);
          calls.push_back(trace_.duration(call));
          if (i > 0 && isLaunchedAlone(trace_, events[i - 1]) && !waitsBetween(events[i - 1], e))
            intervals.push_back(trace_.start(call) - trace_.start(trace_.link(events[i - 1])));
        } else if (i > 0 && isNodeAfter(events[i - 1], e)) {
          gaps.push_back(std::max<Nanoseconds>(0, trace_.start(e) - trace_.end(events[i - 1])));
        }
      }
    std::erase_if(intervals, [](Nanoseconds time) { return time <= 0; });
    costs_.calls = calls.size();
    costs_.call = medianOf(std::move(calls));
    costs_.interval = std::max(costs_.call, medianOf(std::move(intervals)));
    costs_.least = least;
    costs_.graphMeasured = !gaps.empty();
    costs_.nodeGap = gaps.empty() ? kUsualNodeGap : medianOf(std::move(gaps));
    costs_.graphCall = kPublishedGraphCall;
    costs_.graphNode = kPublishedGraphNode;
  }

  /// Whether both are nodes that one launch of a graph set off.
  bool isNodeAfter(EventId before, EventId e) const {
    const LaunchDetails *a = trace_.details(before), *b = trace_.details(e);
    return a && b && a->graphNode != 0 && b->graphNode != 0 && trace_.link(e) != kNoEvent &&
           trace_.link(before) == trace_.link(e);
  }

  bool waitsBetween(EventId before, EventId e) const {
    const EventId from = trace_.link(before), to = trace_.link(e);
    const auto found = waits_.find(trace_.laneOf(from).process);
    if (found == waits_.end()) return false;
    const auto at = std::ranges::lower_bound(found->second, trace_.start(from));
    return at != found->second.end() && *at < trace_.start(to);
  }

  /// Whether the kernel can be one of a run: launching it takes longer than it does.
  bool isSmall(EventId e) const {
    return isLaunchedAlone(trace_, e) && trace_.duration(e) < costs_.interval;
  }

  void takeRuns(LaneId lane, const std::vector<EventId>& events) {
    for (std::size_t from = 0; from < events.size();) {
      if (!isSmall(events[from])) {
        ++from;
        continue;
      }
      std::size_t to = from + 1;
      while (to < events.size() && isSmall(events[to]) &&
             trace_.start(events[to]) - trace_.end(events[to - 1]) <
                 kLongestPause * costs_.interval &&
             !waitsBetween(events[to - 1], events[to]) &&
             countsThrough(trace_, trace_.end(events[to - 1]), trace_.start(events[to])))
        ++to;
      if (to - from >= kLeastRun)
        take(lane, {events.begin() + static_cast<std::ptrdiff_t>(from),
                    events.begin() + static_cast<std::ptrdiff_t>(to)});
      from = to;
    }
  }

  void take(LaneId lane, std::span<const EventId> kernels) {
    Names names{lane, {}};
    Nanoseconds busy = 0, beyond = 0;
    for (const EventId e : kernels) {
      names.second.push_back(trace_.nameId(e));
      busy += trace_.duration(e);
      beyond += trace_.duration(e) - costs_.least;
    }
    const TimeRange time{trace_.start(kernels.front()), trace_.end(kernels.back())};
    const auto nodes = static_cast<Nanoseconds>(kernels.size());
    const Nanoseconds graph = busy + (nodes - 1) * costs_.nodeGap + costs_.graphCall +
                              nodes * costs_.graphNode - costs_.call;
    Saving& saving = runs_[std::move(names)];
    saving.fusible = saving.fusible && isOneChain(kernels);
    saving.runs.push_back({kernels.front(), kernels.back(), time});
    saving.lane = lane;
    saving.count = kernels.size();
    saving.now += time.length();
    saving.busy += busy;
    saving.oneKernel += std::min(time.length(), costs_.least + beyond);
    saving.oneGraph += std::min(time.length(), graph);
  }

  /// Whether each kernel can be joined with the next.
  bool isOneChain(std::span<const EventId> kernels) {
    KernelMeaning before = classes_.of(kernels.front());
    for (const EventId e : kernels.subspan(1)) {
      const KernelMeaning here = classes_.of(e);
      if (!before.joinsAfter() || !here.joinsBefore() ||
          !(mapsElements(before) || mapsElements(here)))
        return false;
      before = here;
    }
    return true;
  }

  /// The work of one step on one device.
  struct Step {
    Nanoseconds firstCall = 0;
    std::vector<TimeRange> works;
    EventId call = kNoEvent;  ///< the first
    bool several = false;     ///< there are other calls, too
  };

  /// The starts of the waits after which the host can read a result, by process, in order.
  std::map<std::int64_t, std::vector<Nanoseconds>> readsOf() const {
    std::map<std::int64_t, std::vector<std::pair<Nanoseconds, bool>>> launches;
    for (const auto& [lane, events] : lanes_)
      for (const EventId e : events)
        if (const EventId call = trace_.link(e); call != kNoEvent)
          launches[trace_.laneOf(call).process].emplace_back(
              trace_.start(call),
              trace_.kind(e) == SpanKind::copy && isCopyToDevice(trace_.name(e)));
    std::map<std::int64_t, std::vector<Nanoseconds>> reads = waits_;
    for (auto& [process, times] : reads) {
      auto& before = launches[process];
      std::ranges::sort(before);
      std::erase_if(times, [&](Nanoseconds time) {
        const auto next = std::ranges::lower_bound(before, std::pair(time, false));
        return next != before.begin() && std::prev(next)->second;
      });
    }
    return reads;
  }

  void takeSteps(Savings& found) {
    const auto reads = readsOf();
    // By device, then in the order of the host's reads.
    std::map<std::int64_t, std::map<std::pair<std::int64_t, std::ptrdiff_t>, Step>> devices;
    for (const auto& [lane, events] : lanes_)
      for (const EventId e : events) {
        const EventId call = trace_.link(e);
        if (call == kNoEvent) continue;
        const std::int64_t process = trace_.laneOf(call).process;
        std::ptrdiff_t place = 0;
        if (const auto times = reads.find(process); times != reads.end())
          place =
              std::ranges::upper_bound(times->second, trace_.start(call)) - times->second.begin();
        Step& step = devices[trace_.lanes()[lane].process][{process, place}];
        if (step.call == kNoEvent || trace_.start(call) < step.firstCall)
          step.firstCall = trace_.start(call);
        if (step.call == kNoEvent) step.call = call;
        step.several = step.several || call != step.call;
        step.works.push_back({trace_.start(e), trace_.end(e)});
      }
    // Devices work at the same time, so only the smallest saving among them is certain.
    Nanoseconds least = 0;
    bool first = true;
    for (auto& [device, steps] : devices) {
      const Nanoseconds saved = savedBySteps(steps, found.steps);
      least = first ? saved : std::min(least, saved);
      first = false;
    }
    found.ifStepGraphs = std::max<Nanoseconds>(0, found.total - least);
  }

  Nanoseconds savedBySteps(std::map<std::pair<std::int64_t, std::ptrdiff_t>, Step>& steps,
                           std::uint64_t& count) const {
    std::vector<Step*> ordered;
    for (auto& [place, step] : steps) ordered.push_back(&step);
    std::ranges::stable_sort(ordered, {}, &Step::firstCall);
    Nanoseconds saved = 0, before = 0;
    for (Step* step : ordered) {
      std::ranges::sort(step->works, {}, &TimeRange::from);
      Nanoseconds last = 0;
      for (const TimeRange& work : step->works) last = std::max(last, work.to);
      const Nanoseconds now = last - std::max(step->firstCall, before);
      before = std::max(before, last);
      if (!step->several) continue;
      ++count;
      const auto nodes = static_cast<Nanoseconds>(step->works.size());
      const Nanoseconds graph = costs_.graphCall + nodes * costs_.graphNode + unionOf(step->works) +
                                (nodes - 1) * costs_.nodeGap;
      saved += std::max<Nanoseconds>(0, now - graph);
    }
    return saved;
  }

  void finish(const Names& names, Saving& saving) const {
    std::size_t said = 0;
    for (const NameId name : names.second) {
      if (said == kNamesSaid) break;
      saving.kernels += (said++ ? saying(", ") : "") + shortKernelName(trace_.nameText(name));
    }
    if (names.second.size() > said)
      saving.kernels += saying(" and {} more", names.second.size() - said);
  }

  const Trace& trace_;
  OneDevice device_;
  TimeRange range_;
  KernelClassifier classes_;
  std::map<std::int64_t, std::vector<Nanoseconds>> waits_;
  std::vector<std::pair<LaneId, std::vector<EventId>>> lanes_;
  LaunchCosts costs_;
  std::map<Names, Saving> runs_;
};

}  // namespace

Savings savingsOf(const Trace& trace, OneDevice device, const std::optional<TimeRange>& range) {
  return SavingsFinder(trace, device, range).find();
}

std::string timeOf(Nanoseconds time) {
  return timeText(static_cast<double>(time));
}

std::vector<std::string> assumptionsOf(const Savings& savings) {
  const LaunchCosts& costs = savings.costs;
  if (costs.calls == 0)
    return {
        saying("no call could be matched to its kernel, so the cost of a launch is unknown here")};
  std::vector<std::string> said = {
      saying("a launch call takes {} on the host, and launches are {} apart: medians of {} calls "
             "of this trace",
             timeOf(costs.call), timeOf(costs.interval), costs.calls),
      saying("a sequence is {} or more kernels on one stream, each shorter than that, without a "
             "copy, a graph or a wait of the host between them",
             kLeastRun),
      saying("one kernel takes {}, as long as the shortest of the trace, plus the time by which "
             "each kernel of the sequence exceeds that; the memory traffic that fusing saves is "
             "not counted",
             timeOf(costs.least)),
      saying("a sequence is fused only if each of its kernels can absorb a pointwise neighbor, by "
             "the table of kernel names; others only go into graphs"),
      saying("kernels of an unknown class, {:.1f} % of the kernels' time, are not fused",
             100 * savings.unknownShare)};
  said.push_back(saying("a graph takes its kernels' times and {} between consecutive ones, {}",
                        timeOf(costs.nodeGap),
                        costs.graphMeasured ? saying("the median of this trace's graphs")
                                            : saying("assumed: the trace has no graph")));
  said.push_back(saying("launching a graph takes {} and {} per node, published for one GPU",
                        timeOf(costs.graphCall), timeOf(costs.graphNode)));
  said.emplace_back(
      saying("a graph of a whole step contains all work until the host reads a result, copies and "
             "long kernels too; with graphs of {} steps this takes {}",
             savings.steps, timeOf(savings.ifStepGraphs)));
  said.emplace_back(saying("host work between the launches of a sequence is no longer needed"));
  said.emplace_back(
      saying("the time between sequences stays the same, and streams wait as they do now"));
  said.push_back(
      saying("compared with measurements on an H100 and an H200, where the same 30 "
             "statements were fused and launched as one graph, the estimate for one "
             "kernel is within {:.0f} %, and that for a graph within {:.0f} %",
             100 * kFusedError, 100 * kGraphError));
  return said;
}

}  // namespace fusebench
