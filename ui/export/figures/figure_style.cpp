// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_style.h"

#include "ui/export/figures/figure.h"
#include "ui/models/base/ui_text.h"

#include <algorithm>

namespace fusebench {
namespace {

constexpr double kStyleMillimeter = kUnitsPerInch / 25.4;
constexpr double kPoint = 96.0 / 72;

}  // namespace

const Theme& grayTheme() {
  static const Theme kTheme = [] {
    Theme theme = lightTheme();
    theme.window = theme.panel = theme.raised = QColor("#FFFFFF");
    theme.border = QColor("#808080");
    theme.text = QColor("#000000");
    theme.muted = QColor("#333333");
    theme.grid = QColor("#DDDDDD");
    theme.accent = QColor("#000000");
    theme.warning = QColor("#555555");
    // Even steps of lightness up to 3:1 against white. Neighbors differ strongly, and marks and
    // dashes distinguish them as well.
    theme.seriesColors = {QColor("#000000"), QColor("#7A7A7A"), QColor("#3F3F3F"),
                          QColor("#929292"), QColor("#232323"), QColor("#5C5C5C")};
    std::copy_n(theme.seriesColors.begin(), theme.moreColors.size(), theme.moreColors.begin());
    return theme;
  }();
  return kTheme;
}

std::span<const FigurePreset> figurePresets() {
  static const FigurePreset kPresets[] = {
      {QStringLiteral("screen"), QStringLiteral("Screen, 960 × 540"), {960, 540}, 12.5, false},
      {QStringLiteral("slide"), QStringLiteral("Slide, 1280 × 720"), {1280, 720}, 18, false},
      {QStringLiteral("single"),
       uiText("Journal, single column (85 mm)"),
       {85 * kStyleMillimeter, 64 * kStyleMillimeter},
       8 * kPoint,
       true},
      {QStringLiteral("double"),
       uiText("Journal, double column (176 mm)"),
       {176 * kStyleMillimeter, 88 * kStyleMillimeter},
       8 * kPoint,
       true},
  };
  return kPresets;
}

const FigurePreset* figurePreset(const QString& key) {
  for (const FigurePreset& preset : figurePresets())
    if (preset.key == key) return &preset;
  return nullptr;
}

FigureStyle styleOf(const FigurePreset& preset) {
  FigureStyle style;
  style.size = preset.size;
  style.em = preset.em;
  if (preset.gray) style.theme = grayTheme();
  return style;
}

}  // namespace fusebench
