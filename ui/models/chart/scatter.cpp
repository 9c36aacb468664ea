// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/scatter.h"

#include <algorithm>
#include <cmath>

#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {

/// NaN: the cell has none. Logarithmic axes have no place for 0.
double scatterValue(const Cell& cell, const CellSummary& summary, Metric metric) {
  const double none = std::nan("");
  switch (metric) {
    case Metric::latency:
      return cell.samples.empty() ? none : summary.latency.value;
    case Metric::memory:
      return cell.peakBytes ? static_cast<double>(*cell.peakBytes) : none;
    case Metric::error:
      return cell.accuracy ? cell.accuracy->relative : none;
    case Metric::launches:
      return cell.launches ? cell.launches->mean : none;
    case Metric::compile: {
      std::vector<double> totals;
      for (const CompileTimes& times : cell.firstCompiles)
        totals.push_back(static_cast<double>(times.total()));
      if (totals.empty()) return none;
      std::ranges::sort(totals);
      return totals[totals.size() / 2];
    }
    case Metric::speedUp:
    case Metric::payback:
    case Metric::bandwidth:
      break;
  }
  return none;
}

double publishedValue(const ReferenceCurve& curve, std::size_t at, Metric metric) {
  if (metric == Metric::latency) return curve.nanoseconds[at];
  if (metric == Metric::memory && at < curve.bytes.size()) return curve.bytes[at];
  return std::nan("");
}

bool isPlace(double x, double y) {
  return x > 0 && y > 0 && std::isfinite(x) && std::isfinite(y);
}

void addPublished(const Run& run, const Reference& reference, ScatterContent& content) {
  for (const ReferenceCurve& curve : reference.curves) {
    const int variant = variantNamed(run.experiment, curve.variant);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      ScatterPoint point;
      point.variant = variant;
      point.series = variant >= 0 ? seriesOf(run.experiment, variant) : 0;
      point.name = QString::fromStdString(curve.variant);
      point.place = QStringLiteral("published");
      point.x = publishedValue(curve, i, content.x);
      point.y = publishedValue(curve, i, content.y);
      if (content.size) point.size = publishedValue(curve, i, *content.size);
      if (!(point.size > 0)) point.size = 0;
      point.published = point.last = true;
      if (isPlace(point.x, point.y))
        content.points.push_back(std::move(point));
      else
        ++content.unplaced;
    }
  }
}

}  // namespace

ScatterContent scatterContent(const Run& run, const CellSummaries& summaries, std::size_t slice,
                              Metric x, Metric y, std::optional<Metric> size,
                              const Reference* published) {
  ScatterContent content;
  content.x = x;
  content.y = y;
  content.size = size;
  if (run.experiment.axes.empty()) return content;
  const Axis& axis = run.experiment.axes[0];
  for (int v = 0; v < static_cast<int>(run.experiment.variants.size()); ++v) {
    const std::size_t before = content.points.size();
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      const int index = cellIndex(run, v, i, slice);
      if (index < 0) continue;
      const auto at = static_cast<std::size_t>(index);
      const Cell& cell = run.cells[at];
      ScatterPoint point;
      point.variant = v;
      point.series = seriesOf(run.experiment, v);
      point.name =
          QString::fromStdString(run.experiment.variants[static_cast<std::size_t>(v)].name);
      point.place = QStringLiteral("%1 %2").arg(text(wording::axisWord(axis.name)),
                                                axisValueText(static_cast<double>(axis.values[i])));
      point.x = scatterValue(cell, summaries.at(at), x);
      point.y = scatterValue(cell, summaries.at(at), y);
      if (size) point.size = scatterValue(cell, summaries.at(at), *size);
      if (!(point.size > 0)) point.size = 0;
      if (isPlace(point.x, point.y)) content.points.push_back(std::move(point));
    }
    if (content.points.size() > before) content.points.back().last = true;
  }
  if (published) addPublished(run, *published, content);
  for (const ScatterPoint& point : content.points)
    content.largest = std::max(content.largest, point.size);
  return content;
}

QString scatterTitle(const ScatterContent& content) {
  QString title =
      uiText("%1 against %2").arg(metricName(content.y), metricName(content.x).toLower());
  if (content.size) title += uiText("; mark size: %1").arg(metricName(*content.size).toLower());
  return text(wording::closedUp(title.toStdString()));
}

QString scatterCaption(const ScatterContent& content) {
  QString caption = scatterTitle(content) + uiText(".");
  if (content.unplaced > 0) caption += uiText(" Published figures give time and memory only.");
  return caption;
}

}  // namespace fusebench
