// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <QString>
#include <span>

#include "ui/theme/theme.h"

namespace fusebench {

enum class LegendPlace { ends, top, bottom, none };

/// How a figure looks.
struct FigureStyle {
  QSizeF size{960, 540};  ///< in 1/96 inch
  Theme theme = lightTheme();
  double em = 12.5;  ///< font size of plain text
  LegendPlace legend = LegendPlace::ends;
  QString title;    ///< drawn above; empty: none
  QString caption;  ///< drawn below; empty: none
  bool models = true;
  bool markers = true;  ///< break-evens

  /// Lines become thinner and markers smaller as the text does.
  double unit() const { return em / 12.5; }
};

/// Distinguishes series by lightness, dashes and marks, for printing without color.
const Theme& grayTheme();

/// Sizes that journals require: one column of 85 mm, or two of 176 mm, with 8 point text.
struct FigurePreset {
  QString key;   ///< "single": on the command line
  QString name;  ///< "Single column, 85 mm"
  QSizeF size;
  double em;
  bool gray;
};
std::span<const FigurePreset> figurePresets();
/// Null for an unknown key.
const FigurePreset* figurePreset(const QString& key);
FigureStyle styleOf(const FigurePreset& preset);

}  // namespace fusebench
