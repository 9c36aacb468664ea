// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study_schedule.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "profiler/experiment/inputs.h"
#include "profiler/machine/clock.h"
#include "profiler/statistics/random.h"
#include "profiler/study/study.h"

namespace fusebench {
namespace {

/// A quick run samples at least this long, unless the whole budget is less.
constexpr double kLeastQuickSeconds = 1;

/// Where a cell comes in the coarse-to-fine order.
struct FillRank {
  int level = 0;                ///< the finest level of its coordinates
  std::size_t coarserAxes = 0;  ///< centers come before the middles of edges
  std::vector<std::size_t> place;

  auto key() const { return std::tie(level, coarserAxes, place); }
};

FillRank fillRank(const Experiment& experiment, const std::vector<std::vector<int>>& levels,
                  const CellKey& key) {
  FillRank rank;
  for (std::size_t axis = 0; axis < experiment.axes.size() && axis < key.at.size(); ++axis) {
    const auto& values = experiment.axes[axis].values;
    const auto found = std::find(values.begin(), values.end(), key.at[axis]);
    const auto index = static_cast<std::size_t>(found - values.begin());
    rank.place.push_back(index);
    if (found != values.end()) rank.level = std::max(rank.level, levels[axis][index]);
  }
  for (std::size_t axis = 0; axis < rank.place.size(); ++axis)
    if (rank.place[axis] < levels[axis].size() && levels[axis][rank.place[axis]] < rank.level)
      ++rank.coarserAxes;
  return rank;
}

}  // namespace

TimePlan planTime(const MeasureSettings& settings, bool quick) {
  TimePlan plan;
  plan.samplingSeconds = settings.budgetSeconds;
  if (quick)
    plan.samplingSeconds = std::max(0.1 * settings.budgetSeconds,
                                    std::min(settings.budgetSeconds, kLeastQuickSeconds));
  plan.compileSeconds = 0.4 * plan.samplingSeconds;
  // A cell's trace takes up to 0.2 s: however short the run, its end should have one.
  plan.traceSeconds = std::max(1.0, 0.2 * plan.samplingSeconds);
  plan.totalSeconds = plan.samplingSeconds + plan.compileSeconds;
  return plan;
}

std::vector<std::size_t> roundOrder(std::span<const Cell> cells, std::uint64_t seed, int round) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].stop == Stop::running) order.push_back(i);
  std::uint64_t state =
      mixBits(seed + 0x5eed'0f0f) ^ mixBits(static_cast<std::uint64_t>(round) + 1);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[nextBelow(state, i)]);
  return order;
}

std::vector<int> bisectionLevels(std::size_t count) {
  std::vector<int> levels(count, 0);
  // Halves that are still to be split; those of one level follow each other.
  std::vector<std::pair<std::size_t, std::size_t>> halves;
  if (count > 2) halves.emplace_back(0, count - 1);
  for (std::size_t next = 0; next < halves.size(); ++next) {
    const auto [first, last] = halves[next];
    const std::size_t middle = (first + last) / 2;
    levels[middle] = std::max(levels[first], levels[last]) + 1;
    if (middle - first > 1) halves.emplace_back(first, middle);
    if (last - middle > 1) halves.emplace_back(middle, last);
  }
  return levels;
}

std::vector<std::size_t> fillOrder(const Experiment& experiment, std::span<const Cell> cells) {
  std::vector<std::vector<int>> levels;
  for (const Axis& axis : experiment.axes) levels.push_back(bisectionLevels(axis.values.size()));
  std::vector<std::size_t> order;
  std::vector<FillRank> ranks;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ranks.push_back(fillRank(experiment, levels, cells[i].key));
    if (cells[i].stop == Stop::running) order.push_back(i);
  }
  // Stable: the variants of a place keep their order.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a].key() < ranks[b].key(); });
  return order;
}

std::vector<std::vector<std::size_t>> fillPoints(const Experiment& experiment,
                                                 std::span<const Cell> cells) {
  std::vector<std::vector<std::size_t>> points;
  for (const std::size_t index : fillOrder(experiment, cells)) {
    if (points.empty() || cells[points.back().back()].key.at != cells[index].key.at)
      points.emplace_back();
    points.back().push_back(index);
  }
  return points;
}

double growthBetween(const CellKey& from, const CellKey& to) {
  double growth = 1;
  for (std::size_t a = 0; a < from.at.size() && a < to.at.size(); ++a)
    if (from.at[a] > 0 && to.at[a] > 0)
      growth *= static_cast<double>(to.at[a]) / static_cast<double>(from.at[a]);
  return std::max(growth, 1.0);
}

int samplesToGo(const Cell& cell, const StoppingRule& rule) {
  const auto have = static_cast<int>(cell.samples.size());
  if (have < 8) return rule.minimum - have;
  const Estimate estimate = cell.latency();
  const double width = (estimate.high - estimate.low) / 2 / (rule.precision * estimate.value);
  // The interval's width goes as one over the square root of the number of samples.
  const double wanted = std::clamp(have * width * width, static_cast<double>(rule.minimum),
                                   static_cast<double>(rule.maximum));
  return std::max(static_cast<int>(std::ceil(wanted)) - have, 1);
}

std::optional<double> leastSeconds(const Run& known) {
  const auto shortest = static_cast<double>(shortestSampleNanoseconds());
  const auto isGiven = [](const Cell& cell) {
    return cell.stop != Stop::failed && cell.stop != Stop::unavailable;
  };
  // Per variant and, at the end, for all.
  struct Mean {
    double seconds = 0;
    std::size_t cells = 0, missing = 0;
  };
  std::vector<Mean> means(known.experiment.variants.size() + 1);
  for (const Cell& cell : known.cells) {
    if (!isGiven(cell)) continue;
    Mean &own = means[static_cast<std::size_t>(cell.key.variant)], &all = means.back();
    if (cell.samples.empty()) {
      ++own.missing;
      continue;
    }
    const double inputs = std::max(cell.inputsUsed, 1);
    // A sample is one pass that is not timed and then as many as it takes to be long enough.
    const double pass = median(cell.times()) * inputs;
    const double seconds = 1e-9 * (pass + std::max(pass, shortest));
    for (Mean* mean : {&own, &all}) {
      mean->seconds += seconds;
      ++mean->cells;
    }
  }
  const Mean& all = means.back();
  std::size_t missing = 0;
  double each = all.seconds;
  for (std::size_t v = 0; v + 1 < means.size(); ++v) {
    const Mean& mean = means[v].cells > 0 ? means[v] : all;
    if (mean.cells > 0)
      each +=
          static_cast<double>(means[v].missing) * mean.seconds / static_cast<double>(mean.cells);
    missing += means[v].missing;
  }
  if (all.cells == 0 || missing > all.cells) return std::nullopt;
  return static_cast<double>(kLeastSamples) * each;
}

double TimeShare::at(double seconds, double left) {
  constexpr double kBeforeTheEnd = 0.99;  // only the end itself is all of it
  const double passed = std::max(seconds - last_, 0.0);
  last_ = std::max(last_, seconds);
  if (passed > 0) share_ += (1 - share_) * passed / (passed + std::max(left, 0.0));
  return share_ = std::min(share_, kBeforeTheEnd);
}

StoppingRule ruleOf(const MeasureSettings& settings) {
  return {settings.minimumSamples, settings.maximumSamples, settings.precision};
}

}  // namespace fusebench
