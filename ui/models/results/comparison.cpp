// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/comparison.h"

#include <algorithm>

#include "profiler/analysis/paired_samples.h"

namespace fusebench {

std::optional<Estimate> speedUp(const Cell& baseline, const Cell& variant) {
  if (!isModeled(baseline) || !isModeled(variant)) return std::nullopt;
  const PairedSamples paired = pairByRound(baseline, variant);
  if (paired.first.empty()) return std::nullopt;
  return speedUpOf(paired);
}

int cellIndex(const Run& run, int variant, std::size_t first, std::size_t second) {
  const auto& axes = run.experiment.axes;
  if (axes.empty() || first >= axes[0].values.size()) return -1;
  CellKey key{variant, {axes[0].values[first]}};
  std::size_t place = first;
  if (axes.size() > 1) {
    if (second >= axes[1].values.size()) return -1;
    key.at.push_back(axes[1].values[second]);
    place = first * axes[1].values.size() + second;
  }
  const std::size_t at = place * run.experiment.variants.size() + static_cast<std::size_t>(variant);
  if (at < run.cells.size() && run.cells[at].key == key) return static_cast<int>(at);
  const Cell* cell = run.find(key);
  return cell ? static_cast<int>(cell - run.cells.data()) : -1;
}

bool hasUnfinishedCells(const Run& run) {
  return std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& cell) {
    return cell.stop == Stop::running || cell.stop == Stop::interrupted ||
           cell.stop == Stop::failed;
  });
}

std::size_t sampleCount(const Run& run) {
  std::size_t count = 0;
  for (const Cell& cell : run.cells) count += cell.samples.size();
  return count;
}

}  // namespace fusebench
