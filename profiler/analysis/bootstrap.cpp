// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

/// One cell's samples in ascending order, each with the index of its round.
struct SortedCell {
  std::vector<double> values;
  std::vector<std::size_t> rounds;
};

SortedCell sorted(const Cell& cell, const std::vector<int>& rounds) {
  std::vector<Sample> samples = cell.samples;
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.nanoseconds < b.nanoseconds; });
  SortedCell result;
  for (const Sample& sample : samples) {
    result.values.push_back(sample.nanoseconds);
    const auto at = std::lower_bound(rounds.begin(), rounds.end(), sample.round);
    result.rounds.push_back(static_cast<std::size_t>(at - rounds.begin()));
  }
  return result;
}

/// Median of values that occur as often as their round was drawn; linear, since they are sorted.
double weightedMedian(const SortedCell& cell, const std::vector<int>& drawn) {
  long total = 0;
  for (const std::size_t round : cell.rounds) total += drawn[round];
  if (total == 0) return std::numeric_limits<double>::quiet_NaN();
  const long lowRank = (total - 1) / 2, highRank = total / 2;
  long passed = 0;
  double low = 0;
  bool haveLow = false;
  for (std::size_t i = 0; i < cell.values.size(); ++i) {
    passed += drawn[cell.rounds[i]];
    if (!haveLow && passed > lowRank) {
      low = cell.values[i];
      haveLow = true;
    }
    if (passed > highRank) return (low + cell.values[i]) / 2;
  }
  return low;
}

}  // namespace

PairedSamples pairByRound(const Cell& first, const Cell& second) {
  PairedSamples paired;
  const auto byRound = [](const Sample& a, const Sample& b) { return a.round < b.round; };
  std::vector<Sample> a = first.samples, b = second.samples;
  std::stable_sort(a.begin(), a.end(), byRound);
  std::stable_sort(b.begin(), b.end(), byRound);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].round < b[j].round) {
      ++i;
    } else if (b[j].round < a[i].round) {
      ++j;
    } else {
      paired.first.push_back(a[i++].nanoseconds);
      paired.second.push_back(b[j++].nanoseconds);
    }
  }
  return paired;
}

ResampledMedians::ResampledMedians(std::span<const Cell> cells, int replicates, std::uint64_t seed)
    : replicates_(static_cast<std::size_t>(replicates)), medians_(cells.size() * replicates_) {
  std::set<int> distinct;
  for (const Cell& cell : cells)
    for (const Sample& sample : cell.samples) distinct.insert(sample.round);
  const std::vector<int> rounds(distinct.begin(), distinct.end());
  std::vector<SortedCell> sortedCells;
  for (const Cell& cell : cells) sortedCells.push_back(sorted(cell, rounds));

  std::vector<int> drawn(rounds.size());
  std::uint64_t state = mixBits(seed ^ 0xb007'57a9'0000'0000u);
  for (std::size_t replicate = 0; replicate < replicates_; ++replicate) {
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::size_t i = 0; i < rounds.size(); ++i) ++drawn[nextBelow(state, rounds.size())];
    for (std::size_t cell = 0; cell < sortedCells.size(); ++cell)
      medians_[cell * replicates_ + replicate] = weightedMedian(sortedCells[cell], drawn);
  }
}

double Resampler::median() {
  std::vector<double> drawn(values_.size());
  for (double& value : drawn) value = values_[nextBelow(state_, values_.size())];
  return fusebench::median(drawn);
}

Percentiles centralInterval(std::vector<double> values) {
  if (values.empty()) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  std::sort(values.begin(), values.end());
  const double last = static_cast<double>(values.size() - 1);
  return {values[static_cast<std::size_t>(std::floor(0.025 * last))],
          values[static_cast<std::size_t>(std::ceil(0.975 * last))]};
}

}  // namespace fusebench
