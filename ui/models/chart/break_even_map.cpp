// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/break_even_map.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "engine/base/saying.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate kNoEstimate{kNone, kNone, kNone, Estimate::Kind::none};
constexpr qint64 kSliceMilliseconds = 8;  ///< time on the GUI thread per slice

/// Standard deviation of the steps over their mean.
double unevenness(const std::vector<double>& at) {
  const double steps = static_cast<double>(at.size() - 1), mean = (at.back() - at.front()) / steps;
  double sum = 0;
  for (std::size_t i = 1; i < at.size(); ++i) sum += std::pow(at[i] - at[i - 1] - mean, 2);
  return std::sqrt(sum / steps) / mean;
}

bool spacedByRatio(const std::vector<double>& values) {
  if (values.size() < 2 || values.front() <= 0) return false;
  if (values.size() == 2) return values[1] / values[0] >= 32;
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return unevenness(logs) < unevenness(values);
}

bool ended(Stop stop) {
  return stop == Stop::unavailable || stop == Stop::failed;
}

/// For each place the nearest measured one, by steps on the grid including diagonal ones. Squares
/// of one color result, which later places split.
std::vector<std::optional<std::size_t>> nearestMeasured(const BreakEvenMap& map) {
  const std::size_t rows = map.x.values.size(), columns = map.y.values.size();
  std::vector<std::optional<std::size_t>> nearest(map.places.size());
  std::vector<std::size_t> frontier;
  for (std::size_t k = 0; k < map.places.size(); ++k)
    if (map.places[k].state == PlaceState::measured) {
      nearest[k] = k;
      frontier.push_back(k);
    }
  for (std::size_t next = 0; next < frontier.size(); ++next) {
    const std::size_t i = frontier[next] / columns, j = frontier[next] % columns;
    for (std::size_t a = i - std::min<std::size_t>(i, 1); a <= std::min(i + 1, rows - 1); ++a)
      for (std::size_t b = j - std::min<std::size_t>(j, 1); b <= std::min(j + 1, columns - 1); ++b)
        if (const std::size_t k = map.index(a, b); !nearest[k]) {
          nearest[k] = nearest[frontier[next]];
          frontier.push_back(k);
        }
  }
  for (std::size_t k = 0; k < map.places.size(); ++k)
    if (map.places[k].state == PlaceState::hole || map.places[k].state == PlaceState::empty)
      nearest[k].reset();
  return nearest;
}

BreakEvenMap emptyMap(const Run& run, int variant) {
  BreakEvenMap map;
  if (run.experiment.axes.size() != 2) return map;
  map.x = mapAxis(run.experiment.axes[0]);
  map.y = mapAxis(run.experiment.axes[1]);
  map.variant = variant;
  const auto baseline =
      static_cast<std::size_t>(run.experiment.baselineOf(variant).value_or(variant));
  map.baselineName = QString::fromStdString(run.experiment.variants[baseline].name);
  map.variantName =
      QString::fromStdString(run.experiment.variants[static_cast<std::size_t>(variant)].name);
  map.places.resize(map.x.values.size() * map.y.values.size());
  map.source.resize(map.places.size());
  return map;
}

/// The run's cells by variant and place.
std::map<std::pair<int, std::vector<std::int64_t>>, std::size_t> cellIndex(const Run& run) {
  std::map<std::pair<int, std::vector<std::int64_t>>, std::size_t> index;
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    index.emplace(std::pair{run.cells[i].key.variant, run.cells[i].key.at}, i);
  return index;
}

}  // namespace

double MapAxis::coordinate(double value) const {
  if (values.size() < 2) return 0;
  const auto scaled = [this](double v) { return logarithmic ? std::log(v) : v; };
  const double first = scaled(values.front()), last = scaled(values.back());
  return (scaled(value) - first) / (last - first);
}

std::vector<double> MapAxis::coordinates() const {
  std::vector<double> at;
  for (const double value : values) at.push_back(coordinate(value));
  return at;
}

std::vector<double> MapAxis::edges() const {
  const std::vector<double> at = coordinates();
  if (at.size() < 2) return {-0.5, 0.5};
  std::vector<double> edges{at[0] - (at[1] - at[0]) / 2};
  for (std::size_t i = 1; i < at.size(); ++i) edges.push_back((at[i - 1] + at[i]) / 2);
  edges.push_back(at.back() + (at.back() - at[at.size() - 2]) / 2);
  return edges;
}

MapAxis mapAxis(const Axis& axis) {
  MapAxis result;
  result.label = text(wording::axisTitle(axis));
  for (const std::int64_t value : axis.values) result.values.push_back(static_cast<double>(value));
  result.logarithmic = spacedByRatio(result.values);
  return result;
}

Certainty MapPlace::certainty() const {
  if (state != PlaceState::measured || speedUp.kind != Estimate::Kind::interval)
    return Certainty::none;
  return speedUp.low > 1    ? Certainty::faster
         : speedUp.high < 1 ? Certainty::slower
                            : Certainty::unsure;
}

MapPlace comparePlace(const Cell* baseline, const Cell* variant) {
  MapPlace place;
  place.baseline = place.latency = place.speedUp = kNoEstimate;
  for (const auto& [cell, estimate, count] :
       {std::tuple{baseline, &place.baseline, &place.baselineSamples},
        std::tuple{variant, &place.latency, &place.samples}}) {
    if (!cell || cell->samples.empty()) continue;
    *estimate = cell->latency();
    *count = cell->samples.size();
  }
  if (baseline && variant)
    if (const auto ratio = speedUp(*baseline, *variant)) {
      place.speedUp = *ratio;
      if (std::isfinite(ratio->value) && ratio->value > 0) place.state = PlaceState::measured;
    }
  if (place.state == PlaceState::measured) return place;
  if (baseline && variant && (!isModeled(*baseline) || !isModeled(*variant))) {
    place.state = PlaceState::hole;
    place.problem = uiText("The simulated device does not model what determines these times.");
    return place;
  }
  for (const Cell* cell : {variant, baseline})
    if (cell && ended(cell->stop)) {
      place.state = PlaceState::hole;
      place.problem = QString::fromStdString(cell->error.value_or(saying("no reason was given")));
      return place;
    }
  for (const Cell* cell : {variant, baseline})
    if (cell && cell->samples.empty() && cell->stop != Stop::running)
      place.state = PlaceState::empty;
  return place;
}

void finishMap(BreakEvenMap& map) {
  if (map.empty()) return;
  map.source = nearestMeasured(map);
  ContourGrid grid;
  grid.x = map.x.coordinates();
  grid.y = map.y.coordinates();
  for (const MapPlace& place : map.places) {
    grid.state.push_back(place.state);
    grid.value.push_back(std::log(place.speedUp.value));
    grid.low.push_back(std::log(place.speedUp.low));
    grid.high.push_back(std::log(place.speedUp.high));
  }
  map.contours = contoursAtZero(grid);
}

BreakEvenMap breakEvenMap(const Run& run, int variant) {
  BreakEvenMap map = emptyMap(run, variant);
  if (map.empty()) return map;
  const auto index = cellIndex(run);
  const auto cell = [&](int of, std::size_t k) -> const Cell* {
    const auto found = index.find({of,
                                   {run.experiment.axes[0].values[k / map.y.values.size()],
                                    run.experiment.axes[1].values[k % map.y.values.size()]}});
    return found == index.end() ? nullptr : &run.cells[found->second];
  };
  const int baseline = run.experiment.baselineOf(variant).value_or(variant);
  for (std::size_t k = 0; k < map.places.size(); ++k)
    map.places[k] = comparePlace(cell(baseline, k), cell(variant, k));
  finishMap(map);
  return map;
}

BreakEvenMapModel::BreakEvenMapModel(const RunModel& run, QObject* parent)
    : QObject(parent), run_(run) {
  work_.setInterval(0);
  connect(&work_, &QTimer::timeout, this, &BreakEvenMapModel::work);
  connect(&run, &RunModel::runReset, this, &BreakEvenMapModel::reset);
  connect(&run, &RunModel::cellsChanged, this, &BreakEvenMapModel::refresh);
  reset();
}

bool BreakEvenMapModel::oneAxisOnly() const {
  return run_.run() && run_.run()->experiment.axes.size() < 2;
}

void BreakEvenMapModel::reset() {
  std::vector<int> variants;
  if (const Run* run = run_.run(); run && run->experiment.axes.size() == 2)
    for (int v = 0; v < static_cast<int>(run->experiment.variants.size()); ++v)
      if (run->experiment.baselineOf(v)) variants.push_back(v);
  const bool kept = std::find(variants.begin(), variants.end(), map_.variant) != variants.end();
  variants_ = std::move(variants);
  setVariant(kept ? map_.variant : variants_.empty() ? -1 : variants_.front());
  emit variantsChanged();
}

void BreakEvenMapModel::setVariant(int variant) {
  map_ = {};
  links_.clear();
  const Run* run = run_.run();
  if (run && std::find(variants_.begin(), variants_.end(), variant) != variants_.end()) {
    map_ = emptyMap(*run, variant);
    const auto index = cellIndex(*run);
    const auto find = [&](int of, const std::vector<std::int64_t>& at) {
      const auto found = index.find({of, at});
      return found == index.end() ? run->cells.size() : found->second;
    };
    const int baseline = run->experiment.baselineOf(variant).value_or(variant);
    for (const std::int64_t x : run->experiment.axes[0].values)
      for (const std::int64_t y : run->experiment.axes[1].values)
        links_.push_back({find(baseline, {x, y}), find(variant, {x, y})});
  }
  next_ = 0;
  again_ = false;
  emit changed();
  refresh();
}

void BreakEvenMapModel::refresh() {
  if (map_.empty()) return work_.stop();
  again_ = work_.isActive();
  if (!again_) next_ = 0;
  work_.start();
}

void BreakEvenMapModel::work() {
  const Run* run = run_.run();
  if (!run || map_.empty()) return work_.stop();
  QElapsedTimer clock;
  clock.start();
  for (; next_ < links_.size() && clock.elapsed() < kSliceMilliseconds; ++next_) {
    Link& link = links_[next_];
    const auto cell = [&](std::size_t i) {
      return i < run->cells.size() ? &run->cells[i] : nullptr;
    };
    const Cell *baseline = cell(link.baseline), *variant = cell(link.variant);
    const std::size_t samples =
        (baseline ? baseline->samples.size() : 0) + (variant ? variant->samples.size() : 0);
    const Stop baselineStop = baseline ? baseline->stop : Stop::running;
    const Stop stop = variant ? variant->stop : Stop::running;
    if (samples == link.samples && stop == link.stop && baselineStop == link.baselineStop) continue;
    link = {link.baseline, link.variant, samples, baselineStop, stop};
    map_.places[next_] = comparePlace(baseline, variant);
  }
  if (next_ < links_.size()) return;
  next_ = 0;
  if (!again_) work_.stop();
  again_ = false;
  finishMap(map_);
  emit changed();
}

}  // namespace fusebench

#include "moc_break_even_map.cpp"
