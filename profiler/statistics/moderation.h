// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "profiler/statistics/statistics.h"

namespace fusebench {

/// A variance that was estimated: relative to the median, of one sample or, where an interval is
/// over sessions, of one session.
struct Spread {
  double variance = 0;
  double degrees = 0;  ///< of freedom
  double weight = 1;   ///< how many samples or sessions the median is of

  /// Half-width over median of the interval, had it this variance averaged with the typical one by
  /// their degrees, and Student's quantile for those of the two that has more.
  double moderatedPrecision(const Spread& typical) const;
};

/// That which the median's interval of these samples was made of; none where there is no interval,
/// where it has no width, or where the median is not positive.
std::optional<Spread> spreadOf(std::span<const double> samples, std::span<const int> sessions);

/// What the variances of cells that were measured side by side scatter about, and how many degrees
/// this is worth beside a cell's own: all where they differ by no more than chance, none where each
/// cell is of its own kind. By moments of the variances' logarithms: G. K. Smyth, "Linear models
/// and empirical Bayes methods for assessing differential expression", Stat. Appl. Genet. Mol.
/// Biol. 3 (2004), section 6.2. Of fewer than kFewestSpreads: nothing, 0 degrees.
Spread typicalSpread(std::span<const Spread> cells);
inline constexpr std::size_t kFewestSpreads = 4;

}  // namespace fusebench
