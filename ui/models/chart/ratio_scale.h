// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/chart/break_even_map.h"

namespace fusebench {

/// Maps ratios to strengths of a diverging color: equal factors up and down are equally strong.
struct RatioScale {
  double lowest = 1,
         highest = 1;  ///< what the scale has to show; lowest <= 1 <= highest

  /// -1 (the smallest ratio there is room for) over 0 (at 1) to 1; NaN for a
  /// ratio that is none.
  double strength(double ratio) const;
  /// Round ratios within [lowest, highest], 1 among them, ascending.
  std::vector<double> ticks() const;
};

/// Covers all measured places, and at least a tenth to both sides of 1.
RatioScale ratioScale(const BreakEvenMap& map);

/// "0.5×", "1×", "20×": a tick's label.
QString ratioTickText(double ratio);

/// Describes the map in a sentence or two: where the variant is faster, where it is not, where that
/// is within noise, and the largest speedup.
QString summaryOf(const BreakEvenMap& map, const Experiment& experiment);

}  // namespace fusebench
