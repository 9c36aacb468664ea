// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_meetings.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "profiler/trace/kernel_table.h"

namespace fusebench {

int rankInProcessName(std::string_view name) {
  constexpr std::string_view kRank = "rank ";
  if (!name.starts_with(kRank)) return -1;
  int rank = -1;
  const auto [end, error] =
      std::from_chars(name.data() + kRank.size(), name.data() + name.size(), rank);
  const bool whole = error == std::errc() && end != name.data() + name.size() && *end == ',';
  return whole ? rank : -1;
}

std::unordered_map<EventId, EventId> meetingsOf(const Trace& trace) {
  const auto partOf = [&](std::int64_t process) {
    for (std::size_t p = 0; p < trace.parts().size(); ++p)
      if (std::ranges::count(trace.parts()[p].processes, process)) return static_cast<int>(p);
    return -1;
  };
  std::vector<signed char> known(trace.names(), -1);
  const auto meets = [&](NameId name) {
    if (known[name] < 0) known[name] = isCollective(trace.nameText(name)) ? 1 : 0;
    return known[name] == 1;
  };
  std::map<int, std::map<int, std::vector<EventId>>> found;  // by part and rank
  for (LaneId lane = 0; lane < trace.lanes().size(); ++lane) {
    const Lane& owner = trace.lanes()[lane];
    const int rank = rankInProcessName(owner.processName);
    if (rank < 0) continue;
    std::vector<EventId>& own = found[partOf(owner.process)][rank];
    for (const TraceRow& row : trace.rowsOf(lane))
      for (EventId event = row.first; event < row.last; ++event)
        if (trace.kind(event) == SpanKind::kernel && meets(trace.nameId(event)))
          own.push_back(event);
  }
  std::unordered_map<EventId, EventId> joined;
  for (auto& [part, ranks] : found) {
    const std::size_t count = ranks.begin()->second.size();
    if (ranks.size() < 2 ||
        std::ranges::any_of(ranks, [&](const auto& each) { return each.second.size() != count; }))
      continue;
    const std::vector<EventId>* before = nullptr;
    for (auto& [rank, events] : ranks) {
      std::ranges::stable_sort(events, {}, [&](EventId event) { return trace.start(event); });
      for (std::size_t k = 0; before && k < count; ++k) joined.emplace(events[k], (*before)[k]);
      before = &events;
    }
  }
  return joined;
}

}  // namespace fusebench
