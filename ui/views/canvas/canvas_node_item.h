// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <vector>

#include "ui/models/canvas/canvas_graph.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Positions of the parts of a node, relative to its upper left corner.
struct NodeFace {
  QSizeF size;
  QRectF title;
  std::vector<QRectF> fields;  ///< one per field; empty for an input's name, which is the title
  QRectF problem;              ///< empty without one
  QRectF share;                ///< empty without one
};

/// The layout of a node that is `width` wide; 0: as wide as necessary.
NodeFace faceOf(const CanvasNode& node, double width = 0);

/// Where an operand's edge enters, relative to the node's center.
double portX(const CanvasNode& node, int operand, double width);

/// One node: a box with the name of the op, its parameters, and its problems.
class CanvasNodeItem : public QGraphicsItem {
 public:
  CanvasNodeItem(const CanvasNode& node, double width, const Theme& theme);

  struct State {
    bool selected = false;
    bool current = false;  ///< the keyboard focus
    bool marked = false;   ///< highlighted from elsewhere, such as the code
    bool hovered = false;
    bool ghost = false;  ///< being dragged
    int field = -1;      ///< under the mouse
    friend bool operator==(const State&, const State&) = default;
  };
  const State& state() const { return state_; }
  void setState(const State& state);
  void setTheme(const Theme& theme);

  const CanvasNode& node() const { return node_; }
  const NodeFace& face() const { return face_; }
  /// In scene coordinates.
  QRectF frame() const { return QRectF(pos(), face_.size); }
  QPointF inPort(int operand) const;
  QPointF outPort() const;
  QRectF fieldFrame(int field) const;
  /// The field at a position in the scene, or -1.
  int fieldAt(QPointF scene) const;

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  void paintBox(QPainter& painter) const;
  void paintTitle(QPainter& painter) const;
  void paintFields(QPainter& painter) const;
  void paintProblem(QPainter& painter) const;
  void paintShare(QPainter& painter) const;
  void paintPorts(QPainter& painter) const;

  CanvasNode node_;
  NodeFace face_;
  const Theme* theme_;
  State state_;
};

}  // namespace fusebench
