// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/chart/scatter.h"

namespace fusebench {

/// Plots cells as marks over two metrics, both logarithmic. The marks of a variant are joined in
/// the order of the axis; the area of a mark shows a third metric. Published marks are hollow.
/// Groups: axes, paths, marks, names. The spots describe each mark.
Figure scatterFigure(const ScatterContent& content, const FigureStyle& style);

/// Half the width of a mark of that size among those up to `largest`, in units of the style.
double scatterRadius(double size, double largest);

}  // namespace fusebench
