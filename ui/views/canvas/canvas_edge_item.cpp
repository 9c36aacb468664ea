// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_edge_item.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>

#include "ui/views/canvas/canvas_style.h"

namespace fusebench {

QPainterPath edgePath(const std::vector<QPointF>& points) {
  QPainterPath path;
  if (points.empty()) return path;
  path.moveTo(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QPointF a = points[i - 1], b = points[i];
    const double middle = (a.y() + b.y()) / 2;
    if (a.x() == b.x())
      path.lineTo(b);
    else
      path.cubicTo({a.x(), middle}, {b.x(), middle}, b);
  }
  return path;
}

CanvasEdgeItem::CanvasEdgeItem(const CanvasEdge& edge, const std::vector<QPointF>& points,
                               const Theme& theme)
    : edge_(edge), path_(edgePath(points)), theme_(&theme) {
  setZValue(1);
  if (!edge_.label.isEmpty())
    labelSize_ = {labelWidth(edge_), QFontMetricsF(canvas::smallFont()).height()};
  bounds_ = path_.controlPointRect().adjusted(-6, -6, 6, 6);
  for (const QPolygonF& polygon : path_.toSubpathPolygons())
    flat_.insert(flat_.end(), polygon.begin(), polygon.end());
  if (flat_.size() < 2) flat_ = points;
}

void CanvasEdgeItem::setState(const State& state) {
  if (state == state_) return;
  state_ = state;
  setZValue(state.target || state.selected || state.hovered ? 1.5 : 1);
  update();
}

void CanvasEdgeItem::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

double CanvasEdgeItem::distanceTo(QPointF scene) const {
  double best = 1e9;
  for (std::size_t i = 1; i < flat_.size(); ++i) {
    const QPointF a = flat_[i - 1], along = flat_[i] - a;
    const double length = QPointF::dotProduct(along, along);
    const double t =
        length > 0 ? std::clamp(QPointF::dotProduct(scene - a, along) / length, 0.0, 1.0) : 0;
    best = std::min(best, QLineF(scene, a + t * along).length());
  }
  return best;
}

/// A label with new information has the text color; others are muted but legible.
QColor CanvasEdgeItem::labelColor() const {
  return edge_.news || state_.hovered || state_.selected ? theme_->text : theme_->muted;
}

QString CanvasEdgeItem::shownLabel(const CanvasEdge& edge) {
  const qsizetype end = edge.label.indexOf(u')');
  return edge.otherType || end < 0 ? edge.label : edge.label.left(end + 1);
}

double CanvasEdgeItem::labelWidth(const CanvasEdge& edge) {
  return QFontMetricsF(canvas::smallFont()).horizontalAdvance(shownLabel(edge)) + 4;
}

QString CanvasEdgeItem::shownLabel() const {
  const QString whole = shownLabel(edge_);
  const bool asked = state_.hovered || state_.selected;
  if (asked || labelSize_.width() <= labelRoom_) return whole;
  return QFontMetricsF(canvas::smallFont()).elidedText(whole, Qt::ElideRight, labelRoom_ - 4);
}

QRectF CanvasEdgeItem::labelFrame() const {
  QRectF frame = wholeLabelFrame();
  if (!state_.hovered && !state_.selected) frame.setWidth(std::min(frame.width(), labelRoom_));
  return frame;
}

QRectF CanvasEdgeItem::wholeLabelFrame() const {
  if (edge_.label.isEmpty() || flat_.empty()) return {};
  return {labelPlace_ - QPointF(0, labelSize_.height() / 2), labelSize_};
}

void CanvasEdgeItem::setLabelPlace(QPointF place) {
  prepareGeometryChange();
  labelPlace_ = place;
}

void CanvasEdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setOpacity(state_.dim ? 0.38 : 1);
  QPen pen(mixed(theme_->muted, canvasGround(*theme_), 0.25), 1.4);
  if (state_.hovered) pen = QPen(theme_->text, 1.8);
  if (state_.selected) pen = QPen(theme_->accent, 2.4);
  if (state_.target) pen = QPen(theme_->accent, 3.5);
  pen.setCapStyle(Qt::RoundCap);
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawPath(path_);
  if (state_.target) {
    painter->setBrush(theme_->accent);
    painter->drawEllipse(middle(), 4, 4);
  }
}

void CanvasEdgeItem::paintLabel(QPainter& painter) const {
  const double zoom =
      QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter.worldTransform());
  const bool asked = state_.hovered || state_.selected;
  if (edge_.label.isEmpty() || !(state_.labeled || asked) || (zoom < 0.59 && !asked)) return;
  const QColor ground = canvasGround(*theme_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(labelFrame().adjusted(-3, 0, 1, 0), 4, 4);
  painter.setFont(canvas::smallFont());
  painter.setPen(state_.dim && !asked ? mixed(labelColor(), ground, 0.5) : labelColor());
  painter.drawText(labelFrame(), Qt::AlignLeft | Qt::AlignVCenter, shownLabel());
}

CanvasEdgeLabelItem::CanvasEdgeLabelItem(const CanvasEdgeItem& edge) : edge_(edge) {
  setZValue(1.6);  // over all edges, under nodes
}

void CanvasEdgeLabelItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  edge_.paintLabel(*painter);
}

}  // namespace fusebench
