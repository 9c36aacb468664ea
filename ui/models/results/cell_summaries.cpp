// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/cell_summaries.h"

#include <algorithm>

#include "profiler/analysis/paired_samples.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {
constexpr std::size_t kDriftSamples = 16;  // fewer do not tell drift from noise
}

CellSummaries::Mark CellSummaries::markOf(const Cell& cell) {
  if (cell.samples.empty()) return {};
  const Sample& last = cell.samples.back();
  // A device's own times count, too: the same latencies may come with others.
  const double device = last.device ? last.device->enqueue + last.device->event +
                                          last.device->single + last.device->device
                                    : 0;
  return {cell.samples.size(), cell.samples.front().nanoseconds, last.nanoseconds + device};
}

void CellSummaries::update(const Run& run) {
  entries_.resize(run.cells.size());
  computed_ = 0;
  for (std::size_t i = 0; i < run.cells.size(); ++i) updateCell(run, i);
}

void CellSummaries::update(const Run& run, const std::vector<int>& changed) {
  if (entries_.size() != run.cells.size()) return update(run);
  computed_ = 0;
  const std::size_t variants = run.experiment.variants.size();
  std::vector<bool> comparedWith(variants);
  for (std::size_t v = 0; v < variants; ++v)
    if (const auto baseline = run.experiment.baselineOf(static_cast<int>(v)))
      comparedWith[static_cast<std::size_t>(*baseline)] = true;
  for (const int index : changed) {
    const auto at = static_cast<std::size_t>(index);
    updateCell(run, at);
    if (!comparedWith[static_cast<std::size_t>(run.cells[at].key.variant)]) continue;
    // All that are compared with it: variants are innermost.
    const std::size_t first = at - at % variants;
    for (std::size_t i = first; i < std::min(first + variants, run.cells.size()); ++i)
      updateCell(run, i);
  }
}

void CellSummaries::updateCell(const Run& run, std::size_t at) {
  const Cell& cell = run.cells[at];
  const Cell* const baseline = baselineOf(run, cell);
  Entry& entry = entries_[at];
  const Mark own = markOf(cell), other = baseline ? markOf(*baseline) : Mark{};
  if (entry.known && entry.own == own && entry.baseline == other) return;
  ++computed_;
  if (!entry.known || entry.own != own) {
    entry.summary.latency = cell.samples.empty() ? Estimate{} : cell.latency();
    entry.summary.drifted = cell.samples.size() >= kDriftSamples && cell.driftedDuring();
    entry.summary.device.reset();
    if (cell.hasDeviceTimes())
      entry.summary.device = DeviceEstimates{
          cell.deviceTime(&DeviceTimes::enqueue), cell.deviceTime(&DeviceTimes::event),
          cell.deviceTime(&DeviceTimes::single), cell.deviceTime(&DeviceTimes::device)};
  }
  entry.summary.speedUp = baseline ? speedUp(*baseline, cell) : std::nullopt;
  entry.summary.ratioOfMedians.reset();
  if (entry.summary.speedUp)
    entry.summary.ratioOfMedians = baseline->latency().value / entry.summary.latency.value;
  entry.own = own;
  entry.baseline = other;
  entry.known = true;
}

bool hasHeldTimes(const Run& run) {
  return std::ranges::any_of(run.cells, [](const Cell& cell) {
    return std::ranges::any_of(cell.samples, [](const Sample& sample) {
      return sample.device && isMeasured(*sample.device, &DeviceTimes::device);
    });
  });
}

}  // namespace fusebench
