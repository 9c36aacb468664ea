// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/run/run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "profiler/statistics/sessions.h"

namespace fusebench {

bool Run::isOfGpu() const {
  if (!isSimulated()) return device != "cpu";
  if (environment.is_object())
    if (const auto kind = environment.find(kSimulatedKind); kind != environment.end())
      return *kind != "cpu";
  return !device.starts_with("sim:one-core");  // runs of before the kind was recorded
}

std::optional<double> Run::modelError() const {
  if (!isSimulated() || !environment.is_object()) return std::nullopt;
  const auto error = environment.find(kModelError);
  if (error == environment.end() || !error->is_number()) return std::nullopt;
  const double value = error->get<double>();
  return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

bool Run::isExact() const {
  if (!isSimulated() || !environment.is_object()) return false;
  const auto exact = environment.find(kModelExact);
  return exact != environment.end() && *exact == true;
}

void Run::takeModelError() {
  const std::optional<double> error = modelError();
  for (Cell& cell : cells) cell.modelError = error;
}

Estimate withModelError(Estimate estimate, double relativeError) {
  if (estimate.kind == Estimate::Kind::none) return estimate;
  if (!(estimate.low < estimate.high)) estimate.kind = Estimate::Kind::interval;
  const double half = relativeError * std::abs(estimate.value);
  estimate.low = estimate.value - std::hypot(estimate.value - estimate.low, half);
  estimate.high = estimate.value + std::hypot(estimate.high - estimate.value, half);
  return estimate;
}

std::string_view name(Stop stop) {
  constexpr std::array<std::string_view, 8> kNames = {
      "running", "converged", "cap", "budget", "coarse", "interrupted", "unavailable", "failed"};
  return kNames[static_cast<std::size_t>(stop)];
}

std::vector<double> Cell::times() const {
  std::vector<double> all;
  all.reserve(samples.size());
  for (const Sample& sample : samples) all.push_back(sample.nanoseconds);
  return all;
}

std::vector<int> Cell::sessions() const {
  std::vector<int> all;
  all.reserve(samples.size());
  for (const Sample& sample : samples) all.push_back(sample.session);
  return all;
}

std::size_t Cell::sessionCount() const {
  return samples.empty() ? 0 : countSessions(sessions());
}

Estimate Cell::sampledLatency() const {
  Estimate estimate = medianOfTimes(times(), sessions());
  if (estimate.kind == Estimate::Kind::interval) {
    const double half = leastPrecision * estimate.value;
    estimate.low = std::max(0.0, std::min(estimate.low, estimate.value - half));
    estimate.high = std::max(estimate.high, estimate.value + half);
  }
  return estimate;
}

Estimate Cell::latency() const {
  const Estimate estimate = sampledLatency();
  return modelError ? withModelError(estimate, *modelError) : estimate;
}

Estimate Cell::deviceTime(double DeviceTimes::*which) const {
  std::vector<double> all;
  std::vector<int> from;
  for (const Sample& sample : samples)
    if (sample.device && isMeasured(*sample.device, which)) {
      all.push_back((*sample.device).*which);
      from.push_back(sample.session);
    }
  if (all.empty()) return {};
  const Estimate estimate = medianOfTimes(all, from);
  return modelError ? withModelError(estimate, *modelError) : estimate;
}

Estimate Cell::clockMegahertz() const {
  std::vector<double> all;
  for (const Sample& sample : samples)
    if (sample.clockMegahertz > 0) all.push_back(sample.clockMegahertz);
  if (all.empty()) return {};
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return {median(all), *low, *high, Estimate::Kind::range};
}

bool Cell::driftedDuring() const {
  return drifted(times(), sessions());
}

double Run::markNanoseconds() const {
  std::vector<double> costs;
  for (const Cell& cell : cells)
    if (cell.anatomy) costs.push_back(cell.anatomy->stampNanoseconds);
  return costs.empty() ? 0 : median(costs);
}

const Cell* Run::find(const CellKey& key) const {
  // A run has its experiment's cells in their order; one that was put together otherwise is
  // searched.
  if (const auto index = indexOfCell(experiment, key);
      index && *index < cells.size() && cells[*index].key == key)
    return &cells[*index];
  for (const Cell& cell : cells)
    if (cell.key == key) return &cell;
  return nullptr;
}

bool isOfRounding(const Run& run, const Cell& cell, double error) {
  // Sums in another order round otherwise than one after the other.
  constexpr double kOrders = 32;
  for (const Cell& other : run.cells)
    if (other.roundingError && other.key.at == cell.key.at &&
        error <= kOrders * *other.roundingError)
      return true;
  return false;
}

const Cell* mostDifferentFromTorch(const Run& run) {
  const Cell* most = nullptr;
  for (const Cell& cell : run.cells)  // not a number is worse than any number
    if (cell.torchDifference && (!most || !(*cell.torchDifference <= *most->torchDifference)))
      most = &cell;
  return most;
}

}  // namespace fusebench
