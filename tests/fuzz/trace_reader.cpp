// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/trace_reader.h"

#include <filesystem>
#include <stdexcept>

#include "profiler/files/files.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_ranks.h"
#include "profiler/trace/trace_statistics.h"

namespace fusebench::fuzz {
namespace {

void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void look(const Trace& trace) {
  for (EventId e = 0; e < trace.size(); ++e) {
    demand(trace.duration(e) >= 0 && trace.start(e) >= 0, "a time below 0");
    (void)labelOf(trace, e);
    (void)trace.laneOf(e);
    (void)occupancyOf(trace, e);
  }
  for (const auto work : {Work::device, Work::host}) {
    (void)statisticsOf(trace, work, wholeOf(trace));
    for (const auto& total : totalsByName(trace, work, wholeOf(trace)))
      demand(work == Work::device || (total.self >= 0 && total.self <= total.total),
             "a self time that is none");
    (void)distributionOf(gapsOf(trace, work, wholeOf(trace)));
  }
  const auto devices = devicesOf(trace);
  for (std::size_t d = 0; d < devices.size() && d < 4; ++d) {
    const auto found = statisticsOf(trace, Work::device, wholeOf(trace), devices[d].process);
    demand(found.busy >= 0 && found.idle >= 0, "a busy time below 0");
  }
}

}  // namespace

std::string traceAndBack(const std::string& path) {
  constexpr std::size_t kMostWritten = 2'000;
  (void)looksLikeTrace(path);
  const auto trace = importTrace(path);
  look(*trace);
  const std::string partial = trace->partial().empty() ? "" : "partial ";
  if (trace->size() > kMostWritten) return partial + std::to_string(trace->size());
  const std::string written = path + ".json";
  exportTrace(*trace, written);
  const auto back = importTrace(written);
  demand(back->size() == trace->size(), "an event was lost on the way out and in");
  // Until something is joined that was not before, links stay.
  for (EventId e = 0; e < trace->size(); ++e)
    demand(trace->link(e) == kNoEvent || back->link(e) != kNoEvent,
           "a link was lost on the way out and in");
  std::string text = partial + readFile(written);
  std::filesystem::remove(written);
  return text;
}

std::string ranksOf(const std::string& folder) {
  demand(looksLikeRanks(folder), "a folder with a trace is none of ranks");
  const TraceRanks ranks = importRanks(folder);
  const auto joined = joinedRanks(ranks, "joined");
  look(*joined);
  std::size_t events = 0;
  std::string text = ranks.skipped.empty() ? "" : "partial ";
  for (const TraceRank& rank : ranks.ranks) {
    if (!rank.trace->partial().empty() && ranks.skipped.empty()) text = "partial ";
    events += rank.trace->size();
    text += std::to_string(rank.number) + ' ' + std::to_string(rank.shift) + ' ';
  }
  demand(joined->size() == events, "an event was lost in joining");
  return text + std::to_string(ranks.collectives) + ' ' + ranks.aligned;
}

}  // namespace fusebench::fuzz
