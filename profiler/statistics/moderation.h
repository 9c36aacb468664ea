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
  double degrees = 0;  ///< degrees of freedom
  double weight = 1;   ///< number of samples or sessions that the median is based on

  /// Half-width over median of the interval, had it this variance averaged with the typical one by
  /// their degrees, and Student's quantile for those of the two that has more.
  double moderatedPrecision(const Spread& typical) const;
};

/// The spread behind the median's interval of these samples; none where there is no interval, where
/// it has no width, or where the median is not positive.
std::optional<Spread> spreadOf(std::span<const double> samples, std::span<const int> sessions);

/// The center about which the variances of cells that were measured together scatter, and how many
/// degrees of freedom this is worth compared with a cell's own: all where they differ by no more
/// than chance, none where each cell is of its own kind. By moments of the variances' logarithms:
/// G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression",
/// Stat. Appl. Genet. Mol. Biol. 3 (2004), section 6.2. With fewer than kFewestSpreads cells:
/// nothing, 0 degrees.
Spread typicalSpread(std::span<const Spread> cells);
inline constexpr std::size_t kFewestSpreads = 4;

}  // namespace fusebench
