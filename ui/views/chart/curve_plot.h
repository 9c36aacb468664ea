// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QSharedPointer>
#include <optional>
#include <vector>

#include "profiler/analysis/crossings.h"
#include "ui/models/chart/axis_range.h"
#include "ui/models/chart/chart_series.h"
#include "ui/models/chart/thinning.h"
#include "ui/theme/theme.h"
#include "ui/views/chart/axis_tickers.h"
#include "ui/views/chart/curve_marks.h"
#include "ui/views/chart/curve_picture.h"

namespace fusebench {

/// Draws one metric into one axis rectangle: curves with bands, marks and names at their ends,
/// break-even markers, fitted lines, words and the cursor. It draws what ChartContent says and
/// computes nothing but places.
class CurvePlot {
 public:
  /// How the axes are to be.
  struct Axes {
    std::vector<double> values;  ///< of the swept axis
    QString label;
    bool logValue = true;  ///< the vertical axis
    bool logAxis = false;  ///< the swept one
    Quantity quantity = Quantity::time;
    ValueRange whenEmpty{100, 100'000};
  };

  CurvePlot(QCustomPlot& plot, QCPAxisRect& rect);

  void setTheme(const Theme& theme);
  void setAxes(Axes axes);
  void setContent(ChartContent content);
  void setShowModels(bool on);
  void setShowEndLabels(bool on) { endLabels_ = on; }
  bool hasMarkers() const { return !markers_.empty(); }
  /// What the marker says that is drawn here, in full; empty beside all of them.
  QString markerTip(const QPointF& position) const;
  QStringList markerSentences() const;
  /// Marks the points at one value of the axis, on the hover layer.
  void highlight(std::optional<double> x);
  /// A second cursor that stays, with a knob to drag it by.
  void setPin(std::optional<double> x);
  /// After every layout: thins the curves to what is on the screen, and puts names and markers
  /// where they do not cover one another.
  void arrange();

  /// Shows everything, now and as the data grow.
  void fit();
  /// Shows this; data that come in change it no more.
  void show(const AxisRange& x, const AxisRange& y);
  bool fitted() const { return fitted_; }
  AxisRange shownX() const;
  AxisRange shownY() const;
  AxisRange wholeX() const;
  AxisRange wholeY() const;

  const ChartContent& content() const { return content_; }
  const std::vector<Curve>& curves() const { return content_.curves; }
  QCPAxisRect& rect() const { return rect_; }
  /// The axis value nearest to a pixel, if there are values.
  std::optional<double> nearestValue(double pixel) const;
  double pixelOf(double x) const;
  /// How many drawn vertices of the curves lie in a rectangle of pixels.
  int pointsWithin(const QRect& area) const;
  /// Vertices handed to the plot for a curve, of all its lines together; for tests.
  int drawnPoints(std::size_t curve) const { return series_[curve].points; }
  /// The curves of very many points.
  CurvePicture& picture() const { return *picture_; }
  /// Names of the cost levels that are drawn with their names, for tests.
  QStringList shownCosts() const;
  const CurveMarks& marks(std::size_t curve) const { return *series_[curve].marks; }
  /// Value of a curve at x by linear interpolation; nothing outside of its points.
  static std::optional<double> valueAt(const Curve& curve, double x);

 private:
  struct Series {
    QCPGraph* low;
    QCPGraph* high;
    QCPGraph* line;
    CurveMarks* marks;
    QCPItemText* label;
    QCPItemEllipse* ring;
    Thinner thinner;
    int points = 0;
  };
  struct Marker {
    Crossing crossing;
    QCPItemRect* interval;
    QCPItemLine* line;
    QCPItemEllipse* dot;
    QCPItemText* chip;
  };
  struct Model {
    QCPGraph* line;
    QCPItemText* label;
  };
  struct Cost {
    QCPItemLine* line;
    QCPItemText* label;
  };
  struct Word {
    QCPItemLine* line;
    QCPItemText* label;
  };
  /// In pixels: a line and where its text starts; row 0 is nearest to the edge.
  struct WordPlace {
    double left = 0, right = 0, text = 0;
    int row = 0;
  };

  QCPGraph* addGraph(const char* layer);
  QCPItemText* addText(Qt::Alignment alignment);
  QCPItemLine* addVertical(const char* layer);
  void makeSeries();
  void makeMarkers();
  void makeModels();
  void makeWords();
  void makeCosts();
  void styleCosts();
  void placeCosts();
  void styleSeries(Series& series, const Curve& curve);
  void styleMarker(Marker& marker);
  void styleModels();
  void styleWords();
  void fill(Series& series, const Curve& curve, std::vector<CurvePicture::DenseCurve>& dense);
  void fillModels();
  void addSegment(QCPGraph& graph, double x0, double y0, double x1, double y1) const;
  void applyRanges();
  void placeEndLabels();
  void placeMarkers();
  void placeModels();
  /// Whether something drawn here would hide a curve or a name.
  bool covers(const QRectF& area) const;
  void placeWords();
  std::vector<WordPlace> wordPlaces() const;
  AxisRange numbersY() const;
  /// The range that leaves the words rows of their own above and below it.
  AxisRange withRoomForWords(AxisRange range) const;
  void placePin();
  int seriesNamed(const std::string& variant) const;

  QCustomPlot& plot_;
  QCPAxisRect& rect_;
  const Theme* theme_ = &darkTheme();
  Axes axes_;
  ChartContent content_;
  std::vector<Series> series_;
  std::vector<Marker> markers_;
  std::vector<Model> models_;
  std::vector<Word> words_;
  std::vector<Cost> costs_;
  CurvePicture* picture_;
  QCPItemLine* rule_;
  QCPItemLine* cursor_;
  QCPItemLine* pinLine_;
  QCPItemEllipse* knob_;
  std::optional<double> highlighted_, pin_;
  bool fitted_ = true;
  bool showModels_ = true;
  bool endLabels_ = true;
  bool stale_ = true;  ///< the curves must be thinned anew
  QCPRange filledX_;
  int filledWidth_ = 0;
  QSize roomFor_;  ///< the size for which the words have their room
  QSharedPointer<QuantityTicker> valueTicker_;
  QSharedPointer<ValueTicker> axisTicker_;
};

/// Moves positions apart until neighbours are `gap` apart, within [low, high] where there is room.
/// The order of the result is that of the input.
std::vector<double> spreadApart(std::vector<double> positions, double gap, double low, double high);

/// Names of the layers that CurvePlot draws on; ChartView makes them.
inline constexpr const char* kPictureLayer = "pictures";
inline constexpr const char* kBandLayer = "bands";
inline constexpr const char* kCurveLayer = "curves";
inline constexpr const char* kLabelLayer = "labels";
inline constexpr const char* kHoverLayer = "hover";

}  // namespace fusebench
