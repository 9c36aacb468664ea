// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <limits>
#include <vector>

#include "ui/models/canvas/canvas_graph.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// A line from points in order, top to bottom; smooth, and never going up.
QPainterPath edgePath(const std::vector<QPointF>& points);

/// One edge: which node reads which value, with the value's shape and dtype next to the line.
class CanvasEdgeItem : public QGraphicsItem {
 public:
  CanvasEdgeItem(const CanvasEdge& edge, const std::vector<QPointF>& points, const Theme& theme);

  struct State {
    bool target = false;  ///< what is dragged will go here
    bool selected = false;
    bool hovered = false;
    bool dim = false;
    bool labeled = true;
    friend bool operator==(const State&, const State&) = default;
  };
  const State& state() const { return state_; }
  void setState(const State& state);
  void setTheme(const Theme& theme);

  const CanvasEdge& edge() const { return edge_; }
  const QPainterPath& path() const { return path_; }
  QPointF middle() const { return path_.pointAtPercent(0.5); }
  /// In scene units.
  double distanceTo(QPointF scene) const;
  /// The shape, and the dtype where it is news; pointing at the edge tells both.
  QString shownLabel() const;
  static QString shownLabel(const CanvasEdge& edge);
  /// In scene units.
  static double labelWidth(const CanvasEdge& edge);
  QRectF labelFrame() const;
  /// Width up to the next label. A longer label is cut there, and shown in full when the edge is
  /// hovered or selected.
  void setLabelRoom(double room) { labelRoom_ = room; }
  QRectF wholeLabelFrame() const;
  QColor labelColor() const;
  /// The middle of the label's left side, in the scene.
  void setLabelPlace(QPointF place);

  /// Paints the label on its own background, so that it is legible on top of other edges.
  void paintLabel(QPainter& painter) const;
  QRectF boundingRect() const override { return bounds_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  CanvasEdge edge_;
  QPainterPath path_;
  QRectF bounds_;
  std::vector<QPointF> flat_;
  QPointF labelPlace_;
  /// Measured once: the scene asks for the frame of each label for each picture.
  QSizeF labelSize_;
  double labelRoom_ = std::numeric_limits<double>::infinity();
  const Theme* theme_;
  State state_;
};

/// Paints an edge's label where no other edge crosses it.
class CanvasEdgeLabelItem : public QGraphicsItem {
 public:
  explicit CanvasEdgeLabelItem(const CanvasEdgeItem& edge);
  QRectF boundingRect() const override { return edge_.wholeLabelFrame().adjusted(-4, -1, 2, 1); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  const CanvasEdgeItem& edge_;
};

}  // namespace fusebench
