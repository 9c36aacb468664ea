// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/scaling.h"

#include <algorithm>

#include "profiler/analysis/paired_samples.h"

namespace fusebench {
namespace {

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  return estimate;
}

}  // namespace

std::vector<ScalingPoint> scalingOf(const Run& run) {
  const auto& axes = run.experiment.axes;
  const auto axis = std::ranges::find(axes, "ranks", &Axis::name);
  if (axis == axes.end() || axis->values.empty() || axis->values.front() < 1) return {};
  const auto a = static_cast<std::size_t>(axis - axes.begin());
  std::vector<ScalingPoint> points;
  for (const Cell& cell : run.cells) {
    CellKey key = cell.key;
    key.at[a] = axis->values.front();
    if (key == cell.key) continue;
    const Cell* const few = run.find(key);
    if (!few) continue;
    const PairedSamples paired = pairByRound(*few, cell);
    if (paired.first.empty()) continue;
    ScalingPoint point;
    point.key = cell.key;
    point.ranks = static_cast<int>(cell.key.at[a]);
    point.from = static_cast<int>(axis->values.front());
    point.weak = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)].weak;
    const double more = static_cast<double>(point.ranks) / point.from;
    const Estimate faster = speedUpOf(paired);
    point.speedUp = point.weak ? scaled(faster, more) : faster;
    point.efficiency = scaled(point.speedUp, 1 / more);
    points.push_back(point);
  }
  return points;
}

}  // namespace fusebench
