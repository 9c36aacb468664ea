// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "profiler/run/run.h"
#include "profiler/statistics/sessions.h"

namespace fusebench {

/// The times of two cells in the rounds that both have, in the order of rounds.
struct PairedSamples {
  std::vector<double> first, second;
  /// Of the cell that was measured in fewer processes: what differs from one of them to the next
  /// differs for all pairs of it.
  std::vector<int> sessions;

  std::vector<double> differences() const;  ///< first - second
};
PairedSamples pairByRound(const Cell& first, const Cell& second);

/// How many times as fast as `baseline` a cell is, over the common rounds; kind none without any.
Estimate speedUpOf(const PairedSamples& paired);
/// What a call of the second takes less than one of the first, ns.
Estimate gainOf(const PairedSamples& paired, double missed = 0.05);

/// How far apart the latencies of two cells are (the slower one's over the other's) over how far
/// two others are, over the rounds that all four have; below 1: closer together. Kind none where
/// the other two are not told apart: no gap is there to be compared with.
Estimate gapOver(const Cell& one, const Cell& other, const Cell& thanOne, const Cell& thanOther);

}  // namespace fusebench
