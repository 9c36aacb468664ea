// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QSharedPointer>
#include <optional>
#include <vector>

#include "profiler/crossings.h"
#include "ui/models/curves.h"
#include "ui/theme.h"
#include "ui/views/axis_tickers.h"

namespace fusebench {

/// Draws curves with bands, their names at their ends and break-even markers into one axis
/// rectangle.
class CurvePlot {
 public:
  /// How the axes are to be.
  struct Axes {
    std::vector<double> values;  ///< of the swept axis
    QString label;
    bool logLatency = true;
    LatencyRange whenEmpty{100, 100'000};
  };

  CurvePlot(QCustomPlot& plot, QCPAxisRect& rect, bool dashed);

  void setTheme(const Theme& theme);
  void setAxes(Axes axes);
  void setCurves(std::vector<Curve> curves);
  /// Only break-evens that were found are drawn.
  void setCrossings(const std::vector<Crossing>& crossings);
  bool hasMarkers() const { return !markers_.empty(); }
  /// Marks the points at one value of the axis, on the hover layer.
  void highlight(std::optional<double> x);
  /// Puts names and markers where they do not cover one another: call after every layout.
  void placeLabels();

  const std::vector<Curve>& curves() const { return curves_; }
  QCPAxisRect& rect() const { return rect_; }
  /// The axis value nearest to a pixel, if there are values.
  std::optional<double> nearestValue(double pixel) const;
  double pixelOf(double x) const;
  /// How many drawn vertices of the curves lie in a rectangle of pixels.
  int pointsWithin(const QRect& area) const;
  /// Latency of a curve at x by linear interpolation; nothing outside of its points.
  static std::optional<double> valueAt(const Curve& curve, double x);

 private:
  struct Series {
    QCPGraph* low;
    QCPGraph* high;
    QCPGraph* line;
    QCPGraph* done;
    QCPGraph* open;
    QCPItemText* label;
    QCPItemEllipse* ring;
  };
  struct Marker {
    Crossing crossing;
    QCPItemRect* interval;
    QCPItemLine* line;
    QCPItemEllipse* dot;
    QCPItemText* chip;
  };

  QCPGraph* addGraph(const QString& layer);
  void fitSeries();
  void styleSeries(Series& series, const Curve& curve);
  void fill(Series& series, const Curve& curve);
  void applyAxes();
  void clearMarkers();
  void styleMarker(Marker& marker);
  int variantOf(const std::string& name) const;

  QCustomPlot& plot_;
  QCPAxisRect& rect_;
  bool dashed_;
  const Theme* theme_ = &darkTheme();
  Axes axes_;
  std::vector<Curve> curves_;
  std::vector<Series> series_;
  std::vector<Marker> markers_;
  std::optional<double> highlighted_;
  QCPItemLine* cursor_;
  QSharedPointer<LatencyTicker> latencyTicker_;
  QSharedPointer<ValueTicker> valueTicker_;
};

/// Moves positions apart until neighbours are `gap` apart, within [low, high] where there is room.
/// The order of the result is that of the input.
std::vector<double> spreadApart(std::vector<double> positions, double gap, double low, double high);

/// Names of the layers that CurvePlot draws on; ChartView makes them.
inline constexpr const char* kBandLayer = "bands";
inline constexpr const char* kCurveLayer = "curves";
inline constexpr const char* kLabelLayer = "labels";
inline constexpr const char* kHoverLayer = "hover";

}  // namespace fusebench
