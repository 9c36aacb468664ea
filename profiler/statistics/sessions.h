// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "profiler/statistics/statistics.h"

namespace fusebench {

/// Intervals of samples that depend on each other. Samples are in the order in which they were
/// taken; `sessions` has for each its session, the life of one worker process, and is empty where
/// all are of one. Samples of one session follow each other.
///
/// The median's interval is Woodruff's for clustered samples ("Confidence intervals for medians and
/// other position measures", JASA 47, 1952): with c groups of samples, d_g the number of a group's
/// samples below the median less half of their number, n samples in all,
///   e^2 = max(c / (c - 1) sum d_g^2 / n^2, 1 / 4n)
/// with one or two sessions no less than (1 + r) / (1 - r) / 4n, r the serial correlation, and the
/// ends are the samples at the ranks n (1/2 -+ t e), t Student's quantile for c - 1 degrees. Groups
/// are the sessions, so that serial correlation and differences between processes are included.
/// With one or two sessions, up to 8 blocks of consecutive samples are the groups: then it holds
/// within that process. Where sessions are so far apart that a rank falls outside of the samples,
/// that end is the mean of the sessions' medians -+ t times its standard error.
///
/// The quantile is that of 97% for the so-called 95% interval: with it the interval covers at least
/// 93% after the stopping rule has looked at it, whatever the reason of stopping (the table of
/// `fusebench-cli check-statistics`), except for rare cells that docs/statistics.md counts.
Estimate medianOverSessions(std::span<const double> samples, std::span<const int> sessions,
                            double missed = 0.05);

/// The same for times, which are never below 0: their interval does not begin below 0 either,
/// however much a few sessions differ.
Estimate medianOfTimes(std::span<const double> samples, std::span<const int> sessions);

/// exp of that of ln a_i - ln b_i: the ratio of a to b. Spans of equal length.
Estimate pairedRatio(std::span<const double> a, std::span<const double> b,
                     std::span<const int> sessions, double missed = 0.05);

/// The degrees of freedom of Student's quantile for the half-width of such an interval, and the
/// number of groups.
struct IntervalBasis {
  std::size_t degrees = 0;  ///< degrees of freedom
  std::size_t weight = 0;   ///< sessions, or samples if one session does not represent others
};
IntervalBasis intervalBasis(std::size_t count, std::span<const int> sessions);
/// The half-width of a 95% interval in standard errors.
double intervalQuantile(std::size_t degrees);

/// The correlation of each sample with the previous one in its session, judged by the side of the
/// median that they are on, so that a few late samples do not dominate it.
double serialCorrelation(std::span<const double> samples, std::span<const int> sessions,
                         double median);

std::size_t countSessions(std::span<const int> sessions);  ///< 1 if empty

/// With this number of sessions or more, an interval is also valid for other processes.
inline constexpr std::size_t kTellingSessions = 3;

/// The ratio of `b` to `a`, from two independent estimates: the half-widths of the logarithms add
/// in quadrature (Zou and Donner, "Construction of confidence limits about effect measures",
/// Statistics in Medicine 27, 2008). Kind `none` unless all values are positive; `range`, from the
/// smallest to the largest ratio, unless both are intervals.
Estimate ratioOf(const Estimate& a, const Estimate& b);

}  // namespace fusebench
