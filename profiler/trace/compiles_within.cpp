// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compiles_within.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"

namespace fusebench {
namespace {

/// PyTorch's profiler records each phase of a compilation under its name with this end.
constexpr std::string_view kPhaseEnd = " (dynamo_timed)";

/// The phases of a thread, in order of time, those outside before those inside.
std::vector<TimeRange> phasesOf(const Trace& trace, LaneId lane, const std::vector<bool>& isPhase) {
  std::vector<TimeRange> phases;
  for (const TraceRow& row : trace.rowsOf(lane))
    for (EventId e = row.first; e < row.last; ++e)
      if (isPhase[trace.nameId(e)]) phases.push_back({trace.start(e), trace.end(e)});
  std::ranges::sort(phases, [](const TimeRange& a, const TimeRange& b) {
    return a.from != b.from ? a.from < b.from : a.to > b.to;
  });
  return phases;
}

}  // namespace

std::optional<CompilesWithin> compilesWithin(const Trace& trace) {
  std::vector<bool> isPhase(trace.names());
  for (NameId name = 0; name < trace.names(); ++name)
    isPhase[name] = trace.nameText(name).ends_with(kPhaseEnd);
  if (std::ranges::find(isPhase, true) == isPhase.end()) return std::nullopt;
  CompilesWithin made;
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    if (trace.lanes()[lane].kind != Lane::Kind::host) continue;
    Nanoseconds until = -1;
    for (const TimeRange& phase : phasesOf(trace, lane, isPhase)) {
      if (phase.from < until) continue;  // a part of the compilation before
      until = phase.to;
      ++made.count;
      made.total += phase.length();
      if (phase.length() > made.longest.length()) made.longest = phase;
    }
  }
  if (made.count == 0) return std::nullopt;
  made.recorded = recordedOf(trace).length();
  return made;
}

std::string compilesSentence(const CompilesWithin& compiles) {
  const double share = compiles.recorded > 0 ? 100 * static_cast<double>(compiles.total) /
                                                   static_cast<double>(compiles.recorded)
                                             : 0;
  return saying(
      "Compilations of torch.compile within this trace: {}, which take {}, {:.1f}% of it; the "
      "longest is at {}. TORCH_TRACE=DIR records which functions, and what changed.",
      compiles.count, timeText(static_cast<double>(compiles.total)), share,
      timeText(static_cast<double>(compiles.longest.from)));
}

}  // namespace fusebench
