// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"

namespace fusebench {

/// Draws the style's title at the top of a figure whose width is set; returns where its contents
/// begin.
double drawTitle(Figure& figure, const FigureStyle& style);
/// Height of the caption of a figure of that width, including the gap above it; 0: there is none.
double captionHeight(const FigureStyle& style, double width);
/// Draws the style's caption at the bottom of a figure of known size; returns where its contents
/// end.
double drawCaption(Figure& figure, const FigureStyle& style);

}  // namespace fusebench
