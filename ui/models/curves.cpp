// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/curves.h"

#include <algorithm>
#include <cmath>

namespace fusebench {

std::vector<Curve> curvesOf(const Run& run, std::size_t slice) {
  const Experiment& experiment = run.experiment;
  std::vector<Curve> curves(experiment.variants.size());
  for (std::size_t v = 0; v < curves.size(); ++v) {
    curves[v].name = QString::fromStdString(experiment.variants[v].name);
    curves[v].variant = static_cast<int>(v);
  }
  for (const Cell& cell : run.cells) {
    if (cell.samples.empty() || cell.key.at.empty()) continue;
    if (cell.key.at.size() > 1 && slice < experiment.axes[1].values.size() &&
        cell.key.at[1] != experiment.axes[1].values[slice])
      continue;
    const auto v = static_cast<std::size_t>(cell.key.variant);
    if (v >= curves.size()) continue;
    curves[v].points.push_back(
        {static_cast<double>(cell.key.at[0]), cell.latency(), cell.stop != Stop::running});
  }
  for (Curve& curve : curves)
    std::sort(curve.points.begin(), curve.points.end(),
              [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  return curves;
}

std::vector<Curve> curvesOf(const Reference& reference, const Experiment& experiment) {
  std::vector<Curve> curves;
  int unknown = static_cast<int>(experiment.variants.size());
  for (const ReferenceCurve& published : reference.curves) {
    Curve curve;
    curve.name = QString::fromStdString(published.variant);
    const auto same = std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                   [&](const Variant& v) { return v.name == published.variant; });
    curve.variant = same == experiment.variants.end()
                        ? unknown++
                        : static_cast<int>(same - experiment.variants.begin());
    const std::size_t count = std::min(published.x.size(), published.nanoseconds.size());
    for (std::size_t i = 0; i < count; ++i) {
      const double y = published.nanoseconds[i];
      curve.points.push_back({published.x[i], {y, y, y, Estimate::Kind::none}, true});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

bool fits(const Reference& reference, const Experiment& experiment) {
  return !experiment.axes.empty() && reference.axis == experiment.axes[0].name &&
         !reference.curves.empty();
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& points, double left, double right,
                                int pixels) {
  if (pixels <= 0 || right <= left || points.size() <= 2 * static_cast<std::size_t>(pixels))
    return points;
  std::vector<CurvePoint> kept;
  std::size_t begin = 0;
  const auto column = [&](const CurvePoint& point) {
    return std::floor((point.x - left) / (right - left) * pixels);
  };
  while (begin < points.size()) {
    std::size_t end = begin, low = begin, high = begin;
    for (; end < points.size() && column(points[end]) == column(points[begin]); ++end) {
      if (points[end].latency.value < points[low].latency.value) low = end;
      if (points[end].latency.value > points[high].latency.value) high = end;
    }
    kept.push_back(points[std::min(low, high)]);
    if (low != high) kept.push_back(points[std::max(low, high)]);
    begin = end;
  }
  return kept;
}

LatencyRange latencyRange(const std::vector<Curve>& curves) {
  LatencyRange range;
  bool any = false;
  for (const Curve& curve : curves)
    for (const CurvePoint& point : curve.points) {
      const bool band = point.latency.kind != Estimate::Kind::none;
      const double low = band ? point.latency.low : point.latency.value;
      const double high = band ? point.latency.high : point.latency.value;
      if (!(low > 0) || !std::isfinite(high)) continue;
      range.low = any ? std::min(range.low, low) : low;
      range.high = any ? std::max(range.high, high) : high;
      any = true;
    }
  return range;
}

}  // namespace fusebench
