// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// From this ratio of the largest speed-up to the smallest on, 1 among them, so are speed-ups.
inline constexpr double kWideSpeedUps = 20;

/// Whether the axis of the values is logarithmic unless the person chooses otherwise.
bool logarithmicAtFirst(const ChartContent& content);

/// The swept axis so far as it has values or curves, with a little room at both ends.
AxisRange wholeAxis(const std::vector<double>& values, const std::vector<Curve>& curves,
                    bool logarithmic);

/// What holds all values of the curves, their bands and the levels to compare them with.
AxisRange wholeValues(const ChartContent& content, bool logarithmic, ValueRange whenEmpty);

}  // namespace fusebench
