// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "profiler/statistics/sessions.h"
#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double medianOfSorted(std::span<const double> sorted) {
  const std::size_t m = sorted.size();
  if (m == 0) return kNaN;
  return m % 2 == 1 ? sorted[m / 2] : (sorted[m / 2 - 1] + sorted[m / 2]) / 2;
}

Estimate around(double value, double halfWidth) {
  return {value, value - halfWidth, value + halfWidth, Estimate::Kind::interval};
}

}  // namespace

double median(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return medianOfSorted(sorted);
}

Estimate medianInterval(std::span<const double> samples) {
  if (samples.empty()) return {kNaN, kNaN, kNaN, Estimate::Kind::none};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double m = static_cast<double>(sorted.size());
  Estimate estimate{medianOfSorted(sorted), sorted.front(), sorted.back(),
                    sorted.size() >= 6 ? Estimate::Kind::interval : Estimate::Kind::range};
  if (sorted.size() >= 8) {
    const double spread = 1.96 * std::sqrt(m);
    const double lowRank = std::floor((m - spread) / 2), highRank = std::ceil(1 + (m + spread) / 2);
    estimate.low = sorted[static_cast<std::size_t>(std::max(lowRank, 1.0)) - 1];
    estimate.high = sorted[static_cast<std::size_t>(std::min(highRank, m)) - 1];
  }
  return estimate;
}

Estimate pairedRatio(std::span<const double> a, std::span<const double> b) {
  std::vector<double> logs;
  const std::size_t count = std::min(a.size(), b.size());
  logs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) logs.push_back(std::log(a[i]) - std::log(b[i]));
  Estimate ratio = medianInterval(logs);
  ratio.value = std::exp(ratio.value);
  ratio.low = std::exp(ratio.low);
  ratio.high = std::exp(ratio.high);
  return ratio;
}

double signTest(std::span<const double> values) {
  int positive = 0, negative = 0;
  for (const double value : values) {
    positive += value > 0;
    negative += value < 0;
  }
  const int count = positive + negative, fewer = std::min(positive, negative);
  double tail = 0;
  for (int k = 0; k <= fewer; ++k)
    tail += std::exp(std::lgamma(count + 1.0) - std::lgamma(k + 1.0) -
                     std::lgamma(count - k + 1.0) - count * std::log(2.0));
  return std::min(1.0, 2 * tail);
}

bool drifted(std::span<const double> samples, std::span<const int> sessions) {
  const std::size_t half = samples.size() / 2;
  const auto part = [&](std::size_t from, std::size_t count) {
    return medianOverSessions(samples.subspan(from, count),
                              sessions.empty() ? sessions : sessions.subspan(from, count));
  };
  const Estimate first = part(0, half), second = part(samples.size() - half, half);
  if (first.kind != Estimate::Kind::interval) return false;
  const double joint = std::hypot((first.high - first.low) / 2, (second.high - second.low) / 2);
  // Less than that is a clock's grain, of times that are otherwise the same, as simulated ones are.
  constexpr double kGrain = 1e-4;
  return std::abs(first.value - second.value) > std::max(joint, kGrain * std::abs(first.value));
}

std::optional<LineFit> fitLine(std::span<const double> x, std::span<const double> y) {
  const std::size_t count = std::min(x.size(), y.size());
  if (count < 2) return std::nullopt;
  // Asked of the values themselves: the mean of equal numbers may be off in the last bit.
  const auto [least, most] =
      std::minmax_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
  if (!(*least < *most)) return std::nullopt;
  const double n = static_cast<double>(count);
  double meanX = 0, meanY = 0;
  for (std::size_t i = 0; i < count; ++i) {
    meanX += x[i] / n;
    meanY += y[i] / n;
  }
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < count; ++i) {
    xx += (x[i] - meanX) * (x[i] - meanX);
    xy += (x[i] - meanX) * (y[i] - meanY);
  }
  const double slope = xy / xx, intercept = meanY - slope * meanX;
  LineFit fit;
  fit.slope = {slope, slope, slope, Estimate::Kind::none};
  fit.intercept = {intercept, intercept, intercept, Estimate::Kind::none};
  if (count < 3) return fit;

  double residual = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double off = y[i] - (intercept + slope * x[i]);
    residual += off * off;
  }
  const double deviation = std::sqrt(residual / (n - 2)), t = studentQuantile(count - 2);
  fit.slope = around(slope, t * deviation / std::sqrt(xx));
  fit.intercept = around(intercept, t * deviation * std::sqrt(1 / n + meanX * meanX / xx));
  return fit;
}

namespace {

/// In one session the rule checks the interval after `minimum` samples, and each time after a
/// quarter more of them: every check is one more chance to take an accident for precision.
bool isLook(std::size_t count, int minimum) {
  constexpr double kFurther = 1.25;
  double at = minimum;
  while (static_cast<std::size_t>(at) < count) at = std::max(at + 1, at * kFurther);
  return static_cast<std::size_t>(at) == count;
}

bool precise(const Estimate& estimate, double precision) {
  return estimate.kind == Estimate::Kind::interval &&
         (estimate.high - estimate.low) / 2 <= precision * estimate.value;
}

/// Precise, and not by accident: samples that follow each other slowly may all be of one stretch of
/// a movement. They must be worth the least number of independent ones.
bool isPreciseAndTelling(const StoppingRule& rule, std::span<const double> samples,
                         std::span<const int> sessions) {
  const Estimate estimate = medianOverSessions(samples, sessions);
  if (!precise(estimate, rule.precision)) return false;
  if (!(estimate.low < estimate.high)) return true;  // nothing moves
  // As much as they may resemble each other, for all that is seen.
  const double count = static_cast<double>(samples.size());
  const double alike = std::clamp(
      serialCorrelation(samples, sessions, estimate.value) + 1 / std::sqrt(count), 0.0, 1.0);
  return count * (1 - alike) >= static_cast<double>(rule.minimum) * (1 + alike);
}

Verdict verdictInOneSession(const StoppingRule& rule, std::span<const double> samples,
                            std::span<const int> sessions) {
  const bool last = static_cast<int>(samples.size()) >= rule.maximum;
  if (static_cast<int>(samples.size()) < rule.minimum ||
      (!last && !isLook(samples.size(), rule.minimum)))
    return Verdict::goOn;
  if (isPreciseAndTelling(rule, samples, sessions)) return Verdict::converged;
  return last ? Verdict::cap : Verdict::goOn;
}

}  // namespace

bool isPrecise(const StoppingRule& rule, std::span<const double> samples,
               std::span<const int> sessions) {
  return static_cast<int>(samples.size()) >= rule.minimum &&
         isPreciseAndTelling(rule, samples, sessions);
}

Verdict verdict(const StoppingRule& rule, std::span<const double> samples,
                std::span<const int> sessions, const SessionPlace& place) {
  if (rule.sessions <= 1) return verdictInOneSession(rule, samples, sessions);
  constexpr int kTellingSamples = 8;
  const auto share = [&](int of) { return (of + rule.sessions - 1) / rule.sessions; };
  const int most = share(rule.maximum),
            least = std::max(share(rule.minimum), std::min(kTellingSamples, most));
  const auto here = static_cast<int>(place.samples);
  const bool enough = static_cast<int>(samples.size()) >= rule.maximum;
  bool over = enough || here >= most;
  if (!over && here >= least) {
    const Estimate within = medianOverSessions(samples.last(place.samples), {});
    over = precise(within, rule.precision / 2 * std::sqrt(static_cast<double>(rule.sessions)));
  }
  if (!over) return Verdict::goOn;
  if (!enough && place.index + 1 < rule.sessions) return Verdict::rest;
  return isPrecise(rule, samples, sessions) ? Verdict::converged : Verdict::cap;
}

}  // namespace fusebench
