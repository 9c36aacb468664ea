// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/findings_line.h"

#include <algorithm>

#include "profiler/bootstrap.h"
#include "profiler/findings.h"

namespace fusebench {

bool inSlice(const Run& run, const Cell& cell, std::size_t slice) {
  if (cell.key.at.empty()) return false;
  if (cell.key.at.size() < 2 || run.experiment.axes.size() < 2) return true;
  const auto& values = run.experiment.axes[1].values;
  return slice >= values.size() || cell.key.at[1] == values[slice];
}

bool CurveCells::hasIntervals() const {
  return std::all_of(latency.begin(), latency.end(), [](const Estimate& estimate) {
    return estimate.kind == Estimate::Kind::interval;
  });
}

CurveCells curveCells(const Run& run, int variant, std::size_t slice) {
  CurveCells line;
  for (const Cell& cell : run.cells)
    if (cell.key.variant == variant && !cell.samples.empty() && inSlice(run, cell, slice))
      line.cells.push_back(&cell);
  std::sort(line.cells.begin(), line.cells.end(),
            [](const Cell* a, const Cell* b) { return a->key.at[0] < b->key.at[0]; });
  for (const Cell* cell : line.cells) {
    line.x.push_back(static_cast<double>(cell->key.at[0]));
    line.latency.push_back(cell->latency());
  }
  return line;
}

std::optional<Estimate> speedUpOver(const Cell& baseline, const Cell& cell) {
  const PairedSamples paired = pairByRound(baseline, cell);
  if (paired.first.empty()) return std::nullopt;
  return pairedRatio(paired.first, paired.second);
}

std::vector<LaunchModel> launchModels(const Run& run, std::size_t slice) {
  std::vector<LaunchModel> models;
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
    const CurveCells line = curveCells(run, static_cast<int>(v), slice);
    std::vector<double> launches, times;
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      if (!line.cells[i]->launches) continue;
      launches.push_back(line.cells[i]->launches->mean);
      times.push_back(line.latency[i].value);
    }
    if (launches.empty()) continue;
    const auto [least, most] = std::minmax_element(launches.begin(), launches.end());
    if (*most - *least < 2) continue;  // a launch more or less is no cost per launch
    if (const auto fit = fitLine(launches, times))
      models.push_back({run.experiment.variants[v].name, *fit});
  }
  return models;
}

}  // namespace fusebench
