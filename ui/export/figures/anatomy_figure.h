// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/anatomy/anatomy_model.h"

namespace fusebench {

/// Where a call's time goes: a stacked bar for each variant, and below it one of what its device
/// does, all on one scale from 0, with the share of each part where there is room, and a legend of
/// the parts. As high as its bars need, whatever the style's height. Groups: heading, bars, device.
Figure anatomyFigure(const AnatomyModel& model, const FigureStyle& style);

}  // namespace fusebench
