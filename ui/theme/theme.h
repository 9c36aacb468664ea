// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QString>
#include <QVector>
#include <array>

class QApplication;
class QWidget;

namespace fusebench {

/// The shape of a curve's markers, which distinguishes curves without color, too.
enum class MarkerShape { circle, square, diamond, triangle, cross, plus };

/// The style that distinguishes one curve from the others.
struct SeriesStyle {
  QColor color;
  QVector<qreal> dashes;  ///< in pen widths; empty: solid
  MarkerShape marker = MarkerShape::circle;
};

/// The colors of one appearance. Everything that is drawn takes its colors from here.
struct Theme {
  bool dark = true;
  QColor window, panel, raised, border, text, muted, accent, accentHover, onAccent, grid;
  QColor warning, error;
  std::array<QColor, 6> seriesColors;
  std::array<QColor, 4> moreColors;  ///< for the curves beyond those

  /// Style of curve number `index`. Colors repeat after ten, dashes after four, markers after six.
  SeriesStyle series(int index) const;
};

const Theme& darkTheme();
const Theme& lightTheme();

/// Inter at 9.75 points times `scale`, or the best available font.
QFont textFont(double scale = 1, QFont::Weight weight = QFont::Normal);
/// JetBrains Mono, or another fixed-width font.
QFont monoFont(double scale = 1);

/// Palette, font and style sheet of the whole application. A further call sets the palette only;
/// hidden widgets take their colors when they are shown.
void applyTheme(QApplication& application, const Theme& theme);
/// It names roles of the palette and is the same in both themes.
QString styleSheet();
/// A sheet in which @panel@, @border@ and so on stand for the theme's colors of these names, as
/// roles of the palette. They follow the theme, so that the sheet never has to be set again.
QString withRoles(const char* sheet);
/// Sets a widget's own style sheet if it differs from the current one: Qt lays out and polishes all
/// its children.
void styleBy(QWidget& widget, const QString& sheet);

/// A shipped icon (resources/icons/NAME.svg) drawn in the theme's text color, or in `color`.
QIcon themedIcon(const QString& name, const Theme& theme, const QColor& color = {});
QIcon applicationIcon();

}  // namespace fusebench
