// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/operator_figures.h"

#include <algorithm>
#include <utility>

namespace fusebench {
namespace {

constexpr std::size_t kEventsAtOnce = 50'000;  ///< whose operators take no time

}  // namespace

OperatorFigures::OperatorFigures(TimelineModel& timeline, QObject* parent)
    : QObject(parent), timeline_(timeline) {
  pool_.setMaxThreadCount(1);
  connect(&timeline_, &TimelineModel::selectionChanged, this, &OperatorFigures::refresh);
  connect(&timeline_, &TimelineModel::tracesChanged, this, [this] {
    if (index_ >= timeline_.shown().size()) index_ = 0;
    refresh();
  });
}

std::uint32_t OperatorFigures::Made::groupOf(EventId event) const {
  const auto found =
      std::ranges::lower_bound(groupsByEvent, event, {}, &std::pair<EventId, std::uint32_t>::first);
  return found == groupsByEvent.end() || found->first != event ? kNoGroup : found->second;
}

void OperatorFigures::setWanted(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  refresh();
}

void OperatorFigures::setTrace(std::size_t index) {
  if (index == index_ || index >= timeline_.shown().size()) return;
  index_ = index;
  refresh();
}

void OperatorFigures::groupBy(std::vector<OperatorKey> keys) {
  if (keys == keys_) return;
  keys_ = std::move(keys);
  refresh();
}

void OperatorFigures::refresh() {
  const int number = ++asked_;
  made_.reset();
  busy_ = false;
  pool_.clear();
  if (!wanted_ || index_ >= timeline_.shown().size()) {
    emit changed();
    return;
  }
  const auto trace = timeline_.shown()[index_].trace;
  const TimeRange range = timeline_.selection().value_or(recordedOf(*trace));
  const auto compute = [trace, range, keys = keys_] {
    const OperatorFrames frames = operatorFrames(*trace, range);
    auto made = std::make_shared<Made>();
    made->trace = trace;
    std::vector<std::uint32_t> groupOfFrame;
    made->groups = operatorGroups(*trace, frames, keys, &groupOfFrame);
    for (std::size_t frame = 0; frame < groupOfFrame.size(); ++frame)
      if (frames.frames[frame].event != kNoEvent)
        made->groupsByEvent.emplace_back(frames.frames[frame].event, groupOfFrame[frame]);
    for (const OperatorFrames::Execution& one : frames.executions)
      made->groupsByEvent.emplace_back(one.event, groupOfFrame[one.frame]);
    std::ranges::sort(made->groupsByEvent);
    made->tree = operatorTree(*trace, frames);
    made->callers = callersTree(made->tree);
    return std::shared_ptr<const Made>(std::move(made));
  };
  if (trace->size() <= kEventsAtOnce) {
    made_ = compute();
    emit changed();
    return;
  }
  busy_ = true;
  emit changed();
  pool_.start([this, number, compute] {
    QMetaObject::invokeMethod(
        this,
        [this, number, made = compute()] {
          if (number != asked_) return;
          made_ = made;
          busy_ = false;
          emit changed();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace fusebench

#include "moc_operator_figures.cpp"
