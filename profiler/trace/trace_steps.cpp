// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_steps.h"

#include <utility>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

constexpr std::string_view kNoStep = toBeSaid("outside of steps");

bool isInnerRange(const Trace& trace, EventId event) {
  return liesWithin(trace, event,
                    [&](EventId around) { return trace.kind(around) == SpanKind::annotation; });
}

}  // namespace

TraceSteps::TraceSteps(const Trace& trace) {
  bool marked = false;
  const auto isMark = [&](EventId e) { return trace.name(e).starts_with(kStepMark); };
  for (const TraceRow& row : trace.rows())
    if (trace.lanes()[row.lane].kind == Lane::Kind::host)
      for (EventId e = row.first; e < row.last; ++e) {
        if (trace.kind(e) != SpanKind::annotation) continue;
        if (isMark(e) && !marked) {
          marked = true;
          steps_.clear();
        }
        if (marked ? isMark(e) : !isInnerRange(trace, e))
          steps_.push_back({trace.start(e), trace.end(e), row.lane, std::string(trace.name(e))});
      }
  everywhere_ = marked;
  std::ranges::sort(steps_, {}, [this](const Step& step) {
    return std::pair(everywhere_ ? LaneId{0} : step.lane, step.from);
  });
  // Their numbers differ from trace to trace: what is alike is which one it is.
  if (marked)
    for (std::size_t i = 0; i < steps_.size(); ++i)
      steps_[i].name = "step " + std::to_string(i + 1);
}

std::string_view TraceSteps::at(Nanoseconds time, LaneId lane) const {
  if (everywhere_) lane = 0;
  const auto after =
      std::ranges::upper_bound(steps_, std::pair(lane, time), {}, [this](const Step& step) {
        return std::pair(everywhere_ ? LaneId{0} : step.lane, step.from);
      });
  if (after == steps_.begin()) return said(kNoStep);
  const Step& step = *(after - 1);
  return (everywhere_ || step.lane == lane) && time < step.to ? std::string_view(step.name)
                                                              : said(kNoStep);
}

}  // namespace fusebench
