// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/curve_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fusebench {
namespace {
constexpr double kFar = 20;  ///< heights of the plot beyond which a point's place does not matter
}

CurvePicture::CurvePicture(QCustomPlot& plot, QCPAxisRect& rect)
    : QCPLayerable(&plot, QString(), &rect), rect_(rect) {
  pool_.setMaxThreadCount(1);
}

CurvePicture::~CurvePicture() {
  pool_.waitForDone();  // a result that is on its way is dropped with this object
}

void CurvePicture::setCurves(std::vector<DenseCurve> curves) {
  if (curves.empty() && curves_.empty()) return;
  curves_ = std::move(curves);
  ++generation_;
}

void CurvePicture::forget() {
  ++forgotten_;
  shown_.reset();
}

void CurvePicture::applyDefaultAntialiasingHint(QCPPainter* painter) const {
  painter->setAntialiasing(true);
}

QRect CurvePicture::clipRect() const {
  return rect_.rect();
}

CurvePicture::Key CurvePicture::key() const {
  const QCPRange x = rect_.axis(QCPAxis::atBottom)->range();
  const QCPRange y = rect_.axis(QCPAxis::atLeft)->range();
  return {generation_,
          x.lower,
          x.upper,
          y.lower,
          y.upper,
          rect_.size(),
          mParentPlot->bufferDevicePixelRatio()};
}

CurvePicture::Shapes CurvePicture::shapes() const {
  const QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const double height = rect_.height();
  const bool logarithmic = y->scaleType() == QCPAxis::stLogarithmic;
  const auto down = [&](double value) {
    if (logarithmic && !(value > 0)) return kFar * height;
    return std::clamp(y->coordToPixel(value) - rect_.top(), -kFar * height, kFar * height);
  };
  Shapes shapes;
  for (const DenseCurve& curve : curves_) {
    Shapes::Line line{{}, curve.pen};
    QPolygonF high, low;
    const auto endLine = [&] {
      if (line.points.size() > 1) shapes.lines.push_back(line);
      line.points.clear();
    };
    const auto endBand = [&] {
      if (high.size() > 1) {
        std::reverse(low.begin(), low.end());
        shapes.bands.push_back({high + low, curve.band});
      }
      high.clear();
      low.clear();
    };
    for (const CurvePoint& point : curve.points) {
      const double across = x->coordToPixel(point.x) - rect_.left();
      if (!point.joined) {
        endLine();
        endBand();
      }
      if (!std::isfinite(point.y.value) || (logarithmic && point.y.value <= 0))
        endLine();
      else
        line.points << QPointF(across, down(point.y.value));
      if (point.y.kind == Estimate::Kind::none) {
        endBand();
        continue;
      }
      high << QPointF(across, down(point.y.high));
      low << QPointF(across, down(point.y.low));
    }
    endLine();
    endBand();
  }
  return shapes;
}

void CurvePicture::paint(QPainter& painter, const Shapes& shapes) {
  painter.setPen(Qt::NoPen);
  for (const Shapes::Band& band : shapes.bands) {
    painter.setBrush(band.brush);
    painter.drawPolygon(band.outline);
  }
  painter.setBrush(Qt::NoBrush);
  for (const Shapes::Line& line : shapes.lines) {
    painter.setPen(line.pen);
    painter.drawPolyline(line.points);
  }
}

void CurvePicture::draw(QCPPainter* painter) {
  if (curves_.empty() || rect_.size().isEmpty()) return;
  const QPoint corner = rect_.rect().topLeft();
  if (still_ || painter->modes().testFlag(QCPPainter::pmVectorized) ||
      painter->modes().testFlag(QCPPainter::pmNoCaching)) {
    painter->save();
    painter->translate(corner);
    paint(*painter, shapes());
    painter->restore();
    return;
  }
  const Key now = key();
  if (shown_ != now && !busy_) start(now);
  if (!shown_) return;
  const QCPAxis* x = rect_.axis(QCPAxis::atBottom);
  const QCPAxis* y = rect_.axis(QCPAxis::atLeft);
  const QRectF place(QPointF(x->coordToPixel(shown_->left), y->coordToPixel(shown_->top)),
                     QPointF(x->coordToPixel(shown_->right), y->coordToPixel(shown_->bottom)));
  if (*shown_ == now)
    painter->drawImage(corner, image_);
  else
    painter->drawImage(place, image_);
}

void CurvePicture::start(const Key& key) {
  busy_ = true;
  pool_.start([this, key, shapes = shapes(), forgotten = forgotten_] {
    QImage image(key.size * key.scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(key.scale);
    image.fill(Qt::transparent);
    {
      QPainter painter(&image);
      painter.setRenderHint(QPainter::Antialiasing);
      paint(painter, shapes);
    }
    QMetaObject::invokeMethod(
        this, [this, key, image, forgotten] { take(key, image, forgotten); }, Qt::QueuedConnection);
  });
}

void CurvePicture::take(const Key& key, QImage image, int forgotten) {
  busy_ = false;
  if (forgotten == forgotten_) {
    shown_ = key;
    image_ = std::move(image);
  }
  // Draws it, and starts the next one if it is no longer up to date.
  if (layer()) layer()->replot();
}

}  // namespace fusebench
