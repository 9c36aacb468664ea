// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fusebench {

/// A value with a 95% interval. With too few samples there is no interval: then low and high are
/// the range, and `kind` states this.
struct Estimate {
  enum class Kind : std::uint8_t { none, range, interval };
  double value = 0;
  double low = 0;
  double high = 0;
  Kind kind = Kind::none;
};

/// Median of the samples (mean of the middle two for an even count); NaN if there are none.
double median(std::span<const double> samples);

/// For independent samples: the median with the distribution-free 95% interval from order
/// statistics: the values at ranks floor((m - 1.96 sqrt m) / 2) and ceil(1 + (m + 1.96 sqrt m) / 2)
/// for m >= 8; minimum and maximum for 6 and 7; below that the range only. (Normal approximation to
/// the binomial; e.g. Conover, Practical Nonparametric Statistics, 3.2.)
Estimate medianInterval(std::span<const double> samples);

/// exp(median(ln a_i - ln b_i)) over paired samples with the same kind of interval: the ratio of a
/// to b. Spans of equal length.
Estimate pairedRatio(std::span<const double> a, std::span<const double> b);

/// Two-sided p-value of the sign test: the probability, if the median were 0, that the signs of the
/// values are at least as unbalanced. Zeros do not count; 1 without other values. Exact.
double signTest(std::span<const double> values);

/// Whether the medians of the first and the second half differ by more than their joint half-width.
/// `sessions`: see sessions.h.
bool drifted(std::span<const double> samples, std::span<const int> sessions = {});

/// A least-squares line y = intercept + slope x with 95% intervals (Student's t).
struct LineFit {
  Estimate intercept;
  Estimate slope;
};
/// Nothing for fewer than 2 distinct x; intervals need 3 points.
std::optional<LineFit> fitLine(std::span<const double> x, std::span<const double> y);

/// When to stop sampling a cell.
struct StoppingRule {
  int minimum = 31;
  int maximum = 201;
  double precision = 0.01;  ///< half-width over median
  int sessions = 1;         ///< number of sessions that the samples are spread over
};
enum class Verdict : std::uint8_t {
  goOn,
  rest,  ///< enough for this session; continue in the next one
  converged,
  cap
};
/// The position of a cell in a study that is spread over sessions.
struct SessionPlace {
  int index = 0;            ///< number of the current session, from 0
  std::size_t samples = 0;  ///< number of the cell's samples in it
};
/// By the interval of sessions.h. In one session: `converged` as soon as the interval is narrow
/// enough, checked after `minimum` samples and then after every further quarter. In several
/// sessions, each takes its share of the samples: at most maximum / sessions; fewer if the noise
/// within the session would add at most half of the precision to the mean of that many such
/// sessions, but at least 8 and minimum / sessions. The interval over the sessions is checked once,
/// at the end of the last one.
Verdict verdict(const StoppingRule& rule, std::span<const double> samples,
                std::span<const int> sessions = {}, const SessionPlace& place = {});
/// Whether the samples suffice for the required precision.
bool isPrecise(const StoppingRule& rule, std::span<const double> samples,
               std::span<const int> sessions);

}  // namespace fusebench
