// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of what a TimelineModel shows.
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {
namespace {

constexpr std::size_t kAtOnce = 100'000;  ///< events whose statistics take no time
constexpr std::size_t kMostDevices = 64;  ///< whose figures anybody could look at

TimelineModel::Figures figuresOf(const Trace& trace, Work work, TimeRange range, Grouping grouping,
                                 OneDevice device = {}) {
  LaunchDelays delays = launchDelaysOf(trace, range, device);
  const std::string said = sentenceOf(delays);
  TimelineModel::Figures made{
      statisticsOf(trace, work, range, device),  totalsByName(trace, work, range, device),
      distributionOf(std::move(delays.times)),   distributionOf(gapsOf(trace, work, range, device)),
      longestGapsOf(trace, work, range, device), said};
  if (grouping != Grouping::kernel) made.groups = totalsBy(grouping, trace, work, range, device);
  return made;
}

TimelineModel::Summary summaryOf(const Trace& trace, Work work, TimeRange range,
                                 Grouping grouping) {
  TimelineModel::Summary made{
      figuresOf(trace, work, range, grouping), {}, collectivesOf(trace, range)};
  const std::vector<TraceDevice> devices = devicesOf(trace);
  if (devices.size() < 2 || devices.size() > kMostDevices) return made;
  for (const TraceDevice& device : devices)
    made.devices.push_back({QString::fromStdString(device.name),
                            figuresOf(trace, work, range, grouping, device.process)});
  return made;
}

}  // namespace

std::vector<TimelineModel::Summary> TimelineModel::summariesNow(
    const std::vector<Shown>& shown, const std::optional<TimeRange>& selection) {
  std::vector<Summary> made;
  for (const Shown& one : shown)
    made.push_back(summaryOf(*one.trace, one.work, selection.value_or(recordedOf(*one.trace)),
                             Grouping::kernel));
  return made;
}

void TimelineModel::summarize() {
  struct Part {
    std::shared_ptr<const Trace> trace;
    Work work;
    TimeRange range;
  };
  std::vector<Part> parts;
  std::size_t events = 0;
  for (const Shown& shown : shown_) {
    parts.push_back({shown.trace, shown.work, selection_.value_or(recordedOf(*shown.trace))});
    events += shown.trace->size();
  }
  struct Made {
    std::vector<Summary> summaries;
    std::vector<Whole> wholes, parts;
  };
  const auto compute = [parts = std::move(parts), wholes = wholes_.empty(),
                        selected = selection_.has_value(), grouping = grouping_] {
    Made made;
    for (const auto& [trace, work, range] : parts) {
      made.summaries.push_back(summaryOf(*trace, work, range, grouping));
      if (wholes)
        made.wholes.push_back({savingsOf(*trace), breakdownOf(*trace), compiledRegionsOf(*trace),
                               compilesWithin(*trace)});
      if (selected)
        made.parts.push_back({savingsOf(*trace, {}, range), breakdownOf(*trace, range)});
    }
    return made;
  };
  const auto take = [this](Made made) {
    summaries_ = std::move(made.summaries);
    if (!made.wholes.empty()) wholes_ = std::move(made.wholes);
    parts_ = std::move(made.parts);
    emit selectionChanged();
  };
  const int number = ++asked_;
  summaries_.clear();
  parts_.clear();
  if (events <= kAtOnce) {
    take(compute());
    return;
  }
  emit selectionChanged();
  pool_.clear();
  pool_.start([this, number, compute, take] {
    QMetaObject::invokeMethod(
        this,
        [this, number, take, made = compute()]() mutable {
          if (number == asked_) take(std::move(made));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace fusebench
