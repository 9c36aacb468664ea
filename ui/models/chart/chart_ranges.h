// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// The axis of speedups is logarithmic at first if they, with 1, span more than this ratio.
inline constexpr double kWideSpeedUps = 20;

/// Whether the axis of the values is logarithmic unless the user chooses otherwise.
bool logarithmicAtFirst(const ChartContent& content);

/// The part of the swept axis that has values or curves, with a small margin at both ends.
AxisRange wholeAxis(const std::vector<double>& values, const std::vector<Curve>& curves,
                    bool logarithmic);

/// A range that includes all values of the curves, their bands and the levels for comparison.
AxisRange wholeValues(const ChartContent& content, bool logarithmic, ValueRange whenEmpty);

}  // namespace fusebench
