// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "profiler/statistics/statistics.h"

namespace fusebench {

/// An estimated variance: relative to the median, of one sample or, if an interval is over
/// sessions, of one session.
struct Spread {
  double variance = 0;
  double degrees = 0;  ///< degrees of freedom
  double weight = 1;   ///< number of samples or sessions that the median is based on

  /// Half-width divided by median that the interval would have with this variance averaged with the
  /// typical one by their degrees of freedom, and with Student's quantile for the larger of the
  /// two.
  double moderatedPrecision(const Spread& typical) const;
};

/// The variance behind the median's interval of these samples; none if there is no interval, if it
/// has no width, or if the median is not positive.
std::optional<Spread> spreadOf(std::span<const double> samples, std::span<const int> sessions);

/// The center around which the variances of cells that were measured together scatter, and how many
/// degrees of freedom it is worth compared with a cell's own: all if they differ only by chance,
/// none if they are unrelated. By moments of the variances' logarithms: G. K. Smyth, "Linear models
/// and empirical Bayes methods for assessing differential expression", Stat. Appl. Genet. Mol.
/// Biol. 3 (2004), section 6.2. With fewer than kFewestSpreads cells: nothing, 0 degrees.
Spread typicalSpread(std::span<const Spread> cells);
inline constexpr std::size_t kFewestSpreads = 4;

}  // namespace fusebench
