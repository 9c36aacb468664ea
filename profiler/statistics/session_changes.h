// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fusebench {

/// The times of one data point before and after a change: for each session, the natural logarithm
/// of its median time. Each of the two lists needs at least kTellingSessions values.
struct SessionTimes {
  std::vector<double> before, now;
};

/// How much longer a data point takes now, as the natural logarithm of the ratio of its times.
struct SessionChange {
  double change = 0;     ///< sessionMean() now, minus that before
  double low = 0;        ///< ends of the simultaneous interval
  double high = 0;       ///< its other end
  double halfWidth = 0;  ///< of the interval
};

/// The mean without the lowest and the highest eighth of the values (rounded down, so with fewer
/// than 8 all are included). NaN if there are none.
double sessionMean(std::span<const double> logs);

/// The changes of all data points that were measured in the same runs, with simultaneous intervals:
/// all of them contain the true change with at least the probability 1 - missed.
///
/// Each is Yuen's t interval over sessions: means without the extremes, and the variances of what
/// is left with the extremes pulled in (K. K. Yuen, "The two-sample trimmed t for unequal
/// population variances", Biometrika 61, 1974). So a session in which the machine was busy with
/// something else neither moves nor widens the interval by much. One value per session makes
/// samples of one process count as one observation, however alike they are.
/// - The m intervals each miss with missed / m (Bonferroni; O. J. Dunn, "Multiple comparisons among
///   means", JASA 56, 1961), which needs no assumption on how the data points depend on each other.
/// - The variance between sessions is averaged with that of the other data points by the weights of
///   typicalSpread() (Smyth 2004, empirical Bayes), so that a few sessions that happen to agree do
///   not make a narrow interval. Degrees of freedom are those of the larger of the two.
/// - Where the two sides have different numbers of sessions and scatter differently, all variances
///   grow by the median ratio of Welch's variance to the pooled one (B. L. Welch, Biometrika 34,
///   1947).
std::vector<SessionChange> sessionChanges(std::span<const SessionTimes> points, double missed);

}  // namespace fusebench
