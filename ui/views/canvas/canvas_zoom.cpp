// SPDX-License-Identifier: GPL-3.0-or-later
// How near one looks at the canvas, and at what part of it.
#include <QScrollBar>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr double kLeastZoom = 0.2, kMostZoom = 3;
constexpr double kLeastWidthZoom = 1;  // text stays 9 points high; one scrolls instead
constexpr double kMostWholeZoom = 1.25;
constexpr int kZoomTop = 16, kZoomBottom = 28;  // pixels above and below the program
constexpr double kSceneAhead = 1000;            // more than an overlay is high at the least zoom
constexpr double kFirstRow = 20;                // less than a node is high

}  // namespace

void CanvasSurface::applyZoom(double zoom) {
  zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
  setTransform(QTransform::fromScale(zoom, zoom));
  growScene();
}

void CanvasSurface::setZoom(double zoom) {
  zooming_ = Zooming::byHand;
  applyZoom(zoom);
  emit viewChanged();
}

void CanvasSurface::zoomBy(double factor, std::optional<QPointF> about) {
  const QPointF pixel = about.value_or(QRectF(viewport()->rect()).center());
  const QPointF before = mapToScene(pixel.toPoint());
  setZoom(zoom() * factor);
  const QPointF shift = mapFromScene(before) - pixel;
  panBy(-shift);
}

/// Told from the size without scroll bars, so that a bar that comes or goes does not change it
/// back.
double CanvasSurface::widthZoom() const {
  const QSize room = maximumViewportSize();
  if (content_.isEmpty() || room.isEmpty()) return 1;
  const auto across = [&](int width) {
    return std::clamp((width - 2) / content_.width(), kLeastWidthZoom, 1.0);
  };
  const double zoom = across(room.width());
  const double height = content_.height() * zoom + std::max(kZoomTop, clearance_) + kZoomBottom;
  // The size hint takes the style sheet into account, the style's metric may not.
  const int bar = std::max(verticalScrollBar()->sizeHint().width(),
                           style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this));
  return height <= room.height() ? zoom : across(room.width() - bar);
}

double CanvasSurface::wholeZoom() const {
  const QSize room = maximumViewportSize();
  if (content_.isEmpty() || room.isEmpty()) return 1;
  const double down = room.height() - std::max(kZoomTop, clearance_) - kZoomBottom - 2;
  return std::min(
      {(room.width() - 2) / content_.width(), down / content_.height(), kMostWholeZoom});
}

/// What a program too wide for the panel shows at its start: the row that it begins with.
double CanvasSurface::middleOfStart() const {
  QRectF row;
  for (const QRectF& place : places())
    if (place.top() < layout_.bounds.top() + kFirstRow) row |= place;
  return row.isNull() ? layout_.bounds.center().x() : row.center().x();
}

/// If the zoom follows the panel, sets the zoom that fits now; the top of the view stays where it
/// is.
void CanvasSurface::settleZoom() {
  const bool atStart = verticalScrollBar()->value() == verticalScrollBar()->minimum();
  const double top = mapToScene(0, 0).y();
  const double before = mapToScene(viewport()->rect().center()).x();
  if (zooming_ == Zooming::byHand) return growScene();
  applyZoom(zooming_ == Zooming::width ? widthZoom() : wholeZoom());
  QScrollBar& down = *verticalScrollBar();
  down.setValue(atStart ? down.minimum() : down.value() + mapFromScene(QPointF(0, top)).y());
  QScrollBar& across = *horizontalScrollBar();
  const bool tooWide = content_.width() * zoom() > viewport()->width();
  const double middle = !tooWide ? layout_.bounds.center().x() : atStart ? middleOfStart() : before;
  across.setValue(across.value() + mapFromScene(QPointF(middle, 0)).x() - viewport()->width() / 2);
}

void CanvasSurface::growScene() {
  const double above = std::max(kZoomTop, clearance_) / zoom(), below = kZoomBottom / zoom();
  const QRectF bounds = content_.adjusted(0, -above, 0, below);
  // Another rectangle has the scene sort its items again, so it is larger than what can be seen.
  if (!scene_.sceneRect().contains(bounds))
    scene_.setSceneRect(bounds.adjusted(-kSceneAhead, -kSceneAhead, kSceneAhead, kSceneAhead));
  setSceneRect(bounds);
}

void CanvasSurface::fit() {
  zooming_ = zooming_ == Zooming::width ? Zooming::whole : Zooming::width;
  settleZoom();
  if (zooming_ == Zooming::width) reveal(current_);
  emit viewChanged();
}

void CanvasSurface::showStart() {
  zooming_ = Zooming::width;
  settleZoom();
  verticalScrollBar()->setValue(verticalScrollBar()->minimum());
  emit viewChanged();
}

void CanvasSurface::setClearance(int pixels) {
  if (pixels == clearance_) return;
  clearance_ = pixels;
  settleZoom();
}

void CanvasSurface::setStrip(int pixels) {
  const QMargins margins = viewportMargins();
  if (pixels != margins.top()) setViewportMargins(0, pixels, margins.right(), 0);
}

void CanvasSurface::setAside(int pixels) {
  const QMargins margins = viewportMargins();
  if (pixels != margins.right()) setViewportMargins(0, margins.top(), pixels, 0);
}

void CanvasSurface::reveal(int node) {
  if (node >= 0 && node < nodeCount())
    ensureVisible(places()[static_cast<std::size_t>(node)], 30, 40);
}

void CanvasSurface::panBy(QPointF pixels) {
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() -
                                  static_cast<int>(std::lround(pixels.x())));
  verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                static_cast<int>(std::lround(pixels.y())));
}

QRect CanvasSurface::onViewport(const QRectF& scene) const {
  return QRect(mapFromScene(scene.topLeft()), mapFromScene(scene.bottomRight()));
}

void CanvasSurface::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  emit viewChanged();
}

void CanvasSurface::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  if (chainWidth_ > 0 && fittedWidth() != nodeWidth_) emit roomChanged();
  settleZoom();
  emit viewChanged();
}

}  // namespace fusebench
