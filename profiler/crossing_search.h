// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "profiler/crossings.h"

namespace fusebench {

/// Two curves over one axis; the spans have equal length and x ascends.
struct CurvePair {
  std::span<const double> x, baseline, variant;
};

/// The points between which a crossing lies: the last one with the old sign and the first with the
/// new.
struct Bracket {
  std::size_t first = 0, last = 0;
};

struct CrossingSearch {
  std::vector<Crossing> crossings;  ///< never empty; not labelled
  std::vector<Bracket> brackets;    ///< one per crossing; meaningful for found ones
};

/// Crossings of two curves when only `signs` (of baseline - variant; 0 = no measurable difference)
/// count as evidence. Ties at the ends of the axis belong to the sign next to them.
CrossingSearch searchCrossings(const CurvePair& curves, std::span<const int> signs);

/// Where the curves cross inside the bracket, by linear interpolation; with several places the
/// middle one. `rising`: the variant gets ahead. If they do not cross in that direction, the end of
/// the bracket towards which the crossing has moved.
double crossingWithin(const CurvePair& curves, Bracket bracket, bool rising);

}  // namespace fusebench
