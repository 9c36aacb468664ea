// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The times of two cells in the rounds that both have, in the order of rounds.
struct PairedSamples {
  std::vector<double> first, second;
};
PairedSamples pairByRound(const Cell& first, const Cell& second);

/// The medians of cells over rounds drawn with replacement. Each replicate draws one set of rounds
/// for all cells, so what disturbed a round disturbs every cell of the replicate alike (Efron's
/// percentile bootstrap on rounds). Deterministic for a seed.
class ResampledMedians {
 public:
  ResampledMedians(std::span<const Cell> cells, int replicates, std::uint64_t seed);
  /// Median of the cell in a replicate; NaN if none of its rounds was drawn.
  double at(std::size_t cell, int replicate) const {
    return medians_[cell * replicates_ + static_cast<std::size_t>(replicate)];
  }

 private:
  std::size_t replicates_;
  std::vector<double> medians_;
};

/// Medians of values drawn with replacement. Deterministic for a seed.
class Resampler {
 public:
  Resampler(std::vector<double> values, std::uint64_t seed)
      : values_(std::move(values)), state_(seed) {}
  double median();

 private:
  std::vector<double> values_;
  std::uint64_t state_;
};

struct Percentiles {
  double low = 0, high = 0;
};
/// The central 95% of the values (2.5th and 97.5th percentile, nearest ranks outwards); NaN if
/// none.
Percentiles centralInterval(std::vector<double> values);

}  // namespace fusebench
