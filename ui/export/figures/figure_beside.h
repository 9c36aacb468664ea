// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"

namespace fusebench {

/// One of two figures that make up a larger one, laid out for a part of its area.
using FigurePanel = std::function<Figure(const FigureStyle&)>;

/// Whether there is width for two figures side by side.
bool panelsAcross(const FigureStyle& style);
/// How wide the second of them is.
double secondPanelWidth(const FigureStyle& style);

/// Two figures side by side, or one below the other if the width is too small (then as high as both
/// need), under one title and above one caption. The first has more room, and only it has readouts
/// and parts that can be hidden. Nothing of the second may need clipping; its groups begin with
/// `secondGroup`.
Figure besideEachOther(const FigurePanel& first, const FigurePanel& second,
                       const QString& secondGroup, const FigureStyle& style);

}  // namespace fusebench
