// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace fusebench {

/// The distribution of times, as a histogram whose bins are 1, 2, 5, 10, 20, ... nanoseconds wide,
/// the first from 0.
struct Distribution {
  struct Bin {
    std::int64_t from = 0, to = 0;  ///< [from, to)
    std::uint64_t count = 0;
  };
  std::uint64_t count = 0;
  std::int64_t least = 0, median = 0, p95 = 0, most = 0;
  double mean = 0;
  std::vector<Bin> bins;  ///< from the first to the last bin that is not empty
};
/// Order does not matter; times below 0 count as 0. The median of an even number is the lower one.
Distribution distributionOf(std::vector<std::int64_t> times);

}  // namespace fusebench
