// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fusebench {

/// The times of a data point in one run, by session.
using TimesBySession = std::vector<std::vector<double>>;

/// Splits times by their sessions; times of one session follow each other.
TimesBySession timesBySession(std::span<const double> times, std::span<const int> sessions);

/// The lower decile: what stands for a session where times of two days are compared. Another
/// program that takes the processor away makes samples longer, never shorter, so the fast end of a
/// session varies less than its median.
inline constexpr double kFastShare = 0.1;

/// The number of samples that a session of these runs needs to count: five, and half of those of
/// the median session; 1 if fewer than kTellingSessions have as many.
std::size_t leastSamples(std::span<const TimesBySession> runs);

/// The share of the quantile that stands for each session of these runs that counts: kFastShare, or
/// more where the smallest one is too small for it. Both sides of a comparison need the same share,
/// because the minimum of few samples is larger than that of many.
double fastShare(std::span<const TimesBySession> runs);

/// The quantile that is median-unbiased whatever the distribution: R. J. Hyndman and Y. Fan,
/// "Sample quantiles in statistical packages", The American Statistician 50 (1996), definition 8.
/// Empty `values` give NaN.
double quantileAt(std::vector<double> values, double share);

/// The natural logarithm of the quantile of each session that has `least` samples or more.
std::vector<double> sessionLogs(const TimesBySession& run, double share, std::size_t least);

}  // namespace fusebench
