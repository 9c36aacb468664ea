// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/theme/theme.h"

namespace fusebench {

/// The colour of a ratio by its strength on the map's scale, from -1 to 1: blue for faster, orange
/// for slower, which are told apart with every common colour blindness. Towards the ends the colour
/// goes on towards the text's, so that strength shows as lightness, too. In a theme without colours
/// dark is faster and light slower. The panel's ground for a strength that is no number.
QColor ratioColor(double strength, const Theme& theme);

}  // namespace fusebench
