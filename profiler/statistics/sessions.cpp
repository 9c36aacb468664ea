// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/sessions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "profiler/statistics/student.h"

namespace fusebench {
namespace {

constexpr std::size_t kLeastSamples = 6;
constexpr std::size_t kMostBlocks = 8, kLeastBlocks = 3, kLeastInBlock = 4;
constexpr double kMostCorrelation = 0.95;  ///< that widens an interval
constexpr double kWidened = 0.6;           ///< of the share that may be missed: 3% for 5%
constexpr std::size_t kBlindDegrees = 8;   ///< for too few samples to make blocks of

struct Group {
  std::size_t begin = 0, end = 0;
};

std::vector<Group> sessionsOf(std::size_t count, std::span<const int> sessions) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || (!sessions.empty() && sessions[i] != sessions[i - 1])) groups.push_back({i, i});
    groups.back().end = i + 1;
  }
  return groups;
}

std::vector<Group> blocksOf(std::size_t count) {
  const std::size_t blocks = std::min(kMostBlocks, count / kLeastInBlock);
  std::vector<Group> groups;
  for (std::size_t b = 0; b < blocks; ++b)
    groups.push_back({count * b / blocks, count * (b + 1) / blocks});
  return groups;
}

/// Standard error of the share of samples below the median, squared.
double shareVariance(std::span<const double> samples, double median,
                     const std::vector<Group>& groups) {
  double sum = 0;
  for (const Group& group : groups) {
    double below = 0;
    for (std::size_t i = group.begin; i < group.end; ++i)
      below += samples[i] < median ? 0.5 : samples[i] > median ? -0.5 : 0;
    sum += below * below;
  }
  const double n = static_cast<double>(samples.size()), c = static_cast<double>(groups.size());
  return sum / (n * n) * c / (c - 1);
}

/// Mean and its standard error of the sessions' own medians.
struct Center {
  double mean = 0, error = 0;
};
Center centerOf(std::span<const double> samples, const std::vector<Group>& sessions) {
  std::vector<double> medians;
  Center center;
  const double c = static_cast<double>(sessions.size());
  for (const Group& group : sessions)
    medians.push_back(median(samples.subspan(group.begin, group.end - group.begin)));
  for (const double value : medians) center.mean += value / c;
  double squares = 0;
  for (const double value : medians) squares += (value - center.mean) * (value - center.mean);
  center.error = std::sqrt(squares / (c - 1) / c);
  return center;
}

double quantileFor(std::size_t degrees, double missed) {
  constexpr std::size_t kKept = 10;
  static const std::vector<double> kUsual = [] {
    std::vector<double> all;
    for (std::size_t d = 0; d <= kKept; ++d) all.push_back(studentQuantile(d, kWidened * 0.05));
    return all;
  }();
  // The stopping rule asks for it in every round.
  if (missed == 0.05 && degrees <= kKept) return kUsual[degrees];
  return studentQuantile(degrees, kWidened * missed);
}

/// Whose numbers of samples below the median are counted.
std::vector<Group> groupsOf(std::size_t count, const std::vector<Group>& processes) {
  return processes.size() >= kTellingSessions ? processes : blocksOf(count);
}

std::size_t degreesOf(const std::vector<Group>& groups) {
  return groups.size() >= kLeastBlocks ? groups.size() - 1 : kBlindDegrees;
}

}  // namespace

double serialCorrelation(std::span<const double> samples, std::span<const int> sessions,
                         double median) {
  double alike = 0, pairs = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (!sessions.empty() && sessions[i] != sessions[i - 1]) continue;
    const double here = samples[i] - median, before = samples[i - 1] - median;
    alike += here * before > 0 ? 1 : here * before < 0 ? -1 : 0;
    ++pairs;
  }
  // The signs of normal numbers correlate by 2 / pi asin(rho).
  return pairs > 0 ? std::sin(std::numbers::pi / 2 * alike / pairs) : 0;
}

std::size_t countSessions(std::span<const int> sessions) {
  std::size_t count = 1;
  for (std::size_t i = 1; i < sessions.size(); ++i) count += sessions[i] != sessions[i - 1];
  return count;
}

IntervalBasis intervalBasis(std::size_t count, std::span<const int> sessions) {
  const std::vector<Group> processes = sessionsOf(count, sessions);
  return {degreesOf(groupsOf(count, processes)),
          processes.size() >= kTellingSessions ? processes.size() : count};
}

double intervalQuantile(std::size_t degrees) {
  return quantileFor(degrees, 0.05);
}

Estimate medianOverSessions(std::span<const double> samples, std::span<const int> sessions,
                            double missed) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = samples.size();
  if (n == 0) return {kNaN, kNaN, kNaN, Estimate::Kind::none};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  Estimate estimate{middle, sorted.front(), sorted.back(), Estimate::Kind::range};
  // The probability that all samples are on one side of the median is 2^(1 - n).
  if (n < kLeastSamples || std::exp2(1 - static_cast<double>(n)) > missed) return estimate;
  estimate.kind = Estimate::Kind::interval;

  const std::vector<Group> processes = sessionsOf(n, sessions);
  const bool telling = processes.size() >= kTellingSessions;
  const std::vector<Group> groups = groupsOf(n, processes);
  double variance = 0.25 / static_cast<double>(n);
  if (groups.size() >= kLeastBlocks) {
    variance = std::max(variance, shareVariance(samples, middle, groups));
    // Blocks that are shorter than slow changes are as close together as their samples.
    const double alike = std::min(serialCorrelation(samples, sessions, middle), kMostCorrelation);
    if (alike > 0)
      variance = std::max(variance, 0.25 / static_cast<double>(n) * (1 + alike) / (1 - alike));
  }
  const double t = quantileFor(degreesOf(groups), missed), half = t * std::sqrt(variance),
               count = static_cast<double>(n);
  const double lowRank = std::floor((0.5 - half) * count),
               highRank = std::ceil((0.5 + half) * count) + 1;
  const bool lowInside = lowRank >= 1, highInside = highRank <= count;
  if (lowInside) estimate.low = sorted[static_cast<std::size_t>(lowRank) - 1];
  if (highInside) estimate.high = sorted[static_cast<std::size_t>(highRank) - 1];
  if (telling && !(lowInside && highInside)) {
    const Center center = centerOf(samples, processes);
    if (!lowInside) estimate.low = std::min(center.mean - t * center.error, middle);
    if (!highInside) estimate.high = std::max(center.mean + t * center.error, middle);
  } else if (processes.size() == 2) {  // at least as wide as the two are apart
    for (const Group& group : processes) {
      const double own = median(samples.subspan(group.begin, group.end - group.begin));
      estimate.low = std::min(estimate.low, own);
      estimate.high = std::max(estimate.high, own);
    }
  }
  return estimate;
}

Estimate medianOfTimes(std::span<const double> samples, std::span<const int> sessions) {
  Estimate estimate = medianOverSessions(samples, sessions);
  estimate.low = std::max(estimate.low, 0.0);
  return estimate;
}

Estimate pairedRatio(std::span<const double> a, std::span<const double> b,
                     std::span<const int> sessions, double missed) {
  std::vector<double> logs;
  const std::size_t count = std::min(a.size(), b.size());
  logs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) logs.push_back(std::log(a[i]) - std::log(b[i]));
  Estimate ratio = medianOverSessions(logs, sessions, missed);
  ratio.value = std::exp(ratio.value);
  ratio.low = std::exp(ratio.low);
  ratio.high = std::exp(ratio.high);
  return ratio;
}

Estimate ratioOf(const Estimate& a, const Estimate& b) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto positive = [](const Estimate& e) {
    return e.kind != Estimate::Kind::none && e.value > 0 && e.low > 0 && std::isfinite(e.high);
  };
  if (!positive(a) || !positive(b)) return {kNaN, kNaN, kNaN, Estimate::Kind::none};
  const double ratio = b.value / a.value;
  if (a.kind != Estimate::Kind::interval || b.kind != Estimate::Kind::interval)
    return {ratio, b.low / a.high, b.high / a.low, Estimate::Kind::range};
  const double down = std::hypot(std::log(b.value / b.low), std::log(a.high / a.value)),
               up = std::hypot(std::log(b.high / b.value), std::log(a.value / a.low));
  return {ratio, ratio * std::exp(-down), ratio * std::exp(up), Estimate::Kind::interval};
}

}  // namespace fusebench
