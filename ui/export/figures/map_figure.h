// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/chart/break_even_map.h"

namespace fusebench {

/// The break-even map as in the window: a colored cell per point, its speedup where there is room,
/// the break-even line with its band, and the color scale. Groups: heading, places, contour, axes,
/// scale. The figure of an empty map is empty.
Figure mapFigure(const BreakEvenMap& map, const Experiment& experiment, const FigureStyle& style);

}  // namespace fusebench
