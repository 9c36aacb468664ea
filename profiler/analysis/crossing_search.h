// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "profiler/analysis/crossings.h"

namespace fusebench {

/// If the ratio of its ends is at least this, charts show an axis in logarithms.
inline constexpr double kWideAxis = 200;

/// How curves run between the points of an axis from `first` to `last`. On a wide axis (elements, a
/// width) times follow power laws, so curves are straight in log-log scale. On a narrow one
/// (statements, a batch) each step adds its time, so curves are straight in linear scale. On a wide
/// axis, a straight line between two points would be far above the true times between them: at
/// twice the width, a matmul takes eight times the time.
bool isWideAxis(double first, double last);

/// Two curves over one axis; the spans have equal length and x ascends.
struct CurvePair {
  std::span<const double> x, baseline, variant;
  bool wide = false;  ///< the axis (isWideAxis); then all values are positive
};

/// The points on both sides of a crossing: the last one with the old sign and the first with the
/// new.
struct Bracket {
  std::size_t first = 0, last = 0;
};

struct CrossingSearch {
  std::vector<Crossing> crossings;  ///< never empty; without labels
  std::vector<Bracket> brackets;    ///< one per crossing; meaningful for found ones
};

/// The sign of baseline - variant by the samples at a point: 0 = no measurable difference.
struct Sign {
  int alone = 0;  ///< by the 95% interval at the point
  /// By an interval that widens with the number of points, so that errors among all of them are
  /// rare: `alone`, or 0. (Of 36 points at which two curves are equal, two differ "measurably" at
  /// 95%.)
  int amongAll = 0;
};

/// Crossings of two curves if only `signs` count as evidence. A crossing needs a point where the
/// variant is certainly behind and one where it is certainly ahead. `always` requires it to be
/// ahead at every point. If the first points are tied and all later ones are ahead, the crossing is
/// found, with `fromTie`.
CrossingSearch searchCrossings(const CurvePair& curves, std::span<const Sign> signs);

/// Where the curves cross inside the bracket, by interpolation (isWideAxis); if they cross several
/// times, the middle crossing. `rising`: the variant gets ahead. If they do not cross in that
/// direction, the end of the bracket towards which the crossing has moved.
double crossingWithin(const CurvePair& curves, Bracket bracket, bool rising);

/// The position at `share` of the way from x0 to x1 along the axis.
double placeBetween(double x0, double x1, double share, bool wide);

}  // namespace fusebench
