// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/session_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "profiler/statistics/moderation.h"
#include "profiler/statistics/statistics.h"
#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

/// Relative, per session. Times of a simulated device do not vary at all.
constexpr double kLeastVariance = 1e-12;

/// The share of the values that is left out at each end, as its inverse.
constexpr std::size_t kTrimmed = 8;

/// `count` values are left. The variance is Winsorized, and that of one session: divided by
/// `count`, it is that of the mean.
struct Side {
  double mean = 0, variance = 0, count = 0;
};

Side sideOf(std::span<const double> logs) {
  std::vector<double> sorted(logs.begin(), logs.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t out = sorted.size() / kTrimmed, last = sorted.size() - 1 - out;
  Side side;
  side.count = static_cast<double>(sorted.size() - 2 * out);
  side.mean = sessionMean(logs);
  double center = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sorted[i] = std::clamp(sorted[i], sorted[out], sorted[last]);
    center += sorted[i] / static_cast<double>(sorted.size());
  }
  for (const double value : sorted)
    side.variance += (value - center) * (value - center) / (side.count - 1);
  return side;
}

struct Compared {
  double change = 0;
  double inverse = 0;  ///< 1 / sessions before + 1 / sessions now
  Spread spread;       ///< pooled, of one session
  double welch = 1;    ///< Welch's variance of the change over the pooled one
};

Compared compare(const SessionTimes& point) {
  const Side before = sideOf(point.before), now = sideOf(point.now);
  Compared compared;
  compared.change = now.mean - before.mean;
  compared.inverse = 1 / before.count + 1 / now.count;
  compared.spread.degrees = before.count + now.count - 2;
  compared.spread.variance =
      std::max(((before.count - 1) * before.variance + (now.count - 1) * now.variance) /
                   compared.spread.degrees,
               kLeastVariance);
  compared.welch = (before.variance / before.count + now.variance / now.count) /
                   (compared.spread.variance * compared.inverse);
  return compared;
}

}  // namespace

double sessionMean(std::span<const double> logs) {
  if (logs.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(logs.begin(), logs.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t out = sorted.size() / kTrimmed, left = sorted.size() - 2 * out;
  double sum = 0;
  for (std::size_t i = out; i < out + left; ++i) sum += sorted[i] / static_cast<double>(left);
  return sum;
}

std::vector<SessionChange> sessionChanges(std::span<const SessionTimes> points, double missed) {
  std::vector<Compared> all;
  std::vector<Spread> spreads;
  std::vector<double> welch;
  for (const SessionTimes& point : points) {
    all.push_back(compare(point));
    spreads.push_back(all.back().spread);
    welch.push_back(all.back().welch);
  }
  const Spread typical = typicalSpread(spreads);
  const double unequal = welch.empty() ? 1 : std::max(median(welch), 1.0);
  std::vector<SessionChange> changes;
  for (const Compared& one : all) {
    const double degrees = one.spread.degrees,
                 variance = (degrees * one.spread.variance + typical.degrees * typical.variance) /
                            (degrees + typical.degrees),
                 error = std::sqrt(variance * unequal * one.inverse);
    const auto known = static_cast<std::size_t>(std::max(degrees, typical.degrees));
    SessionChange change;
    change.change = one.change;
    change.halfWidth = error * studentQuantile(known, missed / static_cast<double>(points.size()));
    change.low = change.change - change.halfWidth;
    change.high = change.change + change.halfWidth;
    changes.push_back(change);
  }
  return changes;
}

}  // namespace fusebench
