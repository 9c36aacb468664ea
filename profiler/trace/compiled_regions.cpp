// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compiled_regions.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

// As PyTorch names them: torch/_dynamo, torch/_functorch and torch/_inductor.
constexpr std::string_view kCacheLookup = "TorchDynamo Cache Lookup";
constexpr std::string_view kCompiledRegion = "Torch-Compiled Region";
constexpr std::string_view kCompiledGraph = "## Call CompiledFxGraph";
constexpr std::string_view kAotWrapper = "AOTDispatcher Runtime Wrapper";

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
  };

  void closeUntil(Nanoseconds time) {
    while (!open_.empty() && trace_.end(open_.back().event) <= time) {
      spend(trace_.end(open_.back().event));
      open_.pop_back();
    }
    spend(time);
  }
  /// The time since the last event belongs to the innermost open one.
  void spend(Nanoseconds until) {
    if (until <= at_) return;
    if (!open_.empty() && open_.back().part) *open_.back().part += until - at_;
    at_ = until;
  }

  void add(EventId e) {
    closeUntil(trace_.start(e));
    at_ = std::max(at_, trace_.start(e));
    const bool inside = !open_.empty() && open_.back().part != nullptr;
    const std::string_view name = trace_.name(e);
    if (!inside && name.starts_with(kCompiledRegion)) ++made_.calls;
    open_.push_back({e, partOf(e, name, inside)});
    if (open_.back().part == &made_.graphLaunch) ++made_.graphs;
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
  made.total =
      made.lookup + made.wrapper + made.code + made.operators + made.launches + made.graphLaunch;
  if (made.calls == 0) return std::nullopt;
  return made;
}

std::vector<std::pair<std::string, Nanoseconds>> partsOf(const CompiledRegions& regions) {
  return {{saying("cache lookup and guards"), regions.lookup},
          {saying("wrapper of the compiled graph"), regions.wrapper},
          {saying("code of the compiled graph"), regions.code},
          {saying("operators that it calls"), regions.operators},
          {saying("launch calls"), regions.launches},
          {saying("CUDA graph launches"), regions.graphLaunch}};
}

}  // namespace fusebench
