// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_collectives.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "profiler/trace/kernel_names.h"
#include "profiler/trace/kernel_table.h"
#include "profiler/trace/recorded_tensors.h"

namespace fusebench {
namespace {

/// A recorded name in small letters without underscores: "_allgather_base" and "all_gather" are one
/// collective.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

std::int64_t bytesOf(const Trace& trace, const CollectiveArguments& known) {
  const std::int64_t size = bytesPerElement(dtypeRecordedAs(trace.nameText(known.dtype)));
  // The larger side: what all ranks gather, or what all of them give to be scattered.
  const std::int64_t elements = std::max(known.elementsIn, known.elementsOut);
  if (size == 0 || elements < 0 || elements > std::numeric_limits<std::int64_t>::max() / size)
    return -1;
  return elements * size;
}

/// When the last rank of each collective came, by the events of all of them.
std::unordered_map<EventId, Nanoseconds> lastStarts(const Trace& trace,
                                                    const std::vector<EventId>& events) {
  std::unordered_map<EventId, EventId> first;       // for each, that of the first rank
  std::unordered_map<EventId, Nanoseconds> latest;  // by that of the first rank
  std::unordered_map<EventId, Nanoseconds> found;
  for (const EventId event : events) {
    EventId begin = event;
    // A chain through the ranks, as long as there are ranks.
    std::vector<EventId> seen;
    while (!first.contains(begin) && trace.meets(begin) != kNoEvent) {
      seen.push_back(begin);
      begin = trace.meets(begin);
    }
    if (const auto known = first.find(begin); known != first.end()) begin = known->second;
    first.try_emplace(begin, begin);
    for (const EventId one : seen) first.try_emplace(one, begin);
    const auto [at, isNew] = latest.try_emplace(begin, trace.start(begin));
    at->second = std::max(at->second, trace.start(event));
  }
  std::unordered_map<EventId, std::uint32_t> ranks;
  for (const auto& [event, begin] : first) ++ranks[begin];
  for (const auto& [event, begin] : first)
    if (ranks[begin] > 1)
      if (const auto at = latest.find(begin); at != latest.end()) found.emplace(event, at->second);
  return found;
}

}  // namespace

double busFactor(std::string_view collective, std::int32_t ranks) {
  if (ranks < 2) return 0;
  const std::string name = plainName(collective);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  const double share = static_cast<double>(ranks - 1) / ranks;
  if (has("allreduce")) return 2 * share;
  if (has("allgather") || has("reducescatter") || has("alltoall")) return share;
  if (has("broadcast") || has("reduce") || has("send") || has("recv")) return 1;
  if (has("gather") || has("scatter")) return share;
  return 0;
}

std::vector<CollectiveTotal> collectivesOf(const Trace& trace,
                                           const std::optional<TimeRange>& range) {
  std::vector<signed char> byName(trace.names(), -1);
  std::vector<EventId> events;
  for (const TraceRow& row : trace.rows()) {
    if (trace.lanes()[row.lane].kind != Lane::Kind::device) continue;
    for (EventId e = row.first; e < row.last; ++e) {
      if (trace.kind(e) != SpanKind::kernel) continue;
      signed char& known = byName[trace.nameId(e)];
      if (known < 0) known = isCollective(trace.name(e)) ? 1 : 0;
      if (known == 1 || trace.collectiveArguments(e)) events.push_back(e);
    }
  }
  const auto last = lastStarts(trace, events);
  struct Gathered {
    CollectiveTotal total;
    Nanoseconds whole = 0, transfer = 0;  ///< for whole calls: their bandwidth
  };
  std::map<std::tuple<std::string, std::string, std::int64_t, std::int32_t>, Gathered> kinds;
  const auto within = [&](Nanoseconds from, Nanoseconds to) {
    if (!range) return to - from;
    return std::max<Nanoseconds>(0, std::min(to, range->to) - std::max(from, range->from));
  };
  for (const EventId e : events) {
    if (range && (trace.end(e) <= range->from || trace.start(e) >= range->to)) continue;
    CollectiveTotal one;
    if (const CollectiveArguments* known = trace.collectiveArguments(e)) {
      one.name = trace.nameText(known->name);
      one.dtype = dtypeRecordedAs(trace.nameText(known->dtype));
      one.bytes = bytesOf(trace, *known);
      one.ranks = known->ranks;
    } else {
      one.name = shortKernelName(trace.name(e));
    }
    Gathered& gathered =
        kinds.try_emplace({one.name, one.dtype, one.bytes, one.ranks}, Gathered{one}).first->second;
    CollectiveTotal& kind = gathered.total;
    ++kind.count;
    kind.total += within(trace.start(e), trace.end(e));
    gathered.whole += trace.duration(e);
    if (kind.longest == kNoEvent || trace.duration(e) > trace.duration(kind.longest))
      kind.longest = e;
    if (const auto came = last.find(e); came != last.end()) {
      const Nanoseconds waited =
          std::clamp<Nanoseconds>(came->second - trace.start(e), 0, trace.duration(e));
      const Nanoseconds transfers = trace.start(e) + waited;
      ++kind.met;
      kind.waiting += within(trace.start(e), transfers);
      kind.transfer += within(transfers, trace.end(e));
      gathered.transfer += trace.duration(e) - waited;
    }
  }
  std::vector<CollectiveTotal> totals;
  for (auto& [key, gathered] : kinds) {
    CollectiveTotal& kind = gathered.total;
    const Nanoseconds time = kind.met == kind.count ? gathered.transfer : gathered.whole;
    if (kind.bytes > 0 && time > 0) {
      kind.algorithmBandwidth = static_cast<double>(kind.bytes) * static_cast<double>(kind.count) /
                                static_cast<double>(time);
      kind.busBandwidth = kind.algorithmBandwidth * busFactor(kind.name, kind.ranks);
    }
    totals.push_back(std::move(kind));
  }
  std::ranges::stable_sort(
      totals, [](const CollectiveTotal& a, const CollectiveTotal& b) { return a.total > b.total; });
  return totals;
}

}  // namespace fusebench
