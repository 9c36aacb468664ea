// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The effect of more ranks on a variant, compared with the smallest number of ranks that was
/// measured.
struct ScalingPoint {
  CellKey key;
  int ranks = 1, from = 1;
  bool weak = false;  ///< each rank has as much work as one alone; otherwise all of them share it
  /// The work per time relative to that; over common rounds.
  Estimate speedUp;
  /// That divided by ranks / from; 1 is perfect.
  Estimate efficiency;
};

/// For every cell with more than the smallest number of ranks, if `ranks` is an axis; in the order
/// of cells.
std::vector<ScalingPoint> scalingOf(const Run& run);

}  // namespace fusebench
