// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/export/figures/chart_figure.h"

namespace fusebench {

/// Between two curves' whiskers, of the plot's width.
inline constexpr double kWhiskerStep = 0.012;
/// How far from its place the curve at that place among `count` stands, of the plot's width.
double whiskerAside(std::size_t place, std::size_t count);

/// Whether the curves are told apart without colour.
bool isGrey(const Theme& theme);
/// How far behind its curve's mark a name stands then, in ems: pale greys are no ink for words.
inline constexpr double kNameBehindMark = 1.1;

/// Where what stands around the curves begins.
struct ChartFrame {
  double chipsTop = 0;  ///< of the break-evens' upper row
  double wordRow = 0;   ///< height of a line with its words
};

/// A name at the end of a curve; of another run's curve with the run.
struct EndLabel {
  const Curve* curve = nullptr;
  QString text;
};
/// Names for as many curves as have room in a plot of that height: the shown run's; of the other
/// runs all, or those whose variants the shown run has not.
std::vector<EndLabel> endLabels(const ChartSubject& subject, const FigureStyle& style,
                                double height);

/// Shares out the figure's room, sets its plot rectangle (and gives the words theirs within its
/// range of values), and draws title, legend, axes with their ticks, and caption.
ChartFrame drawFrame(Figure& figure, const ChartSubject& subject, const FigureStyle& style);

}  // namespace fusebench
