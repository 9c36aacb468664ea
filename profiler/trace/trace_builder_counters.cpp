// SPDX-License-Identifier: GPL-3.0-or-later
// How a TraceBuilder collects counters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostCounters = 4096;  // a hostile file may name any number

void placeValues(CounterTrack& counter, Nanoseconds first, bool summed) {
  std::vector<std::size_t> order(counter.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!std::ranges::is_sorted(counter.times))
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return counter.times[i]; });
  std::vector<Nanoseconds> times;
  std::vector<double> values;
  times.reserve(order.size());
  values.reserve(order.size());
  double sum = 0;
  for (const std::size_t i : order) {
    const Nanoseconds time = counter.times[i] - first;
    sum += counter.values[i];
    const double value = summed ? sum : counter.values[i];
    if (!times.empty() && times.back() == time) {
      values.back() = value;
      continue;
    }
    times.push_back(time);
    values.push_back(value);
  }
  counter.times = std::move(times);
  counter.values = std::move(values);
}

}  // namespace

std::size_t TraceBuilder::counter(const CounterTrack& counter) {
  const std::string key = fmt::format("{}/{}", counter.process, counter.name);
  std::vector<CounterTrack>& known = trace_->counters_;
  if (known.size() >= kMostCounters && !counterIds_.contains(key)) return kMostCounters;
  const auto [at, isNew] = counterIds_.emplace(key, known.size());
  if (isNew)
    known.push_back({.process = counter.process, .name = std::string(text(name(counter.name)))});
  CounterTrack& made = known[at->second];
  if (!counter.unit.empty()) made.unit = text(name(counter.unit));
  if (!counter.processName.empty()) made.processName = text(name(counter.processName));
  return at->second;
}

void TraceBuilder::addCount(std::size_t counter, Nanoseconds time, double value) {
  if (counter >= trace_->counters_.size()) {
    ++trace_->losses_.dropped;
    return;
  }
  if (!plausible(time) || !std::isfinite(value)) {
    ++trace_->losses_.malformed;
    return;
  }
  trace_->counters_[counter].times.push_back(time);
  trace_->counters_[counter].values.push_back(value);
}

void TraceBuilder::addChange(std::size_t counter, Nanoseconds time, double change) {
  summed_.insert(counter);
  addCount(counter, time, change);
}

/// Sorts them and their values, and counts times from `first`. Changes become their sums. If
/// several values have the same time, the last one is kept.
void TraceBuilder::placeCounters(Nanoseconds first) {
  std::vector<CounterTrack>& counters = trace_->counters_;
  for (std::size_t i = 0; i < counters.size(); ++i)
    placeValues(counters[i], first, summed_.contains(i));
  std::erase_if(counters, [](const CounterTrack& one) { return one.times.empty(); });
  std::ranges::sort(counters, [](const CounterTrack& one, const CounterTrack& other) {
    return std::tie(one.process, one.name) < std::tie(other.process, other.name);
  });
}

}  // namespace fusebench
