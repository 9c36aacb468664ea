// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison.h"

#include <algorithm>
#include <map>

namespace fusebench {

std::optional<Estimate> speedUp(const Cell& baseline, const Cell& variant) {
  std::map<int, double> byRound;
  for (const Sample& sample : baseline.samples) byRound[sample.round] = sample.nanoseconds;
  std::vector<double> a, b;
  for (const Sample& sample : variant.samples) {
    const auto pair = byRound.find(sample.round);
    if (pair == byRound.end()) continue;
    a.push_back(pair->second);
    b.push_back(sample.nanoseconds);
  }
  if (a.empty()) return std::nullopt;
  return pairedRatio(a, b);
}

const Cell* baselineOf(const Run& run, const Cell& cell) {
  return run.find({run.experiment.baselineIndex(), cell.key.at});
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
