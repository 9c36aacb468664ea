// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that decides how much of the axes is shown.
#include <cmath>

#include "ui/models/chart/chart_ranges.h"
#include "ui/views/chart/curve_plot.h"

namespace fusebench {

AxisRange CurvePlot::wholeX() const {
  return wholeAxis(axes_.values, content_.curves, axes_.logAxis);
}

AxisRange CurvePlot::wholeY() const {
  return withRoomForWords(numbersY());
}

AxisRange CurvePlot::numbersY() const {
  return wholeValues(content_, axes_.logValue, axes_.whenEmpty);
}

void CurvePlot::applyRanges() {
  if (!fitted_) return;
  const AxisRange x = wholeX();
  rect_.axis(QCPAxis::atBottom)->setRange(x.low, x.high);
  // The words' room depends on where they lie along the axis, and no figures stand in it.
  const AxisRange numbers = numbersY(), y = withRoomForWords(numbers);
  rect_.axis(QCPAxis::atLeft)->setRange(y.low, y.high);
  valueTicker_->setLimits(numbers.low, numbers.high);
  roomFor_ = rect_.size();
}

void CurvePlot::fit() {
  fitted_ = true;
  applyRanges();
}

void CurvePlot::show(const AxisRange& x, const AxisRange& y) {
  fitted_ = false;
  valueTicker_->setLimits(-INFINITY, INFINITY);
  rect_.axis(QCPAxis::atBottom)->setRange(x.low, x.high);
  rect_.axis(QCPAxis::atLeft)->setRange(y.low, y.high);
}

AxisRange CurvePlot::shownX() const {
  const QCPRange range = rect_.axis(QCPAxis::atBottom)->range();
  return {range.lower, range.upper, axes_.logAxis};
}

AxisRange CurvePlot::shownY() const {
  const QCPRange range = rect_.axis(QCPAxis::atLeft)->range();
  return {range.lower, range.upper, axes_.logValue};
}

}  // namespace fusebench
