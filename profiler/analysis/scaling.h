// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The effect of more ranks on a variant, compared with the fewest that it was measured with there.
struct ScalingPoint {
  CellKey key;
  int ranks = 1, from = 1;
  bool weak = false;  ///< each rank has as much work as one alone; else all together have
  /// The work per time relative to that; over common rounds.
  Estimate speedUp;
  /// That over ranks / from: 1 is what nothing is better than.
  Estimate efficiency;
};

/// For every cell with more ranks than the fewest, where `ranks` is an axis; in order of cells.
std::vector<ScalingPoint> scalingOf(const Run& run);

}  // namespace fusebench
