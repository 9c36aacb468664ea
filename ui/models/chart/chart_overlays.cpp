// SPDX-License-Identifier: GPL-3.0-or-later
// Other runs in the chart of the one shown, and what is left out of it.
#include <algorithm>
#include <functional>
#include <map>

#include "profiler/analysis/wording.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

QString overlayProblem(const Experiment& other, const Experiment& shown, std::size_t slice) {
  const auto name = [](const Experiment& e, std::size_t axis) {
    return text(wording::axisWord(e.axes[axis].name));
  };
  if (other.axes.empty() || shown.axes.empty()) return uiText("sweeps nothing");
  if (other.axes[0].name != shown.axes[0].name)
    return uiText("sweeps %1, not %2").arg(name(other, 0), name(shown, 0));
  if (shown.axes.size() < 2 && other.axes.size() < 2) return {};
  // An overlay needs the same value of the same second axis.
  if (shown.axes.size() < 2) return uiText("sweeps %1, too").arg(name(other, 1));
  if (other.axes.size() < 2 || other.axes[1].name != shown.axes[1].name)
    return uiText("does not sweep %1").arg(name(shown, 1));
  if (slice >= shown.axes[1].values.size()) return uiText("has no such point");
  const std::int64_t at = shown.axes[1].values[slice];
  const auto& values = other.axes[1].values;
  return std::find(values.begin(), values.end(), at) != values.end()
             ? QString()
             : uiText("has no data at %1 %2")
                   .arg(axisValueText(static_cast<double>(at)), name(shown, 1));
}

std::vector<Curve> overlayCurves(const Overlay& overlay, int index, const Experiment& shown,
                                 Metric metric, std::size_t slice, ShownTime time) {
  if (!overlay.run || metric == Metric::payback) return {};
  const Experiment& other = overlay.run->experiment;
  if (!overlayProblem(other, shown, slice).isEmpty()) return {};
  std::size_t place = 0;
  if (shown.axes.size() > 1) {
    const auto& values = other.axes[1].values;
    place = static_cast<std::size_t>(
        std::find(values.begin(), values.end(), shown.axes[1].values[slice]) - values.begin());
  }
  CellSummaries summaries;
  summaries.update(*overlay.run);
  std::vector<Curve> curves = metricCurves(*overlay.run, summaries, metric, place, time);
  int unknown = static_cast<int>(shown.variants.size());
  for (Curve& curve : curves) {
    const int variant = variantNamed(shown, curve.name.toStdString());
    curve.variant = variant >= 0 ? variant : unknown++;
    curve.series = seriesOf(shown, curve.variant);
    curve.overlay = index;
    curve.observations.clear();
  }
  return curves;
}

QString costsName() {
  return uiText("device costs");
}

void leaveOut(ChartContent& content, const Experiment& experiment,
              const std::vector<QString>& overlayNames,
              const std::function<bool(const QString&)>& hidden) {
  if (hidden(costsName())) content.costs.clear();
  std::erase_if(content.curves, [&](const Curve& curve) {
    return hidden(curve.name) ||
           (curve.overlay >= 0 && hidden(overlayNames[static_cast<std::size_t>(curve.overlay)]));
  });
  std::erase_if(content.models, [&](const ModelLine& line) { return hidden(line.variant); });
  std::erase_if(content.crossings, [&](const Crossing& crossing) {
    return hidden(QString::fromStdString(crossing.variant));
  });
  std::erase_if(content.words, [&](const WordSpan& word) {
    return hidden(QString::fromStdString(
        experiment.variants.at(static_cast<std::size_t>(word.variant)).name));
  });
}

void giveOwnSeries(std::vector<Curve>& curves) {
  constexpr int kColors = 6;  // the main ones of a theme; dashes and marks distinguish more
  std::map<QString, int> series;
  for (const Curve& curve : curves)
    if (curve.overlay < 0) series.emplace(curve.name, curve.series);
  const auto isTaken = [&](auto&& same) {
    return std::any_of(series.begin(), series.end(),
                       [&](const auto& entry) { return same(entry.second); });
  };
  for (Curve& curve : curves) {
    if (curve.overlay < 0) continue;
    const auto known = series.find(curve.name);
    if (known == series.end()) {
      int free = 0;
      while (free < kColors && isTaken([&](int one) { return one % kColors == free; })) ++free;
      if (free == kColors) {
        free = 0;
        while (isTaken([&](int one) { return one == free; })) ++free;
      }
      curve.series = free;
      series.emplace(curve.name, free);
    } else {
      curve.series = known->second;
    }
  }
}

}  // namespace fusebench
