// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"

namespace fusebench {

/// Draws the style's title at the top of a figure as wide as it is already; where what it is of
/// begins.
double drawTitle(Figure& figure, const FigureStyle& style);
/// How high the caption of a figure of that width is, the gap above it counted; 0: there is none.
double captionHeight(const FigureStyle& style, double width);
/// Draws the style's caption at the foot of a figure of known size; where what it is of ends.
double drawCaption(Figure& figure, const FigureStyle& style);

}  // namespace fusebench
