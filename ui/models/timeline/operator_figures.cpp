// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/operator_figures.h"

#include <algorithm>
#include <utility>

namespace fusebench {

PlacesByEvent::PlacesByEvent(const OperatorFrames& frames,
                             const std::vector<std::uint32_t>& placeOfFrame) {
  for (std::size_t frame = 0; frame < placeOfFrame.size(); ++frame)
    if (frames.frames[frame].event != kNoEvent)
      places_.emplace_back(frames.frames[frame].event, placeOfFrame[frame]);
  for (const OperatorFrames::Execution& one : frames.executions)
    places_.emplace_back(one.event, placeOfFrame[one.frame]);
  std::ranges::sort(places_);
}

std::uint32_t PlacesByEvent::of(EventId event) const {
  const auto found =
      std::ranges::lower_bound(places_, event, {}, &std::pair<EventId, std::uint32_t>::first);
  return found == places_.end() || found->first != event ? kNoGroup : found->second;
}

OperatorFigures::OperatorFigures(TimelineModel& timeline, QObject* parent)
    : RangeFigures(timeline, parent) {}

void OperatorFigures::groupBy(std::vector<OperatorKey> keys) {
  if (keys == keys_) return;
  keys_ = std::move(keys);
  refresh();
}

RangeFigures::Compute OperatorFigures::computation() const {
  return [keys = keys_](const std::shared_ptr<const Trace>& trace, TimeRange range) {
    const OperatorFrames frames = operatorFrames(*trace, range);
    auto made = std::make_shared<Made>();
    made->trace = trace;
    std::vector<std::uint32_t> groupOfFrame;
    made->groups = operatorGroups(*trace, frames, keys, &groupOfFrame);
    made->placesByEvent = PlacesByEvent(frames, groupOfFrame);
    made->tree = operatorTree(*trace, frames);
    made->callers = callersTree(made->tree);
    return std::shared_ptr<const void>(std::move(made));
  };
}

RooflineFigures::RooflineFigures(TimelineModel& timeline, QObject* parent)
    : RangeFigures(timeline, parent) {}

RangeFigures::Compute RooflineFigures::computation() const {
  return [](const std::shared_ptr<const Trace>& trace, TimeRange range) {
    const OperatorFrames frames = operatorFrames(*trace, range);
    auto made = std::make_shared<Made>();
    made->trace = trace;
    std::vector<std::uint32_t> pointOfFrame;
    made->roofline = rooflineOf(*trace, frames, &pointOfFrame);
    made->placesByEvent = PlacesByEvent(frames, pointOfFrame);
    for (const RooflinePoint& one : made->roofline.points) made->total += one.time;
    return std::shared_ptr<const void>(std::move(made));
  };
}

}  // namespace fusebench

#include "moc_operator_figures.cpp"
