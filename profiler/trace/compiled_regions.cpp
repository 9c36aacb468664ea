// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compiled_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"

namespace fusebench {
namespace {

// As PyTorch names them: torch/_dynamo, torch/_functorch and torch/_inductor.
constexpr std::string_view kCacheLookup = "TorchDynamo Cache Lookup";
constexpr std::string_view kCompiledRegion = "Torch-Compiled Region";
constexpr std::string_view kCompiledGraph = "## Call CompiledFxGraph";
constexpr std::string_view kAotWrapper = "AOTDispatcher Runtime Wrapper";

/// A time per call, for people.
struct TimePerCall {
  std::uint64_t calls;
  std::string operator()(Nanoseconds time) const {
    return timeText(static_cast<double>(time) / static_cast<double>(calls));
  }
};

/// Adds the events of one thread to the parts, in order of time.
class RegionWalk {
 public:
  RegionWalk(const Trace& trace, CompiledRegions& made) : trace_(trace), made_(made) {}

  void walk(LaneId lane) {
    std::vector<EventId> events;
    for (const TraceRow& row : trace_.rowsOf(lane))
      for (EventId e = row.first; e < row.last; ++e) events.push_back(e);
    std::ranges::stable_sort(events, [&](EventId a, EventId b) {
      return trace_.start(a) != trace_.start(b) ? trace_.start(a) < trace_.start(b)
                                                : trace_.end(a) > trace_.end(b);
    });
    for (const EventId e : events) add(e);
    closeUntil(std::numeric_limits<Nanoseconds>::max());
  }

 private:
  struct Open {
    EventId event;
    Nanoseconds* part;  ///< null: not a part of a compiled call
    Nanoseconds own = 0;
    bool launchesGraph = false;
  };

  void closeUntil(Nanoseconds time) {
    while (!open_.empty() && trace_.end(open_.back().event) <= time) {
      spend(trace_.end(open_.back().event));
      const Open closed = open_.back();
      open_.pop_back();
      // A call within a part, such as that of a Python function, belongs to that part.
      if (!open_.empty() && open_.back().part == closed.part)
        open_.back().own += closed.own;
      else if (closed.part)  // the code does not run when a CUDA graph of it is launched
        *(closed.launchesGraph ? &made_.checks : closed.part) += closed.own;
    }
    spend(time);
  }
  /// The time since the last event belongs to the innermost open one.
  void spend(Nanoseconds until) {
    if (until <= at_) return;
    if (!open_.empty()) open_.back().own += until - at_;
    at_ = until;
  }

  void add(EventId e) {
    closeUntil(trace_.start(e));
    at_ = std::max(at_, trace_.start(e));
    const bool inside = !open_.empty() && open_.back().part != nullptr;
    const std::string_view name = trace_.name(e);
    if (!inside && name.starts_with(kCompiledRegion)) ++made_.calls;
    open_.push_back({e, partOf(e, name, inside)});
    if (open_.back().part == &made_.graphLaunch) {
      ++made_.graphs;
      for (Open& around : open_) around.launchesGraph |= around.part == &made_.code;
    }
    if (!inside || trace_.link(e) == kNoEvent || isDeviceWork(trace_.kind(e))) return;
    for (EventId work = trace_.link(e); work != kNoEvent;) {
      made_.kernels += trace_.duration(work);
      const LaunchDetails* details = trace_.details(work);
      work = details ? details->sibling : kNoEvent;
    }
  }

  Nanoseconds* partOf(EventId e, std::string_view name, bool inside) {
    if (name.starts_with(kCacheLookup)) return &made_.lookup;
    if (name.starts_with(kCompiledRegion)) return &made_.wrapper;
    if (!inside) return nullptr;
    if (name.starts_with(kCompiledGraph)) return &made_.code;
    if (name.starts_with(kAotWrapper)) return &made_.wrapper;
    const SpanKind kind = trace_.kind(e);
    if (kind == SpanKind::runtime || kind == SpanKind::driver || kind == SpanKind::launch)
      return name.find("GraphLaunch") != std::string_view::npos ? &made_.graphLaunch
                                                                : &made_.launches;
    if (kind == SpanKind::op && name.find("::") != std::string_view::npos) return &made_.operators;
    return open_.back().part;
  }

  const Trace& trace_;
  CompiledRegions& made_;
  std::vector<Open> open_;
  Nanoseconds at_ = 0;
};

}  // namespace

std::optional<CompiledRegions> compiledRegionsOf(const Trace& trace) {
  bool any = false;
  for (NameId name = 0; name < trace.names(); ++name)
    any = any || trace.nameText(name).starts_with(kCompiledRegion);
  if (!any) return std::nullopt;
  CompiledRegions made;
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane)
    if (trace.lanes()[lane].kind == Lane::Kind::host) RegionWalk(trace, made).walk(lane);
  for (const auto& [part, time] : partsOf(made)) made.total += time;
  if (made.calls == 0) return std::nullopt;
  return made;
}

std::vector<std::pair<std::string, Nanoseconds>> partsOf(const CompiledRegions& regions) {
  return {{saying("cache lookup and guards"), regions.lookup},
          {saying("wrapper of the compiled graph"), regions.wrapper},
          {saying("code of the compiled graph"), regions.code},
          {saying("checks of the CUDA graph tree"), regions.checks},
          {saying("operators that it calls"), regions.operators},
          {saying("launch calls"), regions.launches},
          {saying("CUDA graph launches"), regions.graphLaunch}};
}

std::string costSentence(const CompiledRegions& regions) {
  const TimePerCall perCall{regions.calls};
  std::string shares;
  for (const auto& [part, time] : partsOf(regions))
    if (time > 0)
      shares += fmt::format("{}{} {:.1f}%", shares.empty() ? "" : ", ", part,
                            100 * static_cast<double>(time) / static_cast<double>(regions.total));
  const Nanoseconds launching = regions.launches + regions.graphLaunch;
  return saying(
      "{} calls of torch.compile take {} each on the host, {} of it outside of launch calls: {}.",
      regions.calls, perCall(regions.total), perCall(regions.total - launching), shares);
}

std::string graphSentence(const CompiledRegions& regions) {
  const TimePerCall perCall{regions.calls};
  if (regions.kernels == 0)
    return saying(
        "Whether compiling helps on top of a CUDA graph is unknown: no kernels of these calls are "
        "recorded.");
  const std::string limit =
      regions.total > regions.kernels
          ? saying("The host sets the time of a call: its kernels take {}.",
                   perCall(regions.kernels))
          : saying("The kernels set the time of a call: they take {}, more than the host.",
                   perCall(regions.kernels));
  const std::string graph =
      regions.graphs > 0
          ? saying(
                "A CUDA graph that you record yourself needs only the launch of the graph, {} "
                "per call.",
                perCall(regions.graphLaunch))
          : saying(
                "No CUDA graph is launched in these calls; mode=\"reduce-overhead\" records "
                "one.");
  return fmt::format(
      "{} {} {}", limit, graph,
      saying("Compiling is faster than a CUDA graph of the same operators if their kernels take "
             "more than {} per call without compiling.",
             perCall(std::max(regions.total, regions.kernels))));
}

}  // namespace fusebench
