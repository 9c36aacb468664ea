// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/theme/theme.h"

namespace fusebench {

/// The color of a ratio by its strength on the map's scale, from -1 to 1: blue for faster, orange
/// for slower, which remain distinct with every common color blindness. The ends blend into the
/// text color, so that lightness shows strength, too. A theme without colors uses dark for faster
/// and light for slower. A strength that is NaN gets the panel's background.
QColor ratioColor(double strength, const Theme& theme);

}  // namespace fusebench
