// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "profiler/statistics/statistics.h"

namespace fusebench {

/// How many times the median of `a` the median of `b` is, with a 95% interval,
/// for samples taken independently of each other (two runs: their rounds do not
/// pair). Distribution-free but for a normal approximation to the logarithms of
/// the medians:
///   exp(ln(median b / median a) +- 1.96 sqrt(va + vb)),
///   v = ((ln y(n-c+1) - ln y(c)) / 2z)^2, c = (n+1)/2 - sqrt(n) rounded, at
///   least 1, z = the normal quantile of 1 - P(Binomial(n, 1/2) < c)
/// where y(k) is the k-th smallest of n samples. (Price and Bonett,
/// "Distribution-free confidence intervals for difference and ratio of
/// medians", Journal of Statistical Computation and Simulation 72(2), 2002.)
/// The interval covers the noise within the samples, not what differs between
/// two occasions. Times must be positive: else, or where a span is empty, kind
/// `none`. Fewer than 6 on either side: kind `range`, from the smallest to the
/// largest ratio of any two.
Estimate unpairedRatio(std::span<const double> a, std::span<const double> b);

/// Standard error of the logarithm of the samples' median, by the formula
/// above; ascending, positive, not empty.
double logMedianError(std::span<const double> sorted);

}  // namespace fusebench
