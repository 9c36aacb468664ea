// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/curve_marks.h"

#include <cmath>

#include "ui/look/curve_hatch.h"

namespace fusebench {
namespace {

constexpr double kHatchGap = 6, kHatchHalf = 5;  // pixels

}  // namespace

QCPScatterStyle::ScatterShape scatterShape(MarkerShape marker) {
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

CurveMarks::CurveMarks(QCustomPlot& plot, QCPAxisRect& rect)
    : QCPLayerable(&plot, QString(), &rect), rect_(rect) {}

void CurveMarks::setStyle(MarkerShape shape, const QColor& color, const QColor& inside,
                          const QColor& warning) {
  shape_ = shape;
  color_ = color;
  inside_ = inside;
  warning_ = warning;
}

void CurveMarks::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

QRect CurveMarks::clipRect() const {
  return rect_.rect().adjusted(-8, -8, 8, 8);  // marks at the edge are whole
}

void CurveMarks::draw(QCPPainter* painter) {
  const QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const QRectF area = QRectF(rect_.rect()).adjusted(-1, -1, 1, 1);
  const auto place = [&](const Mark& mark) {
    return QPointF(x->coordToPixel(mark.x), y->coordToPixel(mark.y));
  };
  QPolygonF curve;
  const auto hatch = [&] {
    if (curve.size() > 1) {
      painter->setPen(QPen(color_, 1.1));
      for (const QLineF& stroke : hatchAlong(curve, kHatchGap, kHatchHalf))
        if (area.contains(stroke.center())) painter->drawLine(stroke);
    }
    curve.clear();
  };
  for (const QPointF& point : hatched_) {
    const QPointF at(x->coordToPixel(point.x()), y->coordToPixel(point.y()));
    if (std::isfinite(at.y()))
      curve << at;
    else
      hatch();
  }
  hatch();
  QColor faint = color_;
  faint.setAlphaF(0.45f * faint.alphaF());
  painter->setPen(Qt::NoPen);
  painter->setBrush(faint);
  for (const Mark& dot : dots_) {
    const QPointF at = place(dot);
    if (area.contains(at)) painter->drawEllipse(at, dot.size / 2, dot.size / 2);
  }
  QCPScatterStyle style(scatterShape(shape_));
  const bool strokes = shape_ == MarkerShape::cross || shape_ == MarkerShape::plus;
  for (const Mark& mark : marks_) {
    const QPointF at = place(mark);
    if (!std::isfinite(at.y()) || !area.contains(at)) continue;
    painter->setPen(QPen(color_, strokes ? 2 : 1.6));
    painter->setBrush(mark.filled ? color_ : inside_);
    style.setSize(mark.size);
    style.drawShape(painter, at);
    if (mark.drifted) drawWave(*painter, at + QPointF(0, -mark.size / 2 - 6));
  }
}

void CurveMarks::drawWave(QCPPainter& painter, const QPointF& below) const {
  QPainterPath wave(below - QPointF(5, 0));
  wave.cubicTo(below + QPointF(-2, -5), below + QPointF(2, 5), below + QPointF(5, 0));
  painter.setPen(QPen(warning_, 1.8));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(wave);
}

}  // namespace fusebench
