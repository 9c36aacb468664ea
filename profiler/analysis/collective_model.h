// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The cost of a collective as a function of the bytes of each rank: T = alpha + bytes * beta, the
/// model of Hockney (The communication challenge for MPP, Parallel Computing 20, 1994).
struct CollectiveModel {
  int variant = 0;
  int ranks = 1;
  std::string collective;  ///< "all_reduce"
  Estimate alpha;          ///< ns
  Estimate beta;           ///< ns per byte
  struct Point {
    CellKey key;
    std::int64_t bytes = 0;
    double measured = 0;  ///< ns, the median
    double modeled = 0;   ///< ns
    double off() const { return modeled / measured - 1; }
  };
  std::vector<Point> points;  ///< in order of bytes
  double worst() const;       ///< the greatest |off()|
};

/// One for each variant and number of ranks whose program does nothing but one collective, if at
/// least three sizes were measured.
std::vector<CollectiveModel> collectiveModels(const Run& run);

}  // namespace fusebench
