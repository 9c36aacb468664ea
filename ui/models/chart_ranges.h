// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/axis_range.h"
#include "ui/models/chart_series.h"

namespace fusebench {

/// From this ratio of its ends on an axis is logarithmic, unless the person chooses.
inline constexpr double kWideAxis = 200;

/// The swept axis so far as it has values or curves, with a little room at both ends.
AxisRange wholeAxis(const std::vector<double>& values, const std::vector<Curve>& curves,
                    bool logarithmic);

/// What holds all values of the curves, their bands and the level that matters.
AxisRange wholeValues(const ChartContent& content, bool logarithmic, ValueRange whenEmpty);

}  // namespace fusebench
