// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/curves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/models/base/ui_text.h"
#include "ui/models/chart/chart_series.h"
#include "ui/models/results/cell_summaries.h"

namespace fusebench {

QString partSuffix(CurvePart part) {
  switch (part) {
    case CurvePart::fromDisk:
      return uiText(", from disk");
    case CurvePart::inMemory:
      return uiText(", in memory");
    case CurvePart::host:
      return uiText(", host");
    case CurvePart::device:
      return uiText(", device");
    case CurvePart::single:
      return uiText(", synchronized");
    case CurvePart::main:
      break;
  }
  return {};
}

QString partId(CurvePart part) {
  switch (part) {
    case CurvePart::fromDisk:
      return QStringLiteral("-disk");
    case CurvePart::inMemory:
      return QStringLiteral("-memory");
    case CurvePart::host:
      return QStringLiteral("-host");
    case CurvePart::device:
      return QStringLiteral("-device");
    case CurvePart::single:
      return QStringLiteral("-alone");
    case CurvePart::main:
      break;
  }
  return {};
}

int variantNamed(const Experiment& experiment, const std::string& name) {
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (experiment.variants[v].name == name) return static_cast<int>(v);
  return -1;
}

int seriesOf(const Experiment& experiment, int variant) {
  if (variant < 0 || static_cast<std::size_t>(variant) >= experiment.variants.size())
    return std::max(0, variant);
  const int asked = experiment.variants[static_cast<std::size_t>(variant)].series;
  return asked > 0 ? asked - 1 : variant;
}

double certaintyOf(const Estimate& estimate, std::size_t samples, const MeasureSettings& settings) {
  if (estimate.kind != Estimate::Kind::interval || !(estimate.value > 0)) return 0;
  const double halfWidth = (estimate.high - estimate.low) / 2 / estimate.value;
  const double precision = halfWidth > 0 ? settings.precision / halfWidth : 1;
  const double count = static_cast<double>(samples) / std::max(1, settings.minimumSamples);
  return std::clamp(std::min(precision, count), 0.0, 1.0);
}

std::vector<Curve> curvesOf(const Run& run, std::size_t slice) {
  CellSummaries summaries;
  summaries.update(run);
  return metricCurves(run, summaries, Metric::latency, slice);
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
    curve.series = seriesOf(experiment, curve.variant);
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

ValueRange valueRange(const std::vector<Curve>& curves, bool positiveOnly) {
  ValueRange range;
  bool any = false;
  const auto include = [&](double low, double high) {
    if ((positiveOnly && !(low > 0)) || !std::isfinite(low) || !std::isfinite(high)) return;
    range.low = any ? std::min(range.low, low) : low;
    range.high = any ? std::max(range.high, high) : high;
    any = true;
  };
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      include(point.y.value, point.y.value);
      if (point.y.kind != Estimate::Kind::none) include(point.y.low, point.y.high);
    }
    for (const Observation& seen : curve.observations) include(seen.y, seen.y);
  }
  return range;
}

}  // namespace fusebench
