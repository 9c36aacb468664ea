// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chart/chart_series.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The dashes of a curve's line, in pen widths; empty: solid. If a variant has several curves,
/// dashes distinguish these, otherwise the variants.
QVector<qreal> dashesOf(const Curve& curve, const ChartContent& content, const SeriesStyle& style);
/// Width of its line: 2, or less for the host's, the device's and the synchronized times.
double lineWidthOf(const Curve& curve);

}  // namespace fusebench
