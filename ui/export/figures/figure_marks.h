// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The marker of a series around a point.
void drawMark(FigurePen& pen, MarkerShape shape, const QPointF& middle, double radius,
              const QColor& color, const QColor& inside, double stroke);

}  // namespace fusebench
