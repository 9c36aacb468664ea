// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/chart/scatter.h"

namespace fusebench {

/// Cells as marks in the plane of two metrics, both logarithmic, those of a variant joined in the
/// order of the axis; the area of a mark is its third metric. What was published is hollow.
/// Groups: axes, paths, marks, names. What each mark is stands in the spots.
Figure scatterFigure(const ScatterContent& content, const FigureStyle& style);

/// Half the width of a mark of that size among those up to `largest`, in units of the style.
double scatterRadius(double size, double largest);

}  // namespace fusebench
