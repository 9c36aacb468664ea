// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>

#include "ui/export/figures/figure.h"

class QPainter;

namespace fusebench {

/// Draws the figure with its corner at the painter's origin, in the figure's unit. Text remains
/// text if the device supports it.
void paintFigure(const Figure& figure, QPainter& painter);

/// A picture of size x scale pixels, which records its resolution. Scales to at most kMostPixels in
/// total.
QImage figureImage(const Figure& figure, double scale);
inline constexpr double kMostPixels = 2e8;

/// A PDF file of one page as large as the figure: vectors and text.
QByteArray figurePdf(const Figure& figure);

}  // namespace fusebench
