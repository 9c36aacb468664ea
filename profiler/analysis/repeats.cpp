// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/paired_samples.h"

namespace fusebench {
namespace {

bool sameBut(const Variant& a, const Variant& b) {
  return a.gradients == b.gradients && a.checkpoint == b.checkpoint && a.autocast == b.autocast &&
         a.lossScale == b.lossScale && a.quantize == b.quantize && a.calibration == b.calibration &&
         a.dtype == b.dtype && a.program == b.program && a.executor == b.executor &&
         a.inputs == b.inputs && a.threads == b.threads &&
         a.options.recompileLimit == b.options.recompileLimit &&
         a.options.contract == b.options.contract && a.options.fastMath == b.options.fastMath &&
         a.options.search == b.options.search && a.ranks == b.ranks && a.weak == b.weak &&
         a.buckets == b.buckets && a.options.overlap == b.options.overlap &&
         a.options.graphBreaks == b.options.graphBreaks && a.options.pages == b.options.pages &&
         a.options.delivery == b.options.delivery;
}

std::optional<std::pair<int, int>> equalVariants(const Experiment& experiment) {
  const auto& variants = experiment.variants;
  for (std::size_t a = 0; a < variants.size(); ++a)
    for (std::size_t b = a + 1; b < variants.size(); ++b)
      if (sameBut(variants[a], variants[b]))
        return std::pair(static_cast<int>(a), static_cast<int>(b));
  return std::nullopt;
}

using SpeedUps = std::map<std::pair<int, std::vector<std::int64_t>>, Estimate>;

/// For each variant and place the speedup over the baseline there, if that has an interval.
SpeedUps speedUps(const Run& run) {
  const int baseline = run.experiment.baselineIndex();
  SpeedUps found;
  for (const Cell& cell : run.cells) {
    const Cell* against =
        cell.key.variant == baseline ? nullptr : run.find({baseline, cell.key.at});
    if (!against) continue;
    const Estimate ratio = speedUpOf(pairByRound(*against, cell));
    if (ratio.kind == Estimate::Kind::interval)
      found.emplace(std::pair(cell.key.variant, cell.key.at), ratio);
  }
  return found;
}

void countRatios(std::span<const Run> runs, RepeatFigures& figures) {
  std::vector<SpeedUps> all;
  for (const Run& run : runs) all.push_back(speedUps(run));
  for (const auto& own : all)
    for (const auto& other : all) {
      if (&other == &own) continue;
      for (const auto& [key, ratio] : own)
        if (const auto again = other.find(key); again != other.end()) {
          ++figures.ratioCases;
          figures.ratiosHeld +=
              ratio.low <= again->second.value && again->second.value <= ratio.high;
        }
    }
}

/// The median over common cells of how much longer the first run's took.
double ratioOfTimes(const Run& first, const Run& second) {
  std::vector<double> ratios;
  for (const Cell& cell : first.cells)
    if (const Cell* other = second.find(cell.key); other)
      if (const double a = cell.latency().value, b = other->latency().value; a > 0 && b > 0)
        ratios.push_back(a / b);
  if (ratios.empty()) return 1;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  return *middle;
}

double percent(std::size_t part, std::size_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The machine's own speed may change by this factor without being mentioned.
constexpr double kWorthSaying = 1.05;

}  // namespace

Experiment withTwin(Experiment experiment) {
  if (equalVariants(experiment)) return experiment;
  Variant twin = experiment.variants.at(static_cast<std::size_t>(experiment.baselineIndex()));
  twin.name += saying(", again");
  twin.series = 0;
  experiment.variants.push_back(std::move(twin));
  return experiment;
}

RepeatFigures repeatFigures(std::span<const Run> runs) {
  RepeatFigures figures;
  figures.runs = runs.size();
  for (const Run& run : runs)
    for (const Cell& cell : run.cells) {
      const Estimate own = cell.latency();
      if (own.kind != Estimate::Kind::interval) continue;
      for (const Run& other : runs) {
        const Cell* again = &other == &run ? nullptr : other.find(cell.key);
        if (!again || again->latency().kind != Estimate::Kind::interval) continue;
        const double value = again->latency().value;
        ++figures.cases;
        figures.held += own.low <= value && value <= own.high;
      }
    }
  if (runs.empty()) return figures;
  const Experiment& experiment = runs.front().experiment;
  figures.baseline =
      experiment.variants.at(static_cast<std::size_t>(experiment.baselineIndex())).name;
  countRatios(runs, figures);
  for (const Run& run : runs)
    for (const Run& other : runs) figures.drift = std::max(figures.drift, ratioOfTimes(run, other));
  const auto pair = equalVariants(experiment);
  if (!pair) return figures;
  const auto& variants = experiment.variants;
  figures.equal = variants[static_cast<std::size_t>(pair->first)].name;
  figures.twin = variants[static_cast<std::size_t>(pair->second)].name;
  for (const Run& run : runs)
    for (const Cell& cell : run.cells) {
      if (cell.key.variant != pair->first) continue;
      const Cell* twin = run.find({pair->second, cell.key.at});
      if (!twin) continue;
      const Estimate ratio = speedUpOf(pairByRound(cell, *twin));
      if (ratio.kind != Estimate::Kind::interval) continue;
      ++figures.compared;
      figures.different += ratio.low > 1 || ratio.high < 1;
    }
  return figures;
}

std::string sentence(const RepeatFigures& figures) {
  if (figures.cases == 0) return saying("No data point has an interval in two of the runs.");
  std::string text = saying(
      "In {} runs, the interval of one contains the median of another in {:.1f}% of {} cases; "
      "perfect 95% intervals would in 83%.",
      figures.runs, percent(figures.held, figures.cases), figures.cases);
  if (figures.ratioCases > 0)
    text += saying(" Those of speedups over {} do so in {:.1f}% of {}.", figures.baseline,
                   percent(figures.ratiosHeld, figures.ratioCases), figures.ratioCases);
  if (figures.drift > kWorthSaying)
    text += saying(
        " Between two of the runs, all times changed by {:.0f}%: the machine's speed changed, "
        "which an interval from one run cannot cover.",
        100 * (figures.drift - 1));
  if (figures.compared > 0)
    text +=
        saying(" {} and {}, which are equal, were reported as different at {:.1f}% of {} points.",
               figures.equal, figures.twin, percent(figures.different, figures.compared),
               figures.compared);
  return text;
}

}  // namespace fusebench
