// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_style.h"

namespace fusebench {
namespace {

constexpr double kMillimetre = 96 / 25.4;
constexpr double kPoint = 96.0 / 72;

}  // namespace

const Theme& greyTheme() {
  static const Theme kTheme = [] {
    Theme theme = lightTheme();
    theme.window = theme.panel = theme.raised = QColor("#FFFFFF");
    theme.border = QColor("#808080");
    theme.text = QColor("#000000");
    theme.muted = QColor("#333333");
    theme.grid = QColor("#DDDDDD");
    theme.accent = QColor("#000000");
    theme.warning = QColor("#555555");
    theme.seriesColors = {QColor("#000000"), QColor("#6B6B6B"), QColor("#3C3C3C"),
                          QColor("#8A8A8A"), QColor("#555555"), QColor("#A0A0A0")};
    return theme;
  }();
  return kTheme;
}

std::span<const FigurePreset> figurePresets() {
  static const FigurePreset kPresets[] = {
      {QStringLiteral("screen"), QStringLiteral("Screen, 960 × 540"), {960, 540}, 12.5, false},
      {QStringLiteral("slide"), QStringLiteral("Slide, 1280 × 720"), {1280, 720}, 18, false},
      {QStringLiteral("single"),
       QStringLiteral("Journal, single column (85 mm)"),
       {85 * kMillimetre, 64 * kMillimetre},
       8 * kPoint,
       true},
      {QStringLiteral("double"),
       QStringLiteral("Journal, double column (176 mm)"),
       {176 * kMillimetre, 88 * kMillimetre},
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
  if (preset.grey) style.theme = greyTheme();
  return style;
}

}  // namespace fusebench
