// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ui/models/format.h"

namespace fusebench {
namespace {

constexpr int kStepsPerSegment = 16;
constexpr double kMarkerSize = 7.5;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QCPScatterStyle::ScatterShape shapeOf(MarkerShape marker) {
  switch (marker) {
    case MarkerShape::circle:
      return QCPScatterStyle::ssCircle;
    case MarkerShape::square:
      return QCPScatterStyle::ssSquare;
    case MarkerShape::diamond:
      return QCPScatterStyle::ssDiamond;
    case MarkerShape::triangle:
      return QCPScatterStyle::ssTriangle;
    case MarkerShape::cross:
      return QCPScatterStyle::ssCross;
    case MarkerShape::plus:
      return QCPScatterStyle::ssPlus;
  }
  return QCPScatterStyle::ssCircle;
}

double positive(double value) {
  return value > 0 ? value : kNone;
}

/// On a logarithmic axis a straight stroke between two points is not the linear interpolation that
/// break-evens are computed with, so segments are drawn through interpolated points.
void addSegment(QCPGraph& graph, double x0, double y0, double x1, double y1) {
  for (int step = 0; step < kStepsPerSegment; ++step) {
    const double t = static_cast<double>(step) / kStepsPerSegment;
    graph.addData(x0 + t * (x1 - x0), positive(y0 + t * (y1 - y0)));
  }
}

}  // namespace

std::vector<double> spreadApart(std::vector<double> positions, double gap, double low,
                                double high) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  double least = low;
  for (const std::size_t i : order) {
    positions[i] = std::max(positions[i], least);
    least = positions[i] + gap;
  }
  double most = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    positions[*i] = std::min(positions[*i], most);
    most = positions[*i] - gap;
  }
  return positions;
}

CurvePlot::CurvePlot(QCustomPlot& plot, QCPAxisRect& rect, bool dashed)
    : plot_(plot),
      rect_(rect),
      dashed_(dashed),
      cursor_(new QCPItemLine(&plot)),
      latencyTicker_(new LatencyTicker),
      valueTicker_(new ValueTicker) {
  QCPAxis* x = rect.axis(QCPAxis::atBottom);
  QCPAxis* y = rect.axis(QCPAxis::atLeft);
  x->setTicker(valueTicker_);
  y->setTicker(latencyTicker_);
  latencyTicker_->setTickCount(6);
  for (QCPAxis* axis : {x, y}) {
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(0);
    axis->setSubTickLengthIn(0);
    axis->setTickLabelPadding(7);
    axis->grid()->setZeroLinePen(Qt::NoPen);
  }
  x->setLabelPadding(5);
  x->grid()->setVisible(false);
  cursor_->setLayer(kHoverLayer);
  cursor_->setClipAxisRect(&rect);
  cursor_->setVisible(false);
  for (QCPItemPosition* position : {cursor_->start, cursor_->end}) {
    position->setAxisRect(&rect);
    position->setAxes(x, y);
    position->setTypeX(QCPItemPosition::ptPlotCoords);
    position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
}

void CurvePlot::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (QCPAxis* axis : {rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft)}) {
    axis->setBasePen(axis->axisType() == QCPAxis::atBottom ? QPen(theme.border) : QPen(Qt::NoPen));
    axis->setTickPen(Qt::NoPen);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.muted);
    axis->setLabelColor(theme.muted);
    axis->setTickLabelFont(textFont(0.92));
    axis->setLabelFont(textFont(0.92));
    axis->grid()->setPen(QPen(theme.grid, 1));
    axis->grid()->setSubGridPen(QPen(theme.grid, 1, Qt::DotLine));
  }
  cursor_->setPen(QPen(theme.muted, 1));
  for (std::size_t i = 0; i < series_.size(); ++i) styleSeries(series_[i], curves_[i]);
  for (Marker& marker : markers_) styleMarker(marker);
  highlight(highlighted_);
}

void CurvePlot::setAxes(Axes axes) {
  axes_ = std::move(axes);
  valueTicker_->setValues(axes_.values);
  latencyTicker_->setLogarithmic(axes_.logLatency);
  rect_.axis(QCPAxis::atBottom)->setLabel(axes_.label);
  rect_.axis(QCPAxis::atLeft)
      ->setScaleType(axes_.logLatency ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  applyAxes();
}

void CurvePlot::setCurves(std::vector<Curve> curves) {
  curves_ = std::move(curves);
  fitSeries();
  for (std::size_t i = 0; i < series_.size(); ++i) {
    styleSeries(series_[i], curves_[i]);
    fill(series_[i], curves_[i]);
  }
  applyAxes();
}

QCPGraph* CurvePlot::addGraph(const QString& layer) {
  QCPGraph* graph = plot_.addGraph(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
  graph->setLayer(layer);
  graph->setSelectable(QCP::stNone);
  return graph;
}

void CurvePlot::fitSeries() {
  while (series_.size() > curves_.size()) {
    const Series& last = series_.back();
    last.low->setChannelFillGraph(nullptr);
    for (QCPGraph* graph : {last.low, last.high, last.line, last.done, last.open})
      plot_.removeGraph(graph);
    plot_.removeItem(last.label);
    plot_.removeItem(last.ring);
    series_.pop_back();
  }
  while (series_.size() < curves_.size()) {
    Series series{addGraph(kBandLayer),      addGraph(kBandLayer),  addGraph(kCurveLayer),
                  addGraph(kCurveLayer),     addGraph(kCurveLayer), new QCPItemText(&plot_),
                  new QCPItemEllipse(&plot_)};
    series.low->setChannelFillGraph(series.high);
    for (QCPGraph* graph : {series.done, series.open}) graph->setLineStyle(QCPGraph::lsNone);
    series.label->setLayer(kLabelLayer);
    series.label->setClipToAxisRect(false);
    series.label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    series.label->position->setType(QCPItemPosition::ptAbsolute);
    series.ring->setLayer(kHoverLayer);
    series.ring->setClipToAxisRect(false);
    series.ring->topLeft->setType(QCPItemPosition::ptAbsolute);
    series.ring->bottomRight->setType(QCPItemPosition::ptAbsolute);
    series.ring->setVisible(false);
    series_.push_back(series);
  }
}

void CurvePlot::styleSeries(Series& series, const Curve& curve) {
  const SeriesStyle style = theme_->series(curve.variant);
  QColor band = style.color;
  band.setAlphaF(theme_->dark ? 0.22f : 0.18f);
  series.low->setPen(Qt::NoPen);
  series.high->setPen(Qt::NoPen);
  series.low->setBrush(band);
  QPen pen(style.color, 2);
  pen.setCapStyle(Qt::FlatCap);
  if (dashed_)
    pen.setDashPattern({4, 3});
  else if (!style.dashes.isEmpty())
    pen.setDashPattern(style.dashes);
  series.line->setPen(pen);
  const auto shape = shapeOf(style.marker);
  const QPen outline(style.color, 1.6);
  series.done->setScatterStyle(QCPScatterStyle(shape, outline, style.color, kMarkerSize));
  series.open->setScatterStyle(QCPScatterStyle(shape, outline, theme_->panel, kMarkerSize));
  series.label->setText(curve.name);
  series.label->setFont(textFont(0.96, QFont::DemiBold));
  series.label->setColor(style.color);
  series.ring->setPen(QPen(theme_->text, 1.5));
}

void CurvePlot::fill(Series& series, const Curve& curve) {
  for (QCPGraph* graph : {series.low, series.high, series.line, series.done, series.open})
    graph->data()->clear();
  if (curve.points.empty()) return;
  const std::vector<CurvePoint> points = thinned(
      curve.points, curve.points.front().x, curve.points.back().x, std::max(100, rect_.width()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CurvePoint& p = points[i];
    (p.done ? series.done : series.open)->addData(p.x, positive(p.latency.value));
    const bool band = p.latency.kind != Estimate::Kind::none;
    if (i + 1 < points.size()) {
      const CurvePoint& next = points[i + 1];
      addSegment(*series.line, p.x, p.latency.value, next.x, next.latency.value);
      if (band && next.latency.kind != Estimate::Kind::none) {
        addSegment(*series.low, p.x, p.latency.low, next.x, next.latency.low);
        addSegment(*series.high, p.x, p.latency.high, next.x, next.latency.high);
      }
    } else {
      series.line->addData(p.x, positive(p.latency.value));
      if (band) {
        series.low->addData(p.x, positive(p.latency.low));
        series.high->addData(p.x, positive(p.latency.high));
      }
    }
  }
}

void CurvePlot::applyAxes() {
  QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  if (!axes_.values.empty()) {
    const double first = axes_.values.front(), last = axes_.values.back();
    const bool wide = first > 0 && last / first > 200;
    x->setScaleType(wide ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (wide) {
      const double pad = std::pow(last / first, 0.035);
      x->setRange(first / pad, last * pad);
    } else {
      const double pad = last > first ? 0.035 * (last - first) : 1;
      x->setRange(first - pad, last + pad);
    }
  }
  LatencyRange range = latencyRange(curves_);
  if (range.high <= 0) range = axes_.whenEmpty;
  if (axes_.logLatency) {
    const double ratio = std::max(range.high / range.low, 2.0);
    const double pad = std::pow(ratio, 0.09);
    const double middle = std::sqrt(range.low * range.high);
    y->setRange(std::min(range.low, middle / std::sqrt(ratio)) / pad,
                std::max(range.high, middle * std::sqrt(ratio)) * pad);
  } else {
    y->setRange(0, range.high * 1.08);
  }
}

int CurvePlot::variantOf(const std::string& name) const {
  for (const Curve& curve : curves_)
    if (curve.name == QString::fromStdString(name)) return curve.variant;
  return 0;
}

std::optional<double> CurvePlot::valueAt(const Curve& curve, double x) {
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const CurvePoint& p = curve.points[i];
    if (p.x == x) return p.latency.value;
    if (i + 1 < curve.points.size() && p.x < x && x < curve.points[i + 1].x) {
      const CurvePoint& q = curve.points[i + 1];
      return p.latency.value + (x - p.x) / (q.x - p.x) * (q.latency.value - p.latency.value);
    }
  }
  return std::nullopt;
}

std::optional<double> CurvePlot::nearestValue(double pixel) const {
  std::optional<double> best;
  for (const double value : axes_.values)
    if (!best || std::abs(pixelOf(value) - pixel) < std::abs(pixelOf(*best) - pixel)) best = value;
  return best;
}

int CurvePlot::pointsWithin(const QRect& area) const {
  int count = 0;
  for (const Series& series : series_)
    for (const QCPGraphData& point : *series.line->data())
      if (area.contains(QPointF(rect_.axis(QCPAxis::atBottom)->coordToPixel(point.key),
                                rect_.axis(QCPAxis::atLeft)->coordToPixel(point.value))
                            .toPoint()))
        ++count;
  return count;
}

double CurvePlot::pixelOf(double x) const {
  return rect_.axis(QCPAxis::atBottom)->coordToPixel(x);
}

}  // namespace fusebench
