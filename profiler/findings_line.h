// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "profiler/run.h"

namespace fusebench {

/// The cells of one variant along the first axis, the second (if any) held at a place; ascending,
/// only those with samples.
struct CurveCells {
  std::vector<const Cell*> cells;
  std::vector<double> x;
  std::vector<Estimate> latency;
  bool empty() const { return cells.empty(); }
  /// Whether every latency has an interval.
  bool hasIntervals() const;
};
CurveCells curveCells(const Run& run, int variant, std::size_t slice);

/// Whether a cell lies at the slice-th value of the second axis; always with one axis.
bool inSlice(const Run& run, const Cell& cell, std::size_t slice);

/// How many times as fast as the baseline a cell is, paired by round; nothing without its baseline.
std::optional<Estimate> speedUpOver(const Cell& baseline, const Cell& cell);

}  // namespace fusebench
