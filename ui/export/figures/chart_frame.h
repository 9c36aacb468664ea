// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/export/figures/chart_figure.h"

namespace fusebench {

/// Between two curves' whiskers, of the plot's width.
inline constexpr double kWhiskerStep = 0.012;
/// The horizontal shift of curve `place` of `count`, as a fraction of the plot's width.
double whiskerAside(std::size_t place, std::size_t count);

/// Whether the theme distinguishes curves without color.
bool isGray(const Theme& theme);
/// Offset of a name from its curve's mark in such a theme, in ems. Pale grays are hard to read as
/// text, so the mark identifies the curve.
inline constexpr double kNameBehindMark = 1.1;

/// Where the parts around the curves begin.
struct ChartFrame {
  double chipsTop = 0;  ///< top of the upper row of break-even labels
  double wordRow = 0;   ///< height of a line with its words
};

/// The name at the end of a curve. It includes the run if the curve is of another run.
struct EndLabel {
  const Curve* curve = nullptr;
  QString text;
};
/// Names for the shown run's curves, and for other runs' curves whose variants it lacks. The other
/// curves get names if a plot of this height has room for all of them.
std::vector<EndLabel> endLabels(const ChartSubject& subject, const FigureStyle& style,
                                double height);

/// Divides the figure's area, sets its plot rectangle (and gives the words theirs within its range
/// of values), and draws title, legend, axes with their ticks, and caption.
ChartFrame drawFrame(Figure& figure, const ChartSubject& subject, const FigureStyle& style);

}  // namespace fusebench
