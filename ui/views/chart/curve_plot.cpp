// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/look/curve_dashes.h"
#include "ui/models/chart/chart_drawing.h"
#include "ui/models/chart/chart_ranges.h"

namespace fusebench {
namespace {

/// More are so near that a straight stroke will do, and so many that they are drawn as a picture.
constexpr std::size_t kFewPoints = 100;
constexpr double kMarkerSize = 7.5;
constexpr double kSmallestMarker = 4;
constexpr double kObservationSize = 4.5;
constexpr double kRoomForMarkers = 9;  ///< pixels a point needs to carry one
constexpr float kFewBands = 4;
constexpr double kReach = 6;  ///< pixels from a curve that still point at it
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool sameRange(const QCPRange& a, const QCPRange& b) {
  return a.lower == b.lower && a.upper == b.upper;
}

}  // namespace

CurvePlot::CurvePlot(QCustomPlot& plot, QCPAxisRect& rect)
    : frame_{plot, rect},
      picture_(new CurvePicture(plot, rect)),
      rule_(frame_.addLevel(kBandLayer)),
      cursor_(frame_),
      names_(frame_),
      breakEvens_(frame_),
      models_(frame_),
      words_(frame_),
      costs_(frame_),
      valueTicker_(new QuantityTicker),
      axisTicker_(new ValueTicker) {
  QCPAxis *x = frame_.xAxis(), *y = frame_.yAxis();
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
  picture_->setLayer(kPictureLayer);
  rule_->setVisible(false);
}

void CurvePlot::setTheme(const Theme& theme) {
  frame_.theme = &theme;
  for (QCPAxis* axis : {frame_.xAxis(), frame_.yAxis()}) {
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
  rule_->setPen(QPen(theme.muted, 1.2));
  for (std::size_t i = 0; i < series_.size(); ++i) styleSeries(series_[i], curves()[i]);
  cursor_.restyle();
  names_.restyle();
  breakEvens_.restyle();
  models_.restyle();
  words_.restyle();
  costs_.restyle();
  picture_->forget();
  stale_ = true;
}

void CurvePlot::setAxes(Axes axes) {
  if (axes.logAxis != frame_.axes.logAxis || axes.logValue != frame_.axes.logValue ||
      axes.quantity != frame_.axes.quantity)
    picture_->forget();
  frame_.axes = std::move(axes);
  axisTicker_->setValues(frame_.axes.values);
  axisTicker_->setLogarithmic(frame_.axes.logAxis);
  valueTicker_->setLogarithmic(frame_.axes.logValue);
  valueTicker_->setQuantity(frame_.axes.quantity);
  QCPAxis* x = frame_.xAxis();
  x->setLabel(frame_.axes.label);
  x->setScaleType(frame_.axes.logAxis ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  frame_.yAxis()->setScaleType(frame_.axes.logValue ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  stale_ = true;
  applyRanges();
}

void CurvePlot::setContent(ChartContent content) {
  if (content.metric != frame_.content.metric || content.time != frame_.content.time)
    picture_->forget();
  frame_.content = std::move(content);
  makeSeries();
  names_.make();
  fadeNames();
  cursor_.make();
  breakEvens_.make();
  models_.make();
  words_.make();
  costs_.make();
  // If words alone are shown, numbers on the axis would have no meaning.
  const bool anyNumber = !wordsAlone(frame_.content);
  frame_.yAxis()->setTickLabels(anyNumber);
  frame_.yAxis()->grid()->setVisible(anyNumber);
  rule_->setVisible(frame_.content.rule.has_value());
  if (frame_.content.rule) {
    rule_->start->setCoords(0, *frame_.content.rule);
    rule_->end->setCoords(1, *frame_.content.rule);
  }
  stale_ = true;
  applyRanges();
}

void CurvePlot::setShowModels(bool on) {
  models_.setShown(on);
  stale_ = true;
}

void CurvePlot::makeSeries() {
  const std::vector<Curve>& curves = frame_.content.curves;
  while (series_.size() > curves.size()) {
    const Series& series = series_.back();
    for (QCPGraph* graph : {series.low, series.high, series.line})
      frame_.plot.removePlottable(graph);
    delete series.marks;
    series_.pop_back();
  }
  while (series_.size() < curves.size()) {
    Series series{frame_.addGraph(kBandLayer),
                  frame_.addGraph(kBandLayer),
                  frame_.addGraph(kCurveLayer),
                  new CurveMarks(frame_.plot, frame_.rect),
                  {},
                  0};
    series.low->setPen(Qt::NoPen);
    series.high->setPen(Qt::NoPen);
    series.high->setChannelFillGraph(series.low);
    series.marks->setLayer(kCurveLayer);
    series_.push_back(std::move(series));
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    series_[i].thinner = Thinner(curves[i].points);
    styleSeries(series_[i], curves[i]);
  }
}

bool CurvePlot::isFaint(const Curve& curve) const {
  if (pointed_.isEmpty()) return false;
  if (pointedOverlay_ >= 0) return curve.overlay != pointedOverlay_;
  return curve.overlay >= 0 || curve.name != pointed_;
}

bool CurvePlot::setPointed(const QString& name, int overlay) {
  if (name == pointed_ && overlay == pointedOverlay_) return false;
  pointed_ = name;
  pointedOverlay_ = overlay;
  for (std::size_t i = 0; i < series_.size(); ++i)
    styleSeries(series_[i], frame_.content.curves[i]);
  fadeNames();
  stale_ = true;
  return true;
}

void CurvePlot::fadeNames() {
  std::vector<bool> faint;
  for (const Curve& curve : frame_.content.curves) faint.push_back(isFaint(curve));
  names_.setFaint(std::move(faint));
}

std::optional<std::size_t> CurvePlot::curveAt(const QPointF& position) const {
  if (const auto named = names_.curveAt(position)) return named;
  if (!QRectF(frame_.rect.rect()).contains(position)) return std::nullopt;
  std::optional<std::size_t> best;
  double nearest = kReach * kReach;
  for (std::size_t i = 0; i < curves().size(); ++i)
    for (double along = -kReach; along <= kReach; along += 1) {
      const auto value =
          valueAt(curves()[i], frame_.xAxis()->pixelToCoord(position.x() + along), frame_.scales());
      if (!value || !frame_.drawable(*value)) continue;
      const double down = frame_.heightOf(*value) - position.y();
      const double distance = along * along + down * down;
      if (distance >= nearest) continue;
      nearest = distance;
      best = i;
    }
  return best;
}

void CurvePlot::styleSeries(Series& series, const Curve& curve) {
  const SeriesStyle style = frame_.theme->series(curve.series);
  const bool other = curve.overlay >= 0;
  QColor color = style.color;
  const bool faint = isFaint(curve);
  if (other) color.setAlphaF(0.6f);
  if (faint) color.setAlphaF(0.2f);
  QColor band = style.color;
  const float own = frame_.theme->dark ? 0.22f : 0.18f;
  // Bands of many curves overlap, so each is fainter to keep the total from getting darker.
  const float many = std::min(1.0f, kFewBands / static_cast<float>(curves().size()));
  band.setAlphaF(faint ? 0.03f : other ? 0.07f : pointed_.isEmpty() ? own * many : own);
  QPen pen(color, other ? 1.1 : lineWidthOf(curve));
  const QVector<qreal> dashes = dashesOf(curve, frame_.content, style);
  if (!dashes.isEmpty()) pen.setDashPattern(dashes);
  series.line->setPen(pen);
  series.high->setBrush(band);
  series.marks->setStyle(style.marker, color, frame_.theme->panel, frame_.theme->warning);
}

void CurvePlot::fill(Series& series, const Curve& curve,
                     std::vector<CurvePicture::DenseCurve>& dense) {
  for (QCPGraph* graph : {series.low, series.high, series.line}) graph->data()->clear();
  const QCPRange range = frame_.xAxis()->range();
  const int pixels = std::max(100, frame_.rect.width());
  std::vector<CurvePoint> points =
      series.thinner.thinned({range.lower, range.upper, pixels, frame_.axes.logAxis});
  series.points = static_cast<int>(points.size());
  const auto drawable = [&](double y) { return frame_.drawable(y) ? y : kNone; };
  const bool few = points.size() <= kFewPoints;
  // The line, or the band, ends at this point.
  const auto end = [](QCPGraph& graph, const CurvePoint& p) { graph.addData(p.x, kNone); };
  const auto extend = [&](QCPGraph& graph, const CurvePoint& p, double Estimate::*which) {
    graph.addData(p.x, drawable(p.y.*which));
  };
  const std::vector<CurvePoint> strokes = strokePoints(curve, points);
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const CurvePoint& p = strokes[i];
    const CurvePoint* next =
        i + 1 < strokes.size() && strokes[i + 1].joined ? &strokes[i + 1] : nullptr;
    extend(*series.line, p, &Estimate::value);
    if (!next && i + 1 < strokes.size()) end(*series.line, p);
    if (!few || p.y.kind == Estimate::Kind::none) continue;
    // A band ends at the last point whose successor also has an interval.
    const CurvePoint* banded = next && next->y.kind != Estimate::Kind::none ? next : nullptr;
    extend(*series.low, p, &Estimate::low);
    extend(*series.high, p, &Estimate::high);
    if (banded || i + 1 == strokes.size()) continue;
    end(*series.low, p);
    end(*series.high, p);
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
  std::vector<QPointF> hatched;
  if (curve.simulated)
    for (const auto& drawn : *series.line->data()) hatched.emplace_back(drawn.key, drawn.value);
  series.marks->setHatched(std::move(hatched));
  series.line->setVisible(few);
  if (!few) dense.push_back({std::move(points), series.line->pen(), series.high->brush()});
}

void CurvePlot::arrange() {
  if (fitted_ && !words_.empty() && roomFor_ != frame_.rect.size()) {
    applyRanges();
    frame_.rect.update(QCPLayoutElement::upPreparation);  // ticks of the new range
  }
  if (valueTicker_->setPixels(frame_.rect.height()))
    frame_.rect.update(QCPLayoutElement::upPreparation);
  const QCPRange range = frame_.xAxis()->range();
  if (stale_ || !sameRange(range, filledX_) || frame_.rect.width() != filledWidth_) {
    axisTicker_->setPixels(frame_.rect.width());
    std::vector<CurvePicture::DenseCurve> dense;
    for (std::size_t i = 0; i < series_.size(); ++i)
      fill(series_[i], frame_.content.curves[i], dense);
    picture_->setCurves(std::move(dense));
    models_.fill();
    filledX_ = range;
    filledWidth_ = frame_.rect.width();
    stale_ = false;
  }
  const Covers hides = [this](const QRectF& area) { return covers(area); };
  names_.place();
  breakEvens_.place();
  models_.place(hides);
  costs_.place([this](const QRectF& area) { return covers(area) || models_.meets(area); });
  words_.place();
  cursor_.place();
}

bool CurvePlot::covers(const QRectF& area) const {
  constexpr double kStep = 4;
  const QRectF near = area.adjusted(-3, -3, 3, 3);
  for (const Curve& curve : curves())
    for (double pixel = near.left(); pixel <= near.right() + kStep; pixel += kStep) {
      const auto value = valueAt(curve, frame_.xAxis()->pixelToCoord(std::min(pixel, near.right())),
                                 frame_.scales());
      if (!value || !frame_.drawable(*value)) continue;
      const double height = frame_.heightOf(*value);
      if (height >= near.top() && height <= near.bottom()) return true;
    }
  return names_.meets(near);
}

std::optional<double> CurvePlot::nearestValue(double pixel) const {
  std::optional<double> best;
  for (const double value : frame_.axes.values)
    if (!best || std::abs(pixelOf(value) - pixel) < std::abs(pixelOf(*best) - pixel)) best = value;
  return best;
}

int CurvePlot::pointsWithin(const QRect& area) const {
  const QCPAxis* x = frame_.xAxis();
  const QCPAxis* y = frame_.yAxis();
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

// ---- how much of the axes is shown ----

AxisRange CurvePlot::wholeX() const {
  return wholeAxis(frame_.axes.values, frame_.content.curves, frame_.axes.logAxis);
}

AxisRange CurvePlot::wholeY() const {
  return words_.withRoom(numbersY());
}

AxisRange CurvePlot::numbersY() const {
  return wholeValues(frame_.content, frame_.axes.logValue, frame_.axes.whenEmpty);
}

void CurvePlot::applyRanges() {
  if (!fitted_) return;
  const AxisRange x = wholeX();
  frame_.xAxis()->setRange(x.low, x.high);
  // The room for the words depends on their positions along the axis, and it contains no numbers.
  const AxisRange numbers = numbersY(), y = words_.withRoom(numbers);
  frame_.yAxis()->setRange(y.low, y.high);
  valueTicker_->setLimits(numbers.low, numbers.high);
  roomFor_ = frame_.rect.size();
}

void CurvePlot::fit() {
  fitted_ = true;
  applyRanges();
}

void CurvePlot::show(const AxisRange& x, const AxisRange& y) {
  fitted_ = false;
  valueTicker_->setLimits(-INFINITY, INFINITY);
  frame_.xAxis()->setRange(x.low, x.high);
  frame_.yAxis()->setRange(y.low, y.high);
}

AxisRange CurvePlot::shownX() const {
  const QCPRange range = frame_.xAxis()->range();
  return {range.lower, range.upper, frame_.axes.logAxis};
}

AxisRange CurvePlot::shownY() const {
  const QCPRange range = frame_.yAxis()->range();
  return {range.lower, range.upper, frame_.axes.logValue};
}

}  // namespace fusebench
