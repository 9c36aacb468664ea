// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/chart/break_even_map.h"

namespace fusebench {

/// Maps ratios to strengths of a diverging color: equal factors up and down are equally strong.
struct RatioScale {
  double lowest = 1,
         highest = 1;  ///< range of the scale; lowest <= 1 <= highest

  /// From -1 (the smallest ratio on the scale) through 0 (at 1) to 1; NaN if the ratio is NaN.
  double strength(double ratio) const;
  /// Round ratios within [lowest, highest], 1 among them, ascending.
  std::vector<double> ticks() const;
};

/// Covers all measured points, and at least a tenth on both sides of 1.
RatioScale ratioScale(const BreakEvenMap& map);

/// "0.5×", "1×", "20×": a tick's label.
QString ratioTickText(double ratio);

/// Describes the map in a sentence or two: where the variant is faster, where it is not, where that
/// is within noise, and the largest speedup.
QString summaryOf(const BreakEvenMap& map, const Experiment& experiment);

}  // namespace fusebench
