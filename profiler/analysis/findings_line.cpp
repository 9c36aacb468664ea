// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/findings_line.h"

#include <algorithm>
#include <cmath>

#include "profiler/analysis/bootstrap.h"
#include "profiler/analysis/findings.h"

namespace fusebench {
namespace {
constexpr std::size_t kLinePoints = 4;
constexpr double kStraight = 0.1;  ///< of a place's value and of the curve's span
}  // namespace

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

std::optional<StraightPart> straightPart(std::span<const double> x, std::span<const Estimate> y) {
  const std::size_t mostLeftOut = x.size() / 3;
  for (std::size_t first = 0; first <= mostLeftOut && x.size() - first >= kLinePoints; ++first) {
    std::vector<double> values;
    for (const Estimate& estimate : y.subspan(first)) {
      if (estimate.kind != Estimate::Kind::interval) return std::nullopt;
      values.push_back(estimate.value);
    }
    const auto fit = fitLine(x.subspan(first), values);
    if (!fit) return std::nullopt;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double span = *high - *low;
    const auto onLine = [&](std::size_t i) {
      const double off = std::abs(y[i].value - (fit->intercept.value + fit->slope.value * x[i]));
      return off <=
             std::max(y[i].high - y[i].low, kStraight * std::min(span, std::abs(y[i].value)));
    };
    bool straight = true;
    for (std::size_t i = first; i < x.size(); ++i) straight = straight && onLine(i);
    if (straight) return StraightPart{*fit, first};
  }
  return std::nullopt;
}

std::optional<LaunchModel> launchModel(const std::string& variant, std::vector<const Cell*> cells) {
  std::erase_if(cells, [](const Cell* cell) { return !cell->launches || cell->samples.empty(); });
  std::stable_sort(cells.begin(), cells.end(), [](const Cell* a, const Cell* b) {
    return a->launches->mean < b->launches->mean;
  });
  std::vector<double> launches;
  std::vector<Estimate> times;
  for (const Cell* cell : cells) {
    launches.push_back(cell->launches->mean);
    times.push_back(cell->latency());
  }
  // A launch more or less is no cost per launch.
  if (launches.empty() || launches.back() - launches.front() < 2) return std::nullopt;
  const auto part = straightPart(launches, times);
  if (!part || !(part->fit.slope.low > 0)) return std::nullopt;
  return LaunchModel{variant, part->fit, launches[part->first]};
}

std::vector<LaunchModel> launchModels(const Run& run, std::size_t slice) {
  std::vector<LaunchModel> models;
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v)
    if (auto model = launchModel(run.experiment.variants[v].name,
                                 curveCells(run, static_cast<int>(v), slice).cells))
      models.push_back(std::move(*model));
  return models;
}

}  // namespace fusebench
