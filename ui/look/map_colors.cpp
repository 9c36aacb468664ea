// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/map_colors.h"

#include <cmath>

#include "ui/theme/colors.h"

namespace fusebench {

QColor ratioColor(double strength, const Theme& theme) {
  if (std::isnan(strength)) return theme.panel;
  const QColor& hue = theme.seriesColors[strength > 0 ? 0 : 1];
  const double amount = std::pow(std::abs(strength), 0.8);
  if (hue.saturation() == 0)
    return blend(QColor(Qt::black), QColor(Qt::white),
                 0.3 + 0.45 * (strength > 0 ? amount : -0.6 * amount));
  constexpr double kFullHue = 0.6;
  if (amount <= kFullHue) return blend(hue, theme.raised, amount / kFullHue);
  return blend(theme.text, hue, 0.6 * (amount - kFullHue) / (1 - kFullHue));
}

}  // namespace fusebench
