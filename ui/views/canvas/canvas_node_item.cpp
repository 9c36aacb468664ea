// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_node_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "ui/views/canvas/canvas_style.h"

namespace fusebench {

using namespace canvas;

CanvasNodeItem::CanvasNodeItem(const CanvasNode& node, double width, const Theme& theme)
    : node_(node), face_(faceOf(node, width)), theme_(&theme) {
  setZValue(2);
}

void CanvasNodeItem::setState(const State& state) {
  if (state == state_) return;
  state_ = state;
  setZValue(state.ghost ? 5 : 2);
  update();
}

void CanvasNodeItem::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QPointF CanvasNodeItem::inPort(int operand) const {
  return pos() + QPointF(face_.size.width() / 2 + portX(node_, operand, face_.size.width()), 0);
}

QPointF CanvasNodeItem::outPort() const {
  return pos() + QPointF(face_.size.width() / 2, face_.size.height());
}

QRectF CanvasNodeItem::fieldFrame(int field) const {
  if (field < 0 || field >= static_cast<int>(face_.fields.size())) return {};
  const QRectF place = face_.fields[static_cast<std::size_t>(field)];
  return (place.isEmpty() ? face_.title : place).translated(pos());
}

int CanvasNodeItem::fieldAt(QPointF scene) const {
  for (std::size_t i = 0; i < face_.fields.size(); ++i)
    if (face_.fields[i].translated(pos()).contains(scene)) return static_cast<int>(i);
  return -1;
}

QRectF CanvasNodeItem::boundingRect() const {
  return QRectF({}, face_.size).adjusted(-4, -6, 4, 6);
}

void CanvasNodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setOpacity(state_.ghost ? 0.65 : node_.dim ? 0.38 : 1);
  paintBox(*painter);
  paintTitle(*painter);
  paintFields(*painter);
  paintProblem(*painter);
  paintShare(*painter);
  paintPorts(*painter);
}

void CanvasNodeItem::paintBox(QPainter& painter) const {
  const QRectF box = QRectF({}, face_.size).adjusted(0.5, 0.5, -0.5, -0.5);
  const bool op = node_.kind == CanvasNode::Kind::op;
  const double radius = op ? kRadius : kRowHeight / 2;
  QColor fill = theme_->dark ? theme_->raised : theme_->panel;
  if (!op) fill = canvasGround(*theme_);
  if (node_.repeat) fill = mixed(fill, canvasGround(*theme_), 0.6);
  if (node_.share >= 0) fill = heatColor(*theme_, fill, node_.heat);
  if (state_.hovered) fill = mixed(fill, theme_->text, 0.05);
  if (node_.folded >= 0) {  // there is more behind it
    painter.setPen(QPen(theme_->border, 1));
    painter.setBrush(mixed(fill, canvasGround(*theme_), 0.5));
    painter.drawRoundedRect(box.translated(3, 3), radius, radius);
  }
  QPainterPath shape;
  shape.addRoundedRect(box, radius, radius);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPath(shape);
  if (op) {
    painter.save();
    painter.setClipPath(shape, Qt::IntersectClip);
    QColor accent = node_.row           ? categoryColor(*theme_, node_.row->category)
                    : node_.folded >= 0 ? theme_->muted
                                        : theme_->error;
    if (node_.repeat) accent.setAlphaF(0.45f);
    painter.fillRect(QRectF(0, 0, kAccentWidth, box.height() + 1), accent);
    painter.restore();
  }
  QPen pen(theme_->border, 1);
  if (!theme_->dark) pen.setColor(mixed(theme_->border, theme_->muted, 0.25));
  if (node_.repeat) pen.setStyle(Qt::DashLine);
  if (!node_.problems.isEmpty()) pen = QPen(theme_->error, 1.5);
  if (state_.marked) pen = QPen(theme_->warning, 1.5);
  if (state_.selected) pen = QPen(theme_->accent, 2);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen);
  painter.drawPath(shape);
  if (state_.current) {
    painter.setPen(QPen(theme_->accent, 1, Qt::DotLine));
    painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), radius + 3, radius + 3);
  }
}

void CanvasNodeItem::paintTitle(QPainter& painter) const {
  const bool op = node_.kind == CanvasNode::Kind::op;
  const QFont font = op ? titleFont(node_.symbol || node_.notUnderstood()) : monoFont(0.95);
  painter.setFont(font);
  QColor color = node_.repeat ? theme_->muted : theme_->text;
  if (node_.kind == CanvasNode::Kind::output) color = theme_->accent;
  painter.setPen(color);
  const QString title = node_.folded >= 0 ? QStringLiteral("▸ ") + node_.title : node_.title;
  const QString shown = QFontMetricsF(font).elidedText(title, Qt::ElideRight, face_.title.width());
  painter.drawText(face_.title, (op ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter, shown);
}

void CanvasNodeItem::paintFields(QPainter& painter) const {
  const QFont font = chipFont();
  painter.setFont(font);
  for (std::size_t i = 0; i < face_.fields.size(); ++i) {
    const QRectF place = face_.fields[i];
    if (place.isEmpty()) continue;
    const CanvasField& field = node_.fields[i];
    const bool lit = field.kind == CanvasField::Kind::flag && field.on();
    const bool hovered = state_.field == static_cast<int>(i);
    QColor back = mixed(theme_->dark ? theme_->raised : theme_->panel,
                        theme_->dark ? theme_->window : theme_->raised, 0.75);
    if (lit) back = mixed(back, theme_->accent, 0.3);
    painter.setPen(hovered && !node_.repeat ? QPen(theme_->accent, 1) : Qt::NoPen);
    if (!node_.repeat || lit)
      painter.setBrush(back);
    else
      painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const bool quiet =
        node_.repeat || field.isDefault || (field.kind == CanvasField::Kind::flag && !field.on());
    painter.setPen(quiet ? theme_->muted : theme_->text);
    painter.drawText(
        place.adjusted(4, 0, -4, 0), Qt::AlignCenter,
        QFontMetricsF(font).elidedText(field.shown(), Qt::ElideRight, place.width() - 6));
  }
}

void CanvasNodeItem::paintProblem(QPainter& painter) const {
  if (face_.problem.isEmpty()) return;
  painter.setFont(problemFont());
  painter.setPen(theme_->error);
  painter.drawText(face_.problem, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                   node_.problems.front());
}

void CanvasNodeItem::paintShare(QPainter& painter) const {
  if (face_.share.isEmpty()) return;
  painter.setFont(chipFont());
  painter.setPen(theme_->text);
  painter.drawText(face_.share, Qt::AlignRight | Qt::AlignVCenter, shareText(node_.share));
}

void CanvasNodeItem::paintPorts(QPainter& painter) const {
  const bool strong = state_.hovered || state_.selected;
  const auto dot = [&](QPointF at, bool filled) {
    painter.setPen(QPen(strong ? theme_->accent : theme_->muted, 1.2));
    painter.setBrush(filled ? canvasGround(*theme_) : QBrush(Qt::NoBrush));
    const double r = strong ? kPortRadius + 0.8 : kPortRadius - 0.7;
    painter.drawEllipse(at, r, r);
  };
  std::vector<bool> number(static_cast<std::size_t>(std::max(0, node_.ports)), false);
  for (const CanvasField& field : node_.fields)
    if (field.kind == CanvasField::Kind::operand && field.position < node_.ports)
      number[static_cast<std::size_t>(field.position)] = true;
  for (int i = 0; i < node_.ports; ++i) {
    // A number's port is there to be connected to, but does not clutter a
    // chain.
    if (number[static_cast<std::size_t>(i)] && !strong) continue;
    const int operand = node_.kind == CanvasNode::Kind::output ? node_.index : i;
    dot(inPort(operand) - pos(), true);
  }
  if (node_.kind != CanvasNode::Kind::output) dot(outPort() - pos(), true);
}

}  // namespace fusebench
