// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>
#include <optional>
#include <vector>

#include "ui/look/axis_tickers.h"
#include "ui/models/chart/thinning.h"
#include "ui/views/chart/break_even_marks.h"
#include "ui/views/chart/cost_lines.h"
#include "ui/views/chart/curve_marks.h"
#include "ui/views/chart/curve_picture.h"
#include "ui/views/chart/end_labels.h"
#include "ui/views/chart/model_lines.h"
#include "ui/views/chart/payback_words.h"
#include "ui/views/chart/plot_cursor.h"
#include "ui/views/chart/plot_frame.h"

namespace fusebench {

/// Draws one metric into one axis rectangle: the axes and the curves with bands and marks. Its
/// parts draw names, break-evens, fitted lines, costs, words and the cursor. It draws the
/// ChartContent and computes only positions.
class CurvePlot {
 public:
  using Axes = PlotFrame::Axes;

  CurvePlot(QCustomPlot& plot, QCPAxisRect& rect);

  void setTheme(const Theme& theme);
  void setAxes(Axes axes);
  void setContent(ChartContent content);
  void setShowModels(bool on);
  /// Fades all curves except those of this name, which belong to run `overlay` if that is not -1.
  /// Empty: fades none. Returns whether this changed.
  bool setPointed(const QString& name, int overlay = -1);
  const QString& pointed() const { return pointed_; }
  /// The curve whose line or name is under the mouse.
  std::optional<std::size_t> curveAt(const QPointF& position) const;
  /// How strongly a curve's line is drawn, for tests.
  double strength(std::size_t curve) const { return series_[curve].line->pen().color().alphaF(); }
  void setShowEndLabels(bool on) { names_.setShown(on); }
  bool hasMarkers() const { return !breakEvens_.empty(); }
  /// Shows the chips in the margin above the curves, which state where the curves cross.
  void setShowChips(bool on) { breakEvens_.setShowChips(on); }
  /// Full sentence of the marker at this position; empty if there is none.
  QString markerTip(const QPointF& position) const { return breakEvens_.tipAt(position); }
  QStringList markerSentences() const { return breakEvens_.sentences(); }
  /// Marks the points at one value of the axis, on the hover layer.
  void highlight(std::optional<double> x) { cursor_.highlight(x); }
  /// A second cursor that stays, with a knob to drag it by.
  void setPin(std::optional<double> x) { cursor_.setPin(x); }
  /// After every layout: thins the curves to what is on the screen, and puts names and markers
  /// where they do not cover one another.
  void arrange();

  /// Shows everything, now and when more data arrives.
  void fit();
  /// Shows this range; new data does not change it.
  void show(const AxisRange& x, const AxisRange& y);
  bool fitted() const { return fitted_; }
  AxisRange shownX() const;
  AxisRange shownY() const;
  AxisRange wholeX() const;
  AxisRange wholeY() const;

  const ChartContent& content() const { return frame_.content; }
  const Axes& axes() const { return frame_.axes; }
  const std::vector<Curve>& curves() const { return frame_.content.curves; }
  QCPAxisRect& rect() const { return frame_.rect; }
  /// The axis value nearest to a pixel, if there are values.
  std::optional<double> nearestValue(double pixel) const;
  double pixelOf(double x) const { return frame_.pixelOf(x); }
  /// Number of drawn vertices of the curves in a rectangle, in pixels.
  int pointsWithin(const QRect& area) const;
  /// Vertices handed to the plot for a curve, of all its lines together; for tests.
  int drawnPoints(std::size_t curve) const { return series_[curve].points; }
  /// The curves of very many points.
  CurvePicture& picture() const { return *picture_; }
  /// Names of the cost levels that are drawn with their names, for tests.
  QStringList shownCosts() const { return costs_.named(); }
  const CurveMarks& marks(std::size_t curve) const { return *series_[curve].marks; }

 private:
  bool isFaint(const Curve& curve) const;
  void fadeNames();

  QString pointed_;
  int pointedOverlay_ = -1;
  struct Series {
    QCPGraph* low;
    QCPGraph* high;
    QCPGraph* line;
    CurveMarks* marks;
    Thinner thinner;
    int points = 0;
  };

  void makeSeries();
  void styleSeries(Series& series, const Curve& curve);
  void fill(Series& series, const Curve& curve, std::vector<CurvePicture::DenseCurve>& dense);
  void applyRanges();
  AxisRange numbersY() const;
  /// Whether something drawn here would hide a curve or a name.
  bool covers(const QRectF& area) const;

  PlotFrame frame_;
  std::vector<Series> series_;
  CurvePicture* picture_;
  QCPItemLine* rule_;
  PlotCursor cursor_;
  EndLabels names_;
  BreakEvenMarks breakEvens_;
  ModelLines models_;
  PaybackWords words_;
  CostLines costs_;
  bool fitted_ = true;
  bool stale_ = true;  ///< the curves must be thinned again
  QCPRange filledX_;
  int filledWidth_ = 0;
  QSize roomFor_;  ///< the size for which the words have enough room
  QSharedPointer<QuantityTicker> valueTicker_;
  QSharedPointer<ValueTicker> axisTicker_;
};

}  // namespace fusebench
