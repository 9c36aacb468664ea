// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fusebench {

/// The times of a data point in one run, by session.
using TimesBySession = std::vector<std::vector<double>>;

/// Splits times by session; times of one session are consecutive.
TimesBySession timesBySession(std::span<const double> times, std::span<const int> sessions);

/// The lower decile, which represents a session when times of two days are compared. Another
/// program that uses the processor makes samples longer, never shorter, so the fast end of a
/// session varies less than its median.
inline constexpr double kFastShare = 0.1;

/// The number of samples that a session of these runs needs to be counted: five, and half of the
/// median session's number; 1 if fewer than kTellingSessions have that many.
std::size_t leastSamples(std::span<const TimesBySession> runs);

/// The quantile that represents each counted session of these runs: kFastShare, or more if the
/// smallest one has too few samples for it. Both sides of a comparison need the same quantile,
/// because the minimum of few samples is larger than that of many.
double fastShare(std::span<const TimesBySession> runs);

/// The quantile that is median-unbiased for any distribution: R. J. Hyndman and Y. Fan, "Sample
/// quantiles in statistical packages", The American Statistician 50 (1996), definition 8. Empty
/// `values` give NaN.
double quantileAt(std::vector<double> values, double share);

/// The natural logarithm of the quantile of each session that has `least` samples or more.
std::vector<double> sessionLogs(const TimesBySession& run, double share, std::size_t least);

}  // namespace fusebench
