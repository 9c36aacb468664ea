// SPDX-License-Identifier: GPL-3.0-or-later
// The part of CurvePlot that decides how much of the axes is shown.
#include <algorithm>
#include <cmath>

#include "ui/views/curve_plot.h"

namespace fusebench {

AxisRange CurvePlot::wholeX() const {
  double first = 0, last = 1;
  if (!axes_.values.empty()) {
    first = axes_.values.front();
    last = axes_.values.back();
  }
  for (const Curve& curve : content_.curves)  // another run may go further
    if (!curve.points.empty() && (!axes_.logAxis || curve.points.front().x > 0)) {
      first = std::min(first, curve.points.front().x);
      last = std::max(last, curve.points.back().x);
    }
  if (axes_.logAxis && first > 0) {
    const double pad = last > first ? std::pow(last / first, 0.035) : 2;
    return {first / pad, last * pad, true};
  }
  const double pad = last > first ? 0.035 * (last - first) : 1;
  return {first - pad, last + pad, false};
}

AxisRange CurvePlot::wholeY() const {
  return withRoomForWords(numbersY());
}

AxisRange CurvePlot::numbersY() const {
  ValueRange range = valueRange(content_.curves, axes_.logValue);
  if (range.high <= 0) range = axes_.whenEmpty;
  if (content_.rule) {
    range.low = std::min(range.low, *content_.rule);
    range.high = std::max(range.high, *content_.rule);
  }
  if (!axes_.logValue) return {std::min(0.0, range.low), range.high * 1.08, false};
  // A few paybacks near each other are the same but for noise: an order of magnitude around them.
  const double least = content_.metric == Metric::payback ? 12 : 2;
  const double ratio = std::max(range.high / range.low, least);
  const double pad = std::pow(ratio, 0.09), middle = std::sqrt(range.low * range.high);
  return {std::min(range.low, middle / std::sqrt(ratio)) / pad,
          std::max(range.high, middle * std::sqrt(ratio)) * pad, true};
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
