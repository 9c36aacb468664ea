// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of what a TimelineModel shows.
#include "ui/models/timeline/timeline_model.h"

namespace fusebench {
namespace {

constexpr std::size_t kAtOnce = 100'000;  ///< events whose statistics take no time
constexpr std::size_t kMostDevices = 64;  ///< whose figures anybody could look at

TimelineModel::Figures figuresOf(const Trace& trace, Work work, TimeRange range,
                                 OneDevice device = {}) {
  return {statisticsOf(trace, work, range, device), totalsByName(trace, work, range, device),
          distributionOf(launchDelaysOf(trace, range, device)),
          distributionOf(gapsOf(trace, work, range, device))};
}

TimelineModel::Summary summaryOf(const Trace& trace, Work work, TimeRange range) {
  TimelineModel::Summary made{figuresOf(trace, work, range), {}};
  const std::vector<TraceDevice> devices = devicesOf(trace);
  if (devices.size() < 2 || devices.size() > kMostDevices) return made;
  for (const TraceDevice& device : devices)
    made.devices.push_back(
        {QString::fromStdString(device.name), figuresOf(trace, work, range, device.process)});
  return made;
}

}  // namespace

void TimelineModel::summarise() {
  struct Part {
    std::shared_ptr<const Trace> trace;
    Work work;
    TimeRange range;
  };
  std::vector<Part> parts;
  std::size_t events = 0;
  for (const Shown& shown : shown_) {
    const TimeRange whole{0, std::max<Nanoseconds>(1, shown.trace->length())};
    parts.push_back({shown.trace, shown.work, selection_.value_or(whole)});
    events += shown.trace->size();
  }
  const auto compute = [parts = std::move(parts)] {
    std::vector<Summary> made;
    for (const auto& [trace, work, range] : parts) made.push_back(summaryOf(*trace, work, range));
    return made;
  };
  const int number = ++asked_;
  summaries_.clear();
  if (events <= kAtOnce) {
    summaries_ = compute();
    emit selectionChanged();
    return;
  }
  emit selectionChanged();
  pool_.clear();
  pool_.start([this, number, compute] {
    QMetaObject::invokeMethod(
        this,
        [this, number, made = compute()]() mutable {
          if (number != asked_) return;
          summaries_ = std::move(made);
          emit selectionChanged();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace fusebench
