// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_ranges.h"

#include <algorithm>
#include <cmath>

namespace fusebench {

bool logarithmicAtFirst(const ChartContent& content) {
  if (content.metric == Metric::launches) return false;
  if (content.metric != Metric::speedUp) return true;
  const ValueRange range = valueRange(content.curves, true);
  return range.low > 0 && std::max(range.high, 1.0) / std::min(range.low, 1.0) > kWideSpeedUps;
}

AxisRange wholeAxis(const std::vector<double>& values, const std::vector<Curve>& curves,
                    bool logarithmic) {
  double first = 0, last = 1;
  if (!values.empty()) {
    first = values.front();
    last = values.back();
  }
  for (const Curve& curve : curves)  // another run may go further
    if (!curve.points.empty() && (!logarithmic || curve.points.front().x > 0)) {
      first = std::min(first, curve.points.front().x);
      last = std::max(last, curve.points.back().x);
    }
  if (logarithmic && first > 0) {
    const double pad = last > first ? std::pow(last / first, 0.035) : 2;
    return {first / pad, last * pad, true};
  }
  const double pad = last > first ? 0.035 * (last - first) : 1;
  return {first - pad, last + pad, false};
}

AxisRange wholeValues(const ChartContent& content, bool logarithmic, ValueRange whenEmpty) {
  ValueRange range = valueRange(content.curves, logarithmic);
  if (range.high <= 0) range = whenEmpty;
  if (content.rule) {
    range.low = std::min(range.low, *content.rule);
    range.high = std::max(range.high, *content.rule);
  }
  for (const CostLevel& cost : content.costs) {
    range.low = std::min(range.low, cost.value);
    range.high = std::max(range.high, cost.value);
  }
  if (!logarithmic) return {std::min(0.0, range.low), range.high * 1.08, false};
  // A few paybacks near each other are the same but for noise: an order of magnitude around them.
  const double least = content.metric == Metric::payback ? 12 : 2;
  const double ratio = std::max(range.high / range.low, least);
  const double pad = std::pow(ratio, 0.09), middle = std::sqrt(range.low * range.high);
  return {std::min(range.low, middle / std::sqrt(ratio)) / pad,
          std::max(range.high, middle * std::sqrt(ratio)) * pad, true};
}

}  // namespace fusebench
