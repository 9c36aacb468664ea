// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "profiler/analysis/crossings.h"

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

/// What the samples of a place say about baseline - variant: its sign, 0 = no measurable
/// difference.
struct Sign {
  int alone = 0;  ///< by the 95% interval of the place
  /// By an interval that is wider the more places there are, so that among all of them hardly one
  /// is wrong: `alone`, or 0. (Of 36 places at which two curves are equal, two differ "measurably"
  /// at 95%.)
  int amongAll = 0;
};

/// Crossings of two curves when only `signs` count as evidence. A crossing takes a place where the
/// variant is surely behind and one where it is surely ahead; `always`, that it is ahead at every
/// place. Cannot be told apart first, ahead at every place from one on: found there, `fromTie`.
CrossingSearch searchCrossings(const CurvePair& curves, std::span<const Sign> signs);

/// Where the curves cross inside the bracket, by linear interpolation; with several places the
/// middle one. `rising`: the variant gets ahead. If they do not cross in that direction, the end of
/// the bracket towards which the crossing has moved.
double crossingWithin(const CurvePair& curves, Bracket bracket, bool rising);

}  // namespace fusebench
