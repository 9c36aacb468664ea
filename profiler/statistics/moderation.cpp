// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/moderation.h"

#include <algorithm>
#include <cmath>

#include "profiler/statistics/sessions.h"
#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

constexpr double kAllDegrees = 1e6;  ///< as good as known
constexpr double kAsymptotic = 6;    ///< from here on the series below are right to 1e-8

/// The logarithmic derivative of the gamma function (Abramowitz and Stegun 6.3.18, 6.3.5).
double digamma(double x) {
  double sum = 0;
  for (; x < kAsymptotic; x += 1) sum -= 1 / x;
  const double square = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
}

/// Its derivative (Abramowitz and Stegun 6.4.12, 6.4.6).
double trigamma(double x) {
  double sum = 0;
  for (; x < kAsymptotic; x += 1) sum += 1 / (x * x);
  const double square = 1 / (x * x);
  return sum + 1 / x + square / 2 +
         square / x * (1.0 / 6 - square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

/// Where trigamma has this value: it falls.
double inverseTrigamma(double value) {
  double low = 1e-8, high = kAllDegrees;
  for (int step = 0; step < 100; ++step) {
    const double middle = std::sqrt(low * high);
    (trigamma(middle) > value ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

double Spread::moderatedPrecision(const Spread& typical) const {
  const double both =
      (degrees * variance + typical.degrees * typical.variance) / (degrees + typical.degrees);
  return intervalQuantile(static_cast<std::size_t>(std::max(degrees, typical.degrees))) *
         std::sqrt(both / weight);
}

std::optional<Spread> spreadOf(std::span<const double> samples, std::span<const int> sessions) {
  const Estimate estimate = medianOverSessions(samples, sessions);
  if (estimate.kind != Estimate::Kind::interval || !(estimate.low < estimate.high) ||
      !(estimate.value > 0))
    return std::nullopt;
  const IntervalBasis basis = intervalBasis(samples.size(), sessions);
  Spread spread;
  spread.degrees = static_cast<double>(basis.degrees);
  spread.weight = static_cast<double>(basis.weight);
  const double error =
      (estimate.high - estimate.low) / 2 / estimate.value / intervalQuantile(basis.degrees);
  spread.variance = error * error * spread.weight;
  return spread;
}

Spread typicalSpread(std::span<const Spread> cells) {
  Spread typical;
  if (cells.size() < kFewestSpreads) return typical;
  const double count = static_cast<double>(cells.size());
  // The logarithm of a variance is that of the true one, and of chi squared over its degrees.
  const auto centered = [](const Spread& cell) {
    return std::log(cell.variance) - digamma(cell.degrees / 2) + std::log(cell.degrees / 2);
  };
  double mean = 0, byChance = 0, squares = 0;
  for (const Spread& cell : cells) {
    mean += centered(cell) / count;
    byChance += trigamma(cell.degrees / 2) / count;
  }
  for (const Spread& cell : cells) squares += (centered(cell) - mean) * (centered(cell) - mean);
  const double beyond = squares / (count - 1) - byChance;
  typical.degrees = beyond > 0 ? 2 * inverseTrigamma(beyond) : kAllDegrees;
  typical.variance = std::exp(mean + digamma(typical.degrees / 2) - std::log(typical.degrees / 2));
  return typical;
}

}  // namespace fusebench
