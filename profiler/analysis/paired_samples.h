// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run/run.h"
#include "profiler/statistics/sessions.h"

namespace fusebench {

/// The times of two cells in the rounds that both have, in the order of rounds.
struct PairedSamples {
  std::vector<double> first, second;
  /// Sessions of the cell that was measured in fewer processes: a difference between two of them
  /// affects all of its pairs.
  std::vector<int> sessions;
  /// The models' relative errors of simulated cells. They are taken as independent, so they add as
  /// squares. Nothing: the times were measured.
  std::optional<double> firstError{}, secondError{};

  /// Whether a model computed the times of either.
  bool isOfModel() const { return firstError || secondError; }
  std::vector<double> differences() const;  ///< first - second
};
PairedSamples pairByRound(const Cell& first, const Cell& second);

/// The cell of the compared variant (Experiment::baselineOf) at the same point; null if there is no
/// baseline, or its cell is missing. Takes constant time for a cell of run.cells.
const Cell* baselineOf(const Run& run, const Cell& cell);

/// Whether a simulated cell's time includes everything that matters to it; true for measured cells.
inline bool isModeled(const Cell& cell) {
  return cell.notModeled.empty();
}

/// Whether a cell is compared with a baseline, and the time of either comes from a model that omits
/// something that matters.
bool lacksModel(const Run& run, const Cell& cell);

/// The speedup of a cell over its baseline, from the rounds that both have; nothing without a
/// baseline or such a round, or if the model of either omits something that matters.
std::optional<Estimate> speedUpOf(const Run& run, const Cell& cell);
/// The speedup of a cell over `baseline`, over the common rounds; kind none without any.
Estimate speedUpOf(const PairedSamples& paired);
/// The time that a call of the second saves compared with one of the first, ns.
Estimate gainOf(const PairedSamples& paired, double missed = 0.05);

/// The ratio of two cells' latencies (the slower one's over the other's) relative to the ratio of
/// two others', over the rounds that all four have; below 1: the gap is smaller. Kind none if the
/// other two cannot be distinguished: then there is no gap to compare with.
Estimate gapOver(const Cell& one, const Cell& other, const Cell& thanOne, const Cell& thanOther);

}  // namespace fusebench
