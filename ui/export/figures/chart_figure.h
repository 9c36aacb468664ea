// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// The contents of a chart.
struct ChartSubject {
  QString id = QStringLiteral("chart");
  ChartContent content;
  std::vector<double> values;  ///< values of the swept axis
  QString axisLabel;
  QString axisUnit;  ///< unit of the axis values in sentences
  QString valueLabel;
  QString title;  ///< for screen readers, whether or not it is drawn
  bool logAxis = false;
  bool logValue = true;
  ChartScales scales() const { return {logAxis, logValue}; }

  std::optional<AxisRange> x, y;  ///< visible range; by default everything
  std::vector<QString> overlayNames;
  QStringList heading;    ///< lines above the plot: which of several charts it is; usually empty
  bool whiskers = false;  ///< draw intervals as bars side by side instead of bands
};

/// The chart of a metric of a run, as the window shows it at first. `overlays` are drawn thinner.
ChartSubject chartSubject(const Run& run, const CellSummaries& summaries, const Analysis& analysis,
                          Metric metric, std::size_t slice = 0,
                          const std::vector<Overlay>& overlays = {},
                          ShownTime time = ShownTime::wall);
/// The published curves; matched to the experiment's variants by name.
ChartSubject chartSubject(const Reference& reference, const Experiment& experiment);

/// Lays the chart out: groups are axes, models, band-NAME, curve-NAME, break-evens, words, labels.
Figure chartFigure(const ChartSubject& subject, const FigureStyle& style);

/// Adds the readout at each value of the axis, for hovering with the pointer.
void addReadings(Figure& figure, const ChartSubject& subject, const Run& run,
                 const CellSummaries& summaries, std::size_t slice = 0);

}  // namespace fusebench
