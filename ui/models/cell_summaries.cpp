// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/cell_summaries.h"

#include "ui/models/comparison.h"

namespace fusebench {
namespace {
constexpr std::size_t kDriftSamples = 16;  // fewer do not tell drift from noise
}

CellSummaries::Mark CellSummaries::markOf(const Cell& cell) {
  if (cell.samples.empty()) return {};
  return {cell.samples.size(), cell.samples.front().nanoseconds, cell.samples.back().nanoseconds};
}

void CellSummaries::update(const Run& run) {
  entries_.resize(run.cells.size());
  computed_ = 0;
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    const Cell& cell = run.cells[i];
    const Cell* baseline = baselineOf(run, cell);
    if (baseline == &cell) baseline = nullptr;
    Entry& entry = entries_[i];
    const Mark own = markOf(cell), other = baseline ? markOf(*baseline) : Mark{};
    if (entry.known && entry.own == own && entry.baseline == other) continue;
    ++computed_;
    if (!entry.known || entry.own != own) {
      entry.summary.latency = cell.samples.empty() ? Estimate{} : cell.latency();
      entry.summary.drifted = cell.samples.size() >= kDriftSamples && cell.driftedDuring();
    }
    entry.summary.speedUp = baseline ? speedUp(*baseline, cell) : std::nullopt;
    entry.own = own;
    entry.baseline = other;
    entry.known = true;
  }
}

}  // namespace fusebench
