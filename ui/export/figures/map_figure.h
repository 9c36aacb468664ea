// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/chart/break_even_map.h"

namespace fusebench {

/// The break-even map as the window draws it: a colour a place, its speed-up where there is room,
/// the line of equal times with its band, and the colours' scale. Groups: places, contour, axes,
/// scale. Nothing but axes for an empty map.
Figure mapFigure(const BreakEvenMap& map, const Experiment& experiment, const FigureStyle& style);

}  // namespace fusebench
