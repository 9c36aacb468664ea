// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/unpaired_ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fusebench {
namespace {

constexpr double kNormal95 = 1.959964;
constexpr std::size_t kLeastForInterval = 6;

/// P(Binomial(n, 1/2) < c). Through logarithms: 2^n overflows from n = 1024 on.
double binomialBelow(std::size_t n, std::size_t c) {
  const double count = static_cast<double>(n);
  double sum = 0;
  for (std::size_t k = 0; k < c; ++k) {
    const double i = static_cast<double>(k);
    sum += std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) -
                    count * std::log(2.0));
  }
  return sum;
}

/// The z that a standard normal value exceeds with probability p, 0 < p < 1/2,
/// by bisection.
double upperNormalQuantile(double p) {
  double low = 0, high = 40;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > p ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> sortedCopy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double logMedianError(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  const double count = static_cast<double>(n);
  const double rank = std::round((count + 1) / 2 - std::sqrt(count));
  const std::size_t c = rank < 1 ? 1 : static_cast<std::size_t>(rank);
  const double spread = std::log(sorted[n - c]) - std::log(sorted[c - 1]);
  if (spread <= 0) return 0;  // also for a single sample, which says nothing of its error
  return spread / (2 * upperNormalQuantile(binomialBelow(n, c)));
}

Estimate unpairedRatio(std::span<const double> a, std::span<const double> b) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Estimate none{kNaN, kNaN, kNaN, Estimate::Kind::none};
  if (a.empty() || b.empty()) return none;
  const std::vector<double> sortedA = sortedCopy(a), sortedB = sortedCopy(b);
  // Written so that a NaN among them is refused, too.
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!std::all_of(sortedA.begin(), sortedA.end(), positive) ||
      !std::all_of(sortedB.begin(), sortedB.end(), positive))
    return none;
  const double ratio = median(b) / median(a);
  if (std::min(a.size(), b.size()) < kLeastForInterval)
    return {ratio, sortedB.front() / sortedA.back(), sortedB.back() / sortedA.front(),
            Estimate::Kind::range};
  const double error = std::hypot(logMedianError(sortedA), logMedianError(sortedB));
  return {ratio, ratio * std::exp(-kNormal95 * error), ratio * std::exp(kNormal95 * error),
          Estimate::Kind::interval};
}

}  // namespace fusebench
