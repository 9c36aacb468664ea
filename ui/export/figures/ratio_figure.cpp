// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/ratio_figure.h"

#include <algorithm>
#include <map>

#include "ui/models/base/ui_text.h"
#include "ui/models/chart/break_even_map.h"

namespace fusebench {
namespace {

constexpr double kLeastRatio = 1.1;  ///< to both sides of 1, so that noise looks like noise
constexpr double kRatioRoom = 1.03;

}  // namespace

ChartSubject ratioSubject(const RunComparison& comparison, const QString& nameA,
                          const QString& nameB, std::optional<std::int64_t> second) {
  ChartSubject subject;
  subject.id = QStringLiteral("ratio");
  subject.content.metric = Metric::speedUp;  // the quantity is a ratio
  subject.content.rule = 1;
  subject.whiskers = true;
  subject.title = uiText("%1 against %2").arg(nameB, nameA);
  subject.valueLabel = uiText("Time per call, B / A");
  subject.heading = {QStringLiteral("A: %1").arg(nameA), QStringLiteral("B: %1").arg(nameB)};
  if (!comparison.axes.empty()) subject.axisLabel = comparison.axes.front();
  std::map<int, Curve> curves;
  double low = 1 / kLeastRatio, high = kLeastRatio;
  for (const ComparedCell& cell : comparison.cells) {
    if (cell.ratio.kind == Estimate::Kind::none || cell.at.empty()) continue;
    if (second && cell.at.size() > 1 && cell.at[1] != *second) continue;
    Curve& curve = curves[cell.variantIndex];
    curve.name = cell.variant;
    curve.variant = cell.variantIndex;
    curve.series = cell.variantIndex;
    curve.points.push_back({static_cast<double>(cell.at[0]), cell.ratio, true});
    subject.values.push_back(static_cast<double>(cell.at[0]));
    low = std::min(low, cell.ratio.low);
    high = std::max(high, cell.ratio.high);
  }
  for (auto& [variant, curve] : curves) {
    std::ranges::sort(curve.points, {}, &CurvePoint::x);
    subject.content.curves.push_back(std::move(curve));
  }
  std::ranges::sort(subject.values);
  subject.values.erase(std::unique(subject.values.begin(), subject.values.end()),
                       subject.values.end());
  Axis axis;
  for (const double value : subject.values) axis.values.push_back(static_cast<std::int64_t>(value));
  subject.logAxis = subject.values.size() > 1 && mapAxis(axis).logarithmic;
  subject.y = AxisRange{low / kRatioRoom, high * kRatioRoom, true};
  return subject;
}

}  // namespace fusebench
