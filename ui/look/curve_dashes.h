// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chart/chart_series.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// How a curve's line is broken, in pen widths; empty: solid. Where a variant has several curves
/// that tells them apart, else the variants.
QVector<qreal> dashesOf(const Curve& curve, const ChartContent& content, const SeriesStyle& style);
/// Width of its line: 2, or less for the host's, the device's and the synchronized times.
double lineWidthOf(const Curve& curve);

}  // namespace fusebench
