// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/statistics/fast_ends.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "profiler/statistics/sessions.h"
#include "profiler/statistics/statistics.h"

namespace fusebench {
namespace {

/// Sessions with fewer samples have no lower decile, not even nearly.
constexpr double kFewSamples = 5;

}  // namespace

std::size_t leastSamples(std::span<const TimesBySession> runs) {
  std::vector<double> counts;
  for (const TimesBySession& run : runs)
    for (const auto& session : run) counts.push_back(static_cast<double>(session.size()));
  if (counts.empty()) return 1;
  const double least = std::max(median(counts) / 2, kFewSamples);
  const auto enough = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end(), [&](double count) { return count >= least; }));
  return enough < kTellingSessions ? 1 : static_cast<std::size_t>(std::ceil(least));
}

TimesBySession timesBySession(std::span<const double> times, std::span<const int> sessions) {
  TimesBySession split;
  for (std::size_t begin = 0, end = 0; begin < times.size(); begin = end) {
    while (end < times.size() && sessions[end] == sessions[begin]) ++end;
    split.emplace_back(times.begin() + static_cast<std::ptrdiff_t>(begin),
                       times.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return split;
}

double fastShare(std::span<const TimesBySession> runs) {
  const std::size_t least = leastSamples(runs);
  double share = kFastShare;
  // The share at which quantileAt() is the minimum.
  for (const TimesBySession& run : runs)
    for (const auto& session : run)
      if (session.size() >= least && !session.empty())
        share = std::max(share, 2.0 / 3 / (static_cast<double>(session.size()) + 1.0 / 3));
  return share;
}

double quantileAt(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double place = std::clamp((count + 1.0 / 3) * share + 1.0 / 3, 1.0, count) - 1;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

std::vector<double> sessionLogs(const TimesBySession& run, double share, std::size_t least) {
  std::vector<double> logs;
  for (const auto& session : run)
    if (session.size() >= least)
      if (const double value = quantileAt(session, share); value > 0)
        logs.push_back(std::log(value));
  return logs;
}

}  // namespace fusebench
