// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/shown_place.h"

#include <cmath>

#include "ui/models/chart/chart_cursor.h"

namespace fusebench {

ShownPlace::ShownPlace(const DocumentModel& document, const RunModel& run, QObject* parent)
    : QObject(parent), document_(document), run_(run) {}

const Experiment& ShownPlace::experiment() const {
  return run_.run() ? run_.run()->experiment : document_.experiment();
}

void ShownPlace::mark(std::optional<double> x, bool scroll) {
  if (x && !std::isfinite(*x)) x = pinned_;
  const auto& axes = experiment().axes;
  if (pinned_ && x == pinned_ && !axes.empty()) {
    std::vector<std::int64_t> at = {static_cast<std::int64_t>(*x)};
    if (axes.size() > 1 && slice_ < axes[1].values.size()) at.push_back(axes[1].values[slice_]);
    emit arrived(at);
  }
  emit marked(x, scroll);
}

void ShownPlace::pin(std::optional<double> x, bool scroll) {
  pinned_ = x;
  pinnedAxis_ = x && !experiment().axes.empty() ? experiment().axes[0].name : "";
  emit pinChanged(x);
  mark(x, scroll);
}

void ShownPlace::toggle(double x) {
  pin(pinned_ == x ? std::nullopt : std::optional(x));
}

void ShownPlace::restore() {
  const Experiment& shown = experiment();
  const bool there = pinned_ && onFirstAxis(shown, *pinned_) && shown.axes[0].name == pinnedAxis_;
  pin(there ? pinned_ : std::nullopt, false);
}

void ShownPlace::setSlice(std::size_t slice) {
  slice_ = slice;
  emit sliceChanged(slice);
}

}  // namespace fusebench

#include "moc_shown_place.cpp"
