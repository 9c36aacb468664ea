// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_series.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// What the parts of a plot share: the drawing area, the content, and the style.
struct PlotFrame {
  /// The requested state of the axes.
  struct Axes {
    std::vector<double> values;  ///< values of the swept axis
    QString label;
    QString unit;          ///< unit of the axis values in sentences
    bool logValue = true;  ///< the vertical axis
    bool logAxis = false;  ///< the swept one
    Quantity quantity = Quantity::time;
    ValueRange whenEmpty{100, 100'000};
  };

  QCustomPlot& plot;
  QCPAxisRect& rect;
  const Theme* theme = &darkTheme();
  Axes axes = {};
  ChartContent content = {};

  QCPAxis* xAxis() const { return rect.axis(QCPAxis::atBottom); }
  QCPAxis* yAxis() const { return rect.axis(QCPAxis::atLeft); }
  double pixelOf(double x) const { return xAxis()->coordToPixel(x); }
  double heightOf(double value) const { return yAxis()->coordToPixel(value); }
  /// Whether a value is within the vertical axis.
  bool drawable(double value) const { return value > 0 || !axes.logValue; }

  QCPGraph* addGraph(const char* layer);
  QCPItemText* addText(Qt::Alignment alignment);
  /// A line at one value of the swept axis, from the top to the bottom.
  QCPItemLine* addVertical(const char* layer);
  /// A line at one value of the vertical axis, across the plot.
  QCPItemLine* addLevel(const char* layer);
  /// A line between pixels.
  QCPItemLine* addLeader();
  /// An ellipse placed in pixels.
  QCPItemEllipse* addDot(const char* layer);
  ChartScales scales() const { return {axes.logAxis, axes.logValue}; }
  /// A fitted line to the second point, excluding the point itself, which belongs to the next one.
  void addLine(QCPGraph& graph, double x0, double y0, double x1, double y1) const;
};

/// Names of the layers on which plots are drawn; ChartView creates them.
inline constexpr const char* kPictureLayer = "pictures";
inline constexpr const char* kBandLayer = "bands";
inline constexpr const char* kCurveLayer = "curves";
inline constexpr const char* kLabelLayer = "labels";
inline constexpr const char* kHoverLayer = "hover";

/// In pixels, with its padding.
double widthOf(const QCPItemText& item);
void setDot(QCPItemEllipse& dot, double x, double y, double radius);

}  // namespace fusebench
