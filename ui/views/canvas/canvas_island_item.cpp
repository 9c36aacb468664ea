// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_island_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

using namespace canvas;

constexpr double kHullRadius = 9;
constexpr double kNeck = 30;     // width of a hull along an edge between columns
constexpr double kThinNeck = 8;  // and where no edge joins two parts of a kernel

QRectF boxAround(const QRectF& node) {
  return node.adjusted(-kGutter, -kHullEnd, kHullSide, kHullEnd);
}

}  // namespace

CanvasIslandItem::CanvasIslandItem(const Theme& theme) : theme_(&theme) {
  setZValue(0);
  setFlag(ItemUsesExtendedStyleOption);  // which tells what is exposed
}

void CanvasIslandItem::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void CanvasIslandItem::setPlaces(std::vector<QRectF> nodes, std::vector<QPainterPath> edges) {
  prepareGeometryChange();
  nodes_ = std::move(nodes);
  edges_ = std::move(edges);
  bounds_ = {};
  for (const QRectF& node : nodes_)
    if (!node.isNull()) bounds_ |= boxAround(node);
  for (const QPainterPath& edge : edges_)
    bounds_ |= edge.controlPointRect().adjusted(-kNeck / 2, 0, kNeck / 2, 0);
  bounds_.adjust(-2, -2 - kCaptionHeight, 2, 2);
  boxes_.clear();
  links_.clear();
}

void CanvasIslandItem::setKernels(const CanvasGraph& graph, const CanvasKernels& from,
                                  const CanvasKernels& to) {
  from_ = from;
  to_ = to;
  boxes_.clear();
  links_.clear();
  std::map<std::pair<int, int>, Link> links;
  for (const bool after : {false, true}) {
    const CanvasKernels& kernels = after ? to_ : from_;
    int fused = 0;
    for (const CanvasKernel& kernel : kernels.kernels) {
      const int tintNumber = kernel.nodes.size() > 1 ? fused++ : -1;
      for (int node : kernel.nodes) {
        if (node < 0 || static_cast<std::size_t>(node) >= nodes_.size()) continue;
        // A folded node does not show which kernels its ops belong to.
        const CanvasNode& shown = graph.nodes[static_cast<std::size_t>(node)];
        if (shown.hidden || shown.folded >= 0) continue;
        Box& box = boxes_[node];
        box.rect = boxAround(nodes_[static_cast<std::size_t>(node)]);
        (after ? box.after : box.before) = 1;
        (after ? box.tintAfter : box.tintBefore) = tintNumber;
        if (tintNumber >= 0 && node == kernel.nodes.front())
          (after ? box.headAfter : box.headBefore) = 1;
      }
    }
    std::vector<int>& parts = after ? partsAfter_ : partsBefore_;
    parts.clear();
    for (const KernelLink& link : kernelLinks(graph, kernels)) {
      if (link.edge < 0) parts.push_back(link.to);
      Link& joined = links[{link.from, link.to}];
      joined.from = link.from;
      joined.to = link.to;
      if (link.edge >= 0) joined.edge = link.edge;
      (after ? joined.after : joined.before) = 1;
    }
  }
  for (const auto& [ends, link] : links) links_.push_back(link);
  update();
}

void CanvasIslandItem::setProgress(double progress) {
  progress_ = progress;
  update();
}

double CanvasIslandItem::between(double before, double after) const {
  return before + (after - before) * progress_;
}

QRectF CanvasIslandItem::shown(const Box& box) const {
  return box.rect.adjusted(0, -kCaptionHeight * between(box.headBefore, box.headAfter), 0, 0);
}

bool CanvasIslandItem::isExposed(const Box& box, const QRectF& exposed) const {
  return shown(box).adjusted(-2, -2, 2, 2).intersects(exposed);
}

/// The numbers and tints of fused kernels distinguish them from each other.
QColor CanvasIslandItem::tint(int number) const {
  if (number < 0) return theme_->muted;
  if (number == 0) return theme_->accent;
  return theme_->seriesColors[static_cast<std::size_t>(number) % theme_->seriesColors.size()];
}

QColor CanvasIslandItem::fill(const Box& box) const {
  const auto of = [this](int number) {
    const double share = number < 0 ? 0.11 : theme_->dark ? 0.2 : 0.15;
    return mixed(canvasGround(*theme_), tint(number), share);
  };
  return mixed(of(box.tintBefore), of(box.tintAfter), progress_);
}

QColor CanvasIslandItem::outline(const Box& box) const {
  const auto of = [this](int number) {
    return mixed(canvasGround(*theme_), tint(number), number < 0 ? 0.45 : 0.8);
  };
  return mixed(of(box.tintBefore), of(box.tintAfter), progress_);
}

// All outlines are drawn first and all insides over them, so that only the
// outline of the whole hull is left: no union of shapes has to be computed for
// each frame.
void CanvasIslandItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
  const QRectF& exposed = option->exposedRect;
  painter->setRenderHint(QPainter::Antialiasing);
  for (const bool border : {true, false}) {
    paintLinks(*painter, border, exposed);
    paintBoxes(*painter, border, exposed);
  }
  paintLinks(*painter, false, exposed);
  if (progress_ < 1) paintLabels(*painter, false, 1 - progress_, exposed);
  paintLabels(*painter, true, progress_, exposed);
}

void CanvasIslandItem::paintBoxes(QPainter& painter, bool border, const QRectF& exposed) const {
  painter.setPen(Qt::NoPen);
  for (const auto& [node, box] : boxes_) {
    const double there = between(box.before, box.after);
    if (there <= 0 || !isExposed(box, exposed)) continue;
    painter.setOpacity(there);
    painter.setBrush(border ? outline(box) : fill(box));
    const double grow = border ? 0.75 : -0.75;
    painter.drawRoundedRect(shown(box).adjusted(-grow, -grow, grow, grow), kHullRadius + grow,
                            kHullRadius + grow);
  }
  painter.setOpacity(1);
}

void CanvasIslandItem::paintLinks(QPainter& painter, bool border, const QRectF& exposed) const {
  for (const Link& link : links_) {
    const double joined = between(link.before, link.after);
    const auto from = boxes_.find(link.from), to = boxes_.find(link.to);
    if (joined <= 0 || from == boxes_.end() || to == boxes_.end()) continue;
    QRectF reach = from->second.rect | to->second.rect;
    if (link.edge >= 0) reach |= edges_[static_cast<std::size_t>(link.edge)].controlPointRect();
    if (!reach.adjusted(-kNeck, -kNeck, kNeck, kNeck).intersects(exposed)) continue;
    const QColor color = border ? outline(from->second) : fill(from->second);
    const double grow = border ? 0.75 : -0.75;
    const QRectF a = from->second.rect, b = to->second.rect;
    const double overlap = std::min(a.right(), b.right()) - std::max(a.left(), b.left());
    const bool stacked = link.edge >= 0 && overlap > 0.9 * std::min(a.width(), b.width()) &&
                         b.top() - a.bottom() < 2 * kRowHeight;
    painter.setBrush(Qt::NoBrush);
    if (stacked) {
      const double left = std::max(a.left(), b.left());
      const double cut = overlap * (1 - joined) / 2;
      // Past the boxes' rounded corners on both ends.
      const QRectF bridge(left + cut, a.bottom() - kHullRadius, overlap - 2 * cut,
                          b.top() - a.bottom() + 2 * kHullRadius);
      painter.fillRect(bridge.adjusted(-grow, 0, grow, 0), color);
      continue;
    }
    const double width = (link.edge >= 0 ? kNeck : kThinNeck) * joined;
    QPen pen(color, std::max(0.1, width + 2 * grow));
    pen.setCapStyle(Qt::RoundCap);
    painter.setPen(pen);
    if (link.edge >= 0)
      painter.drawPath(edges_[static_cast<std::size_t>(link.edge)]);
    else if (std::abs(a.left() - b.left()) < 1)  // down the gutter, past what does not run
      painter.drawLine(QPointF(a.left() + kGutter / 2, a.bottom() - 4),
                       QPointF(a.left() + kGutter / 2, b.top() + 4));
    painter.setPen(Qt::NoPen);
  }
}

void CanvasIslandItem::paintLabels(QPainter& painter, bool after, double opacity,
                                   const QRectF& exposed) const {
  const CanvasKernels& kernels = after ? to_ : from_;
  const std::vector<int>& parts = after ? partsAfter_ : partsBefore_;
  painter.setOpacity(opacity);
  for (std::size_t k = 0; k < kernels.kernels.size(); ++k) {
    const CanvasKernel& kernel = kernels.kernels[k];
    for (std::size_t i = 0; i < kernel.nodes.size(); ++i) {
      const int node = kernel.nodes[i];
      const auto box = boxes_.find(node);
      if (box == boxes_.end() || !isExposed(box->second, exposed)) continue;
      const QRectF rect = box->second.rect;
      const QRectF place(rect.left(), rect.top() + kHullEnd, kGutter, kRowHeight);
      // Each part of a kernel says which one it belongs to.
      if (i > 0 && std::find(parts.begin(), parts.end(), node) == parts.end()) {
        if (kernel.beginsPhase(i)) paintPhase(painter, place, kernel.phaseOf[i]);
        continue;
      }
      paintBadge(painter, place, k + 1, after ? box->second.tintAfter : box->second.tintBefore);
    }
  }
  painter.setOpacity(1);
}

/// Where another phase of the kernel begins, which goes through the row again.
void CanvasIslandItem::paintPhase(QPainter& painter, const QRectF& place, int phase) const {
  painter.setFont(smallFont());
  painter.setPen(theme_->muted);
  painter.drawText(place, Qt::AlignCenter, QStringLiteral("p%1").arg(phase + 1));
}

void CanvasIslandItem::paintBadge(QPainter& painter, const QRectF& place, std::size_t number,
                                  int tintNumber) const {
  const QString text = QString::number(number);
  if (tintNumber < 0) {
    painter.setFont(smallFont());
    painter.setPen(theme_->muted);
  } else {
    const QRectF badge(place.center().x() - 9, place.center().y() - 9, 18, 18);
    const QColor color = tint(tintNumber);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(badge, 9, 9);
    painter.setFont(textFont(kSmallest, QFont::DemiBold));
    painter.setPen(color.lightnessF() > 0.5 ? QColor(Qt::black) : QColor(Qt::white));
  }
  painter.drawText(place, Qt::AlignCenter, text);
}

QRectF CanvasIslandItem::captionOver(const CanvasKernel& kernel) const {
  if (kernel.nodes.size() < 2) return {};
  const auto box = boxes_.find(kernel.nodes.front());
  if (box == boxes_.end()) return {};
  const QRectF rect = box->second.rect;
  return {rect.left(), rect.top() - kCaptionHeight, rect.width(), kCaptionHeight + 3};
}

QRectF CanvasIslandItem::captionFrame(int kernel) const {
  if (kernel < 0 || kernel >= to_.launches()) return {};
  return captionOver(to_.kernels[static_cast<std::size_t>(kernel)]);
}

void CanvasIslandItem::paintCaptions(QPainter& painter, const QRectF& exposed) const {
  for (const bool after : {false, true}) {
    painter.setOpacity(after ? progress_ : 1 - progress_);
    if (painter.opacity() <= 0) continue;
    for (const CanvasKernel& kernel : (after ? to_ : from_).kernels)
      if (captionOver(kernel).intersects(exposed)) paintCaption(painter, kernel);
  }
  painter.setOpacity(1);
}

/// Paints the kernel's name and its count of ops; the name is elided where there is little room.
void CanvasIslandItem::paintCaption(QPainter& painter, const CanvasKernel& kernel) const {
  const QRectF frame = captionOver(kernel);
  if (frame.isEmpty()) return;
  // The edge that goes in passes behind the words, not through them.
  painter.fillRect(frame.adjusted(kHullRadius, 1, -kHullRadius, -4),
                   fill(boxes_.at(kernel.nodes.front())));
  const QRectF room = frame.adjusted(kHullRadius, 1, -kHullRadius, 0);
  const QString ops = uiText("%1 ops, 1 launch").arg(kernel.nodes.size());
  const QFont font = textFont(kSmallest, QFont::DemiBold);
  painter.setPen(theme_->text);
  painter.setFont(font);
  painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, ops);
  const double left = room.width() - QFontMetricsF(font).horizontalAdvance(ops) - 8;
  if (left < 24) return;
  painter.setFont(smallFont());
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(smallFont()).elidedText(kernel.name, Qt::ElideRight, left));
}

CanvasCaptionItem::CanvasCaptionItem(const CanvasIslandItem& islands) : islands_(islands) {
  setZValue(1.7);  // over edges, under nodes
  setFlag(ItemUsesExtendedStyleOption);
}

void CanvasCaptionItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
  islands_.paintCaptions(*painter, option->exposedRect);
}

int CanvasIslandItem::kernelAt(QPointF scene) const {
  for (const auto& [node, box] : boxes_)
    if (box.after > 0 && shown(box).contains(scene)) return to_.kernelOf(node);
  return -1;
}

QRectF CanvasIslandItem::hullBounds(int kernel) const {
  QRectF bounds;
  if (kernel < 0 || kernel >= to_.launches()) return bounds;
  for (int node : to_.kernels[static_cast<std::size_t>(kernel)].nodes)
    if (const auto box = boxes_.find(node); box != boxes_.end()) bounds |= shown(box->second);
  return bounds;
}

}  // namespace fusebench
