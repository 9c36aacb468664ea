// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/views/chart/curve_dashes.h"

namespace fusebench {
namespace {

constexpr int kPlotStepsPerSegment = 16;
/// More are so near that a straight stroke will do, and so many that they are drawn as a picture.
constexpr std::size_t kFewPoints = 100;
constexpr double kMarkerSize = 7.5;
constexpr double kSmallestMarker = 4;
constexpr double kObservationSize = 4.5;
constexpr double kRoomForMarkers = 9;  ///< pixels a point needs to carry one
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool sameRange(const QCPRange& a, const QCPRange& b) {
  return a.lower == b.lower && a.upper == b.upper;
}

}  // namespace

CurvePlot::CurvePlot(QCustomPlot& plot, QCPAxisRect& rect)
    : plot_(plot),
      rect_(rect),
      picture_(new CurvePicture(plot, rect)),
      rule_(new QCPItemLine(&plot)),
      cursor_(addVertical(kHoverLayer)),
      pinLine_(addVertical(kHoverLayer)),
      knob_(new QCPItemEllipse(&plot)),
      valueTicker_(new QuantityTicker),
      axisTicker_(new ValueTicker) {
  QCPAxis* x = rect.axis(QCPAxis::atBottom);
  QCPAxis* y = rect.axis(QCPAxis::atLeft);
  x->setTicker(axisTicker_);
  y->setTicker(valueTicker_);
  valueTicker_->setTickCount(6);
  for (QCPAxis* axis : {x, y}) {
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(0);
    axis->setSubTickLengthIn(0);
    axis->setTickLabelPadding(7);
    axis->grid()->setZeroLinePen(Qt::NoPen);
  }
  x->setLabelPadding(5);
  x->grid()->setVisible(false);
  cursor_->setVisible(false);
  pinLine_->setVisible(false);
  knob_->setLayer(kHoverLayer);
  knob_->setClipToAxisRect(false);
  knob_->setVisible(false);
  for (QCPItemPosition* position : {knob_->topLeft, knob_->bottomRight})
    position->setType(QCPItemPosition::ptAbsolute);
  picture_->setLayer(kPictureLayer);
  rule_->setLayer(kBandLayer);
  rule_->setClipAxisRect(&rect);
  rule_->setVisible(false);
  for (QCPItemPosition* position : {rule_->start, rule_->end}) {
    position->setAxisRect(&rect);
    position->setAxes(x, y);
    position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    position->setTypeY(QCPItemPosition::ptPlotCoords);
  }
}

QCPItemLine* CurvePlot::addVertical(const char* layer) {
  auto* line = new QCPItemLine(&plot_);
  line->setLayer(layer);
  line->setClipAxisRect(&rect_);
  for (QCPItemPosition* position : {line->start, line->end}) {
    position->setAxisRect(&rect_);
    position->setAxes(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
    position->setTypeX(QCPItemPosition::ptPlotCoords);
    position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  return line;
}

QCPGraph* CurvePlot::addGraph(const char* layer) {
  auto* graph = new QCPGraph(rect_.axis(QCPAxis::atBottom), rect_.axis(QCPAxis::atLeft));
  graph->removeFromLegend();
  graph->setLayer(layer);
  graph->setSelectable(QCP::stNone);
  graph->setAdaptiveSampling(false);  // thinned already
  return graph;
}

QCPItemText* CurvePlot::addText(Qt::Alignment alignment) {
  auto* text = new QCPItemText(&plot_);
  text->setLayer(kLabelLayer);
  text->setClipToAxisRect(false);
  text->setPositionAlignment(alignment);
  text->position->setType(QCPItemPosition::ptAbsolute);
  return text;
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
  pinLine_->setPen(QPen(theme.accent, 1));
  knob_->setPen(QPen(theme.panel, 1.5));
  knob_->setBrush(theme.accent);
  rule_->setPen(QPen(theme.muted, 1.2));
  for (std::size_t i = 0; i < series_.size(); ++i) styleSeries(series_[i], content_.curves[i]);
  for (Marker& marker : markers_) styleMarker(marker);
  styleModels();
  styleWords();
  styleCosts();
  picture_->forget();
  stale_ = true;
}

void CurvePlot::setAxes(Axes axes) {
  if (axes.logAxis != axes_.logAxis || axes.logValue != axes_.logValue ||
      axes.quantity != axes_.quantity)
    picture_->forget();
  axes_ = std::move(axes);
  axisTicker_->setValues(axes_.values);
  axisTicker_->setLogarithmic(axes_.logAxis);
  valueTicker_->setLogarithmic(axes_.logValue);
  valueTicker_->setQuantity(axes_.quantity);
  QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  x->setLabel(axes_.label);
  x->setScaleType(axes_.logAxis ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  rect_.axis(QCPAxis::atLeft)
      ->setScaleType(axes_.logValue ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  stale_ = true;
  applyRanges();
}

void CurvePlot::setContent(ChartContent content) {
  if (content.metric != content_.metric || content.time != content_.time) picture_->forget();
  content_ = std::move(content);
  makeSeries();
  makeMarkers();
  makeModels();
  makeWords();
  makeCosts();
  // Where everything is said in words, figures on the axis would be of nothing.
  const bool anyNumber = content_.words.empty() ||
                         std::any_of(content_.curves.begin(), content_.curves.end(),
                                     [](const Curve& curve) { return !curve.points.empty(); });
  rect_.axis(QCPAxis::atLeft)->setTickLabels(anyNumber);
  rect_.axis(QCPAxis::atLeft)->grid()->setVisible(anyNumber);
  rule_->setVisible(content_.rule.has_value());
  if (content_.rule) {
    rule_->start->setCoords(0, *content_.rule);
    rule_->end->setCoords(1, *content_.rule);
  }
  stale_ = true;
  applyRanges();
}

void CurvePlot::setShowModels(bool on) {
  showModels_ = on;
  stale_ = true;
}

void CurvePlot::makeSeries() {
  const std::vector<Curve>& curves = content_.curves;
  while (series_.size() > curves.size()) {
    const Series& series = series_.back();
    for (QCPGraph* graph : {series.low, series.high, series.line}) plot_.removePlottable(graph);
    delete series.marks;
    plot_.removeItem(series.label);
    plot_.removeItem(series.ring);
    series_.pop_back();
  }
  while (series_.size() < curves.size()) {
    Series series{addGraph(kBandLayer),
                  addGraph(kBandLayer),
                  addGraph(kCurveLayer),
                  new CurveMarks(plot_, rect_),
                  addText(Qt::AlignLeft | Qt::AlignVCenter),
                  new QCPItemEllipse(&plot_),
                  {},
                  0};
    series.low->setPen(Qt::NoPen);
    series.high->setPen(Qt::NoPen);
    series.high->setChannelFillGraph(series.low);
    series.marks->setLayer(kCurveLayer);
    series.ring->setLayer(kHoverLayer);
    series.ring->setClipToAxisRect(false);
    series.ring->setVisible(false);
    series.ring->topLeft->setType(QCPItemPosition::ptAbsolute);
    series.ring->bottomRight->setType(QCPItemPosition::ptAbsolute);
    series_.push_back(std::move(series));
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    series_[i].thinner = Thinner(curves[i].points);
    styleSeries(series_[i], curves[i]);
  }
}

void CurvePlot::styleSeries(Series& series, const Curve& curve) {
  const SeriesStyle style = theme_->series(curve.series);
  const bool other = curve.overlay >= 0;
  QColor color = style.color;
  if (other) color.setAlphaF(0.6f);
  QColor band = style.color;
  band.setAlphaF(other ? 0.07f : theme_->dark ? 0.22f : 0.18f);
  QPen pen(color, other ? 1.1 : lineWidthOf(curve));
  const QVector<qreal> dashes = dashesOf(curve, content_, style);
  if (!dashes.isEmpty()) pen.setDashPattern(dashes);
  series.line->setPen(pen);
  series.high->setBrush(band);
  series.marks->setStyle(style.marker, color, theme_->panel, theme_->warning);
  series.label->setText(curve.name);
  series.label->setFont(textFont(0.96, QFont::DemiBold));
  series.label->setColor(style.color);
  series.ring->setPen(QPen(theme_->text, 1.5));
}

void CurvePlot::addSegment(QCPGraph& graph, double x0, double y0, double x1, double y1) const {
  // On a logarithmic axis a straight stroke between two points is not the linear interpolation
  // that break-evens are computed with, so segments are drawn through interpolated points, evenly
  // spaced on the screen.
  const auto drawable = [&](double y) { return y > 0 || !axes_.logValue ? y : kNone; };
  for (int step = 0; step < kPlotStepsPerSegment; ++step) {
    const double share = static_cast<double>(step) / kPlotStepsPerSegment;
    const double x = axes_.logAxis ? x0 * std::pow(x1 / x0, share) : x0 + share * (x1 - x0);
    graph.addData(x, drawable(y0 + (x - x0) / (x1 - x0) * (y1 - y0)));
    if (!axes_.logValue && !axes_.logAxis) break;
  }
}

void CurvePlot::fill(Series& series, const Curve& curve,
                     std::vector<CurvePicture::DenseCurve>& dense) {
  for (QCPGraph* graph : {series.low, series.high, series.line}) graph->data()->clear();
  const QCPRange range = rect_.axis(QCPAxis::atBottom)->range();
  const int pixels = std::max(100, rect_.width());
  std::vector<CurvePoint> points =
      series.thinner.thinned({range.lower, range.upper, pixels, axes_.logAxis});
  series.points = static_cast<int>(points.size());
  const auto drawable = [&](double y) { return y > 0 || !axes_.logValue ? y : kNone; };
  const bool few = points.size() <= kFewPoints;
  const auto extend = [&](QCPGraph& graph, const CurvePoint& p, const CurvePoint* next,
                          double Estimate::*end) {
    if (few && next)
      addSegment(graph, p.x, p.y.*end, next->x, next->y.*end);
    else
      graph.addData(p.x, drawable(p.y.*end));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CurvePoint& p = points[i];
    const CurvePoint* next = i + 1 < points.size() ? &points[i + 1] : nullptr;
    extend(*series.line, p, next, &Estimate::value);
    if (!few || p.y.kind == Estimate::Kind::none) continue;
    // A band ends where its neighbour has none.
    const CurvePoint* banded = next && next->y.kind != Estimate::Kind::none ? next : nullptr;
    extend(*series.low, p, banded, &Estimate::low);
    extend(*series.high, p, banded, &Estimate::high);
  }
  std::vector<CurveMarks::Mark> marks, dots;
  const bool other = curve.overlay >= 0 || curve.part != CurvePart::main;
  if (static_cast<double>(points.size()) * kRoomForMarkers <= pixels)
    for (const CurvePoint& p : points)
      marks.push_back({p.x, drawable(p.y.value),
                       other ? 5 : kSmallestMarker + p.certainty * (kMarkerSize - kSmallestMarker),
                       p.done && curve.part != CurvePart::fromDisk, p.drifted && !other});
  for (const Observation& seen : curve.observations)
    dots.push_back({seen.x, drawable(seen.y), kObservationSize, true, false});
  series.marks->setMarks(std::move(marks));
  series.marks->setDots(std::move(dots));
  series.line->setVisible(few);
  if (!few) dense.push_back({std::move(points), series.line->pen(), series.high->brush()});
}

void CurvePlot::fillModels() {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    QCPGraph& graph = *models_[i].line;
    graph.data()->clear();
    graph.setVisible(showModels_);
    const std::vector<Observation>& points = content_.models[i].points;
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      addSegment(graph, points[k].x, points[k].y, points[k + 1].x, points[k + 1].y);
    if (!points.empty() && (points.back().y > 0 || !axes_.logValue))
      graph.addData(points.back().x, points.back().y);
  }
}

void CurvePlot::arrange() {
  if (fitted_ && !words_.empty() && roomFor_ != rect_.size()) {
    applyRanges();
    rect_.update(QCPLayoutElement::upPreparation);  // ticks of the new range
  }
  const QCPRange range = rect_.axis(QCPAxis::atBottom)->range();
  if (stale_ || !sameRange(range, filledX_) || rect_.width() != filledWidth_) {
    axisTicker_->setPixels(rect_.width());
    std::vector<CurvePicture::DenseCurve> dense;
    for (std::size_t i = 0; i < series_.size(); ++i) fill(series_[i], content_.curves[i], dense);
    picture_->setCurves(std::move(dense));
    fillModels();
    filledX_ = range;
    filledWidth_ = rect_.width();
    stale_ = false;
  }
  placeEndLabels();
  placeMarkers();
  placeModels();
  placeCosts();
  placeWords();
  placePin();
  highlight(highlighted_);
}

int CurvePlot::seriesNamed(const std::string& variant) const {
  for (const Curve& curve : content_.curves)
    if (curve.name == QString::fromStdString(variant)) return curve.series;
  return 0;
}

std::optional<double> CurvePlot::valueAt(const Curve& curve, double x) {
  const auto next = std::lower_bound(curve.points.begin(), curve.points.end(), x,
                                     [](const CurvePoint& p, double value) { return p.x < value; });
  if (next == curve.points.end()) return std::nullopt;
  if (next->x == x) return next->y.value;
  if (next == curve.points.begin()) return std::nullopt;
  const CurvePoint &p = *(next - 1), &q = *next;
  return p.y.value + (x - p.x) / (q.x - p.x) * (q.y.value - p.y.value);
}

std::optional<double> CurvePlot::nearestValue(double pixel) const {
  std::optional<double> best;
  for (const double value : axes_.values)
    if (!best || std::abs(pixelOf(value) - pixel) < std::abs(pixelOf(*best) - pixel)) best = value;
  return best;
}

int CurvePlot::pointsWithin(const QRect& area) const {
  const QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const double left = x->pixelToCoord(area.left()), right = x->pixelToCoord(area.right());
  // Compared as values, not as pixels: pixels of thousands of points are thousands of logarithms.
  const double top = y->pixelToCoord(area.top()), bottom = y->pixelToCoord(area.bottom());
  int count = 0;
  for (const Series& series : series_) {
    const auto& points = *series.line->data();
    const auto end = points.findEnd(right, false);
    for (auto point = points.findBegin(left, false); point < end; ++point)
      if (point->value >= bottom && point->value <= top) ++count;
  }
  return count;
}

double CurvePlot::pixelOf(double x) const {
  return rect_.axis(QCPAxis::atBottom)->coordToPixel(x);
}

}  // namespace fusebench
