// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/range_figures.h"

namespace fusebench {
namespace {

constexpr std::size_t kEventsAtOnce = 50'000;  ///< whose figures take no time

}  // namespace

RangeFigures::RangeFigures(TimelineModel& timeline, QObject* parent)
    : QObject(parent), timeline_(timeline) {
  pool_.setMaxThreadCount(1);
  connect(&timeline_, &TimelineModel::selectionChanged, this, &RangeFigures::refresh);
  connect(&timeline_, &TimelineModel::tracesChanged, this, [this] {
    if (index_ >= timeline_.shown().size()) index_ = 0;
    refresh();
  });
}

void RangeFigures::setWanted(bool wanted) {
  if (wanted == wanted_) return;
  wanted_ = wanted;
  refresh();
}

void RangeFigures::setTrace(std::size_t index) {
  if (index == index_ || index >= timeline_.shown().size()) return;
  index_ = index;
  refresh();
}

void RangeFigures::refresh() {
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
  if (trace->size() <= kEventsAtOnce) {
    made_ = computation()(trace, range);
    emit changed();
    return;
  }
  busy_ = true;
  emit changed();
  pool_.start([this, number, trace, range, compute = computation()] {
    QMetaObject::invokeMethod(
        this,
        [this, number, made = compute(trace, range)] {
          if (number != asked_) return;
          made_ = made;
          busy_ = false;
          emit changed();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace fusebench

#include "moc_range_figures.cpp"
