// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace fusebench {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double medianOfSorted(std::span<const double> sorted) {
  const std::size_t m = sorted.size();
  if (m == 0) return kNaN;
  return m % 2 == 1 ? sorted[m / 2] : (sorted[m / 2 - 1] + sorted[m / 2]) / 2;
}

/// Student's t, two-sided 95%. Tabulated for few degrees of freedom, else the Cornish-Fisher
/// expansion about the normal quantile (Abramowitz and Stegun 26.7.5), which is off by under 1e-4
/// from there on.
double studentQuantile(std::size_t degrees) {
  constexpr std::array<double, 10> kTable = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                             2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
  if (degrees == 0) return std::numeric_limits<double>::infinity();
  if (degrees <= kTable.size()) return kTable[degrees - 1];
  const double z = 1.959964, n = static_cast<double>(degrees);
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
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

bool drifted(std::span<const double> samples) {
  const std::size_t half = samples.size() / 2;
  const Estimate first = medianInterval(samples.first(half));
  const Estimate second = medianInterval(samples.last(half));
  if (first.kind != Estimate::Kind::interval) return false;
  const double joint = std::hypot((first.high - first.low) / 2, (second.high - second.low) / 2);
  return std::abs(first.value - second.value) > joint;
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

Verdict verdict(const StoppingRule& rule, std::span<const double> samples) {
  const auto count = static_cast<int>(samples.size());
  if (count < rule.minimum) return Verdict::goOn;
  const Estimate estimate = medianInterval(samples);
  if (estimate.kind == Estimate::Kind::interval &&
      (estimate.high - estimate.low) / 2 <= rule.precision * estimate.value)
    return Verdict::converged;
  return count >= rule.maximum ? Verdict::cap : Verdict::goOn;
}

}  // namespace fusebench
