// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/chart_figure.h"

namespace fusebench {

/// Where what stands around the curves begins.
struct ChartFrame {
  double chipsTop = 0;  ///< of the break-evens' upper row
  double wordRow = 0;   ///< height of a line with its words
};

/// Shares out the figure's room, sets its plot rectangle (and gives the words theirs within its
/// range of values), and draws title, legend, axes with their ticks, and caption.
/// A name at the end of a curve; of another run's curve with the run.
struct EndLabel {
  const Curve* curve = nullptr;
  QString text;
};
/// Names for as many curves as have room in a plot of that height: the shown run's; of the other
/// runs all, or those whose variants the shown run has not.
std::vector<EndLabel> endLabels(const ChartSubject& subject, const FigureStyle& style,
                                double height);

ChartFrame drawFrame(Figure& figure, const ChartSubject& subject, const FigureStyle& style);

}  // namespace fusebench
