// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// How a study's time is divided.
struct TimePlan {
  double compileSeconds = 0;   ///< for compile measuring, all cells together
  double samplingSeconds = 0;  ///< from the first round on
  double traceSeconds = 0;     ///< for the traced pass; a cell that has begun is finished
  double totalSeconds = 0;  ///< sampling ends here at the latest, however long the preparation took
};
/// The sampling budget is the experiment's, a tenth of it (at least a second) when quick; compiling
/// gets 40% of that on top, the traced pass 20%.
TimePlan planTime(const MeasureSettings& settings, bool quick);

/// The running cells in the order in which this round measures them; the order changes every round.
std::vector<std::size_t> roundOrder(std::span<const Cell> cells, std::uint64_t seed, int round);

/// For each of `count` points along an axis, the level of bisection that reaches it: 0 for both
/// ends, 1 for the middle (rounded down), 2 for the middles of the halves, and so on.
std::vector<int> bisectionLevels(std::size_t count);

/// The running cells from coarse to fine, for preparing and for a first `coarse` fill: the corners
/// of the axes' space first, then its center and the middles of its edges, then the same within
/// each quarter. The variants of a point stay together, in their order, so that each point can be
/// compared as soon as it is reached; after each level the points form a grid.
std::vector<std::size_t> fillOrder(const Experiment& experiment, std::span<const Cell> cells);

/// Estimated number of further samples that the stopping rule needs, from how the interval has
/// shrunk so far.
int samplesToGo(const Cell& cell, const StoppingRule& rule);

/// The same order by points: each with the cells of all its variants.
std::vector<std::vector<std::size_t>> fillPoints(const Experiment& experiment,
                                                 std::span<const Cell> cells);

/// How much more there is to compute at one point than at another, estimated from the axis values:
/// the product of the ratios of those values that are above 0, and at least 1.
double growthBetween(const CellKey& from, const CellKey& to);

/// Minimum seconds for kLeastSamples of each cell of this run's experiment, estimated from the
/// run's data. A cell without samples counts with the mean of its variant (of all, if that has
/// none). Nothing if too few were measured for an estimate.
std::optional<double> leastSeconds(const Run& known);

/// The share of a study's time that is over, computed from estimates of the remaining time. It
/// never decreases, and between estimates it advances as if the last one were right: a wrong
/// estimate costs at most the time for which it was used.
class TimeShare {
 public:
  explicit TimeShare(double start = 0) : last_(start) {}
  /// `left`: seconds left at that time, as far as known.
  double at(double seconds, double left);

 private:
  double last_, share_ = 0;
};

StoppingRule ruleOf(const MeasureSettings& settings);

}  // namespace fusebench
