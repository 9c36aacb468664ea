// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/findings_line.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "profiler/analysis/findings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/statistics/student.h"

namespace fusebench {
namespace {
constexpr std::size_t kLinePoints = 4;
constexpr double kStraight = 0.1;  ///< fraction of a place's value and of the curve's span
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
  return speedUpOf(paired);
}

std::vector<Estimate> sampledLatencies(std::span<const Cell* const> cells) {
  std::vector<Estimate> all;
  for (const Cell* cell : cells) {
    all.push_back(cell->sampledLatency());
    // A model's error shifts its curve, and does not bend it.
    if (cell->modelError && !(all.back().low < all.back().high))
      all.back().kind = Estimate::Kind::interval;
  }
  return all;
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

namespace {

/// Half-widths of a line's two numbers from the samples, for the places `from` and later. The
/// interval of a fit covers how far places are from the line, but not effects that move all of them
/// from one process to the next. With enough sessions the line is fitted in each of them, otherwise
/// the places' own intervals are propagated to it.
struct LineWidths {
  double intercept = 0, slope = 0;
};
LineWidths widthsBySamples(std::span<const Cell* const> cells, std::span<const double> x,
                           std::span<const Estimate> y) {
  LineWidths widths;
  std::set<int> sessions;
  for (const Cell* cell : cells)
    for (const Sample& sample : cell->samples) sessions.insert(sample.session);
  std::vector<double> intercepts, slopes;
  for (const int session : sessions) {
    std::vector<double> at, times;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::vector<double> own;
      for (const Sample& sample : cells[i]->samples)
        if (sample.session == session) own.push_back(sample.nanoseconds);
      if (own.empty()) continue;
      at.push_back(x[i]);
      times.push_back(median(own));
    }
    if (at.size() < cells.size()) continue;  // a session that ended before all were measured
    const auto fit = fitLine(at, times);
    if (!fit) continue;
    intercepts.push_back(fit->intercept.value);
    slopes.push_back(fit->slope.value);
  }
  if (slopes.size() >= kTellingSessions) {
    const auto halfWidth = [](const std::vector<double>& values) {
      const double n = static_cast<double>(values.size());
      double mean = 0, squares = 0;
      for (const double value : values) mean += value / n;
      for (const double value : values) squares += (value - mean) * (value - mean);
      return studentQuantile(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    };
    return {halfWidth(intercepts), halfWidth(slopes)};
  }
  const double n = static_cast<double>(x.size());
  double mean = 0, squares = 0;
  for (const double at : x) mean += at / n;
  for (const double at : x) squares += (at - mean) * (at - mean);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double half = (y[i].high - y[i].low) / 2, share = (x[i] - mean) / squares;
    widths.slope = std::hypot(widths.slope, half * share);
    widths.intercept = std::hypot(widths.intercept, half * (1 / n - mean * share));
  }
  return widths;
}

void widen(Estimate& estimate, double half) {
  estimate.low = std::min(estimate.low, estimate.value - half);
  estimate.high = std::max(estimate.high, estimate.value + half);
}

}  // namespace

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
  // One launch more or less does not give a cost per launch.
  if (launches.empty() || launches.back() - launches.front() < 2) return std::nullopt;
  auto part = straightPart(launches, sampledLatencies(cells));
  if (part) {
    const std::size_t first = part->first;
    const LineWidths widths =
        widthsBySamples(std::span<const Cell* const>(cells).subspan(first),
                        std::span(launches).subspan(first), std::span(times).subspan(first));
    widen(part->fit.slope, widths.slope);
    widen(part->fit.intercept, widths.intercept);
  }
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
