// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench {

/// The cells of one variant along the first axis, at one value of the second axis, if any;
/// ascending, only those with samples.
struct CurveCells {
  std::vector<const Cell*> cells;
  std::vector<double> x;
  std::vector<Estimate> latency;
  bool empty() const { return cells.empty(); }
  /// Whether every latency has an interval.
  bool hasIntervals() const;
};
CurveCells curveCells(const Run& run, int variant, std::size_t slice);

/// The cells' samples without a model's error: they determine whether curves are straight or bent.
std::vector<Estimate> sampledLatencies(std::span<const Cell* const> cells);

/// The part of a curve that is a straight line: all of it, or all except a few points at its start.
struct StraightPart {
  LineFit fit;
  std::size_t first = 0;  ///< point at which it begins
};
/// Nothing if there is no straight part. It needs an interval at each point and at least four
/// points, and the line must pass each point within the distance that its interval and the size of
/// the curve allow. Every statement about a line, in words or as a stroke, uses this.
std::optional<StraightPart> straightPart(std::span<const double> x, std::span<const Estimate> y);

/// The cost of a launch, by the straight part of time over launches; nothing unless the launches
/// differ and the slope's interval is above 0.
std::optional<LaunchModel> launchModel(const std::string& variant, std::vector<const Cell*> cells);

/// Whether a cell is at the slice-th value of the second axis; always with one axis.
bool inSlice(const Run& run, const Cell& cell, std::size_t slice);

/// The speedup of a cell over the baseline, paired by round; nothing without its baseline.
std::optional<Estimate> speedUpOver(const Cell& baseline, const Cell& cell);

}  // namespace fusebench
