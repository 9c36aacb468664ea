// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/match_figures.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fusebench {
namespace {

void addMatch(MatchFigures::Match& to, const Trace& trace, EventId event, TimeRange range) {
  const Nanoseconds time = trace.duration(event);
  if (to.longest == kNoEvent) {
    to.least = to.most = time;
    to.longest = event;
  }
  ++to.touching;
  to.mean += (static_cast<double>(time) - to.mean) / static_cast<double>(to.touching);
  to.count += trace.start(event) >= range.from;
  to.total += std::min(trace.end(event), range.to) - std::max(trace.start(event), range.from);
  to.least = std::min(to.least, time);
  if (time > to.most) {
    to.most = time;
    to.longest = event;
  }
}

}  // namespace

MatchFigures::MatchFigures(TimelineModel& timeline, QObject* parent)
    : RangeFigures(timeline, parent), searched_(timeline) {
  connect(&timeline, &TimelineModel::searchChanged, this, &MatchFigures::refresh);
}

RangeFigures::Compute MatchFigures::computation() const {
  std::vector<bool> names;
  if (trace() < searched_.matchingNames().size()) names = searched_.matchingNames()[trace()];
  return [names = std::move(names)](const std::shared_ptr<const Trace>& trace, TimeRange range) {
    if (names.size() != trace->names()) return std::shared_ptr<const void>();
    auto made = std::make_shared<Made>();
    made->trace = trace;
    std::map<std::pair<NameId, SpanKind>, Match> byName;
    for (const TraceRow& row : trace->rows())
      for (EventId e = trace->firstEndingAfter(row, range.from);
           e < row.last && trace->start(e) < range.to; ++e) {
        if (!names[trace->nameId(e)]) continue;
        Match& match = byName[{trace->nameId(e), trace->kind(e)}];
        match.name = trace->nameId(e);
        match.kind = trace->kind(e);
        addMatch(match, *trace, e, range);
        addMatch(made->all, *trace, e, range);
      }
    for (const auto& [key, match] : byName) made->matches.push_back(match);
    std::ranges::stable_sort(made->matches, std::ranges::greater(), &Match::total);
    return std::shared_ptr<const void>(std::move(made));
  };
}

}  // namespace fusebench

#include "moc_match_figures.cpp"
