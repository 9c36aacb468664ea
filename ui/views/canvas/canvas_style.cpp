// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {

QColor categoryColor(const Theme& theme, Category category) {
  const auto series = [&](std::size_t i) { return theme.seriesColors[i]; };
  switch (category) {
    case Category::arithmetic:
    case Category::casting:
      return series(0);
    case Category::powers:
    case Category::exponential:
    case Category::special:
      return series(1);
    case Category::trigonometric:
    case Category::hyperbolic:
      return series(2);
    case Category::activation:
      return series(3);
    case Category::comparison:
    case Category::selection:
    case Category::rounding:
    case Category::bits:
      return series(4);
    case Category::reduction:
    case Category::contraction:
    case Category::collective:
      return series(5);
    case Category::views:
    case Category::making:
      return theme.muted;
  }
  return theme.muted;
}

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](double x, double y) { return static_cast<int>(x + (y - x) * share); };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()),
                mix(a.alpha(), b.alpha()));
}

QColor heatColor(const Theme& theme, const QColor& fill, double heat) {
  constexpr double kMostHeat = 0.55;  // text stays legible on it
  return mixed(fill, theme.warning, kMostHeat * heat);
}

QColor canvasGround(const Theme& theme) {
  return theme.dark ? theme.window : mixed(theme.window, theme.panel, 0.35);
}

namespace canvas {

QFont titleFont(bool symbol) {
  QFont font = symbol ? monoFont(1.05) : textFont(0.95, QFont::DemiBold);
  if (symbol) font.setWeight(QFont::DemiBold);
  return font;
}

QFont chipFont() {
  return monoFont(kSmallest);
}

QFont smallFont() {
  return monoFont(kSmallest);
}

QFont problemFont() {
  return textFont(kSmallest);
}

}  // namespace canvas
}  // namespace fusebench
