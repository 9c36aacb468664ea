// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <functional>
#include <memory>
#include <vector>

#include "ui/views/canvas/canvas_actions.h"

class QEvent;
class QGraphicsPathItem;
class QMouseEvent;
class QNativeGestureEvent;
class QRubberBand;
class QWheelEvent;

namespace fusebench {

/// What the mouse does on the canvas: select, drag ops to other edges, draw
/// connections from ports, pan, zoom.
class CanvasGestures {
 public:
  CanvasGestures(CanvasSurface& surface, CanvasActions& actions);
  ~CanvasGestures();

  /// A field of a node was clicked, or a node double-clicked.
  std::function<void(int node, int field)> editField;
  /// The shape of this input, a node, was clicked.
  std::function<void(int node)> editShape;
  /// A frame's name was clicked, or the node that represents a folded frame was double-clicked.
  std::function<void(int frame)> foldFrame;
  /// The mouse was pressed anywhere: open editors close.
  std::function<void()> pressed;

  bool handle(QEvent* event);
  /// While space is held, dragging pans.
  void holdSpace(bool held);
  /// Cancels the current drag; returns whether there was one.
  bool cancel();

 private:
  enum class Mode { idle, press, moveNodes, connectOut, connectIn, band, pan };
  bool press(QMouseEvent* event);
  bool move(QMouseEvent* event);
  bool release(QMouseEvent* event);
  bool doubleClick(QMouseEvent* event);
  bool wheel(QWheelEvent* event);
  bool pinch(QEvent* event);
  void pressNode(int node, Qt::KeyboardModifiers modifiers);
  void startDrag(QPointF scene);
  void dragNodes(QPointF scene);
  void drawWire(QPointF scene);
  int landingOf(QPointF scene) const;
  void moveBand(QPoint pixel, Qt::KeyboardModifiers modifiers);
  void dropNodes();
  void dropWire(QPointF scene);
  void click(QPointF scene, Qt::KeyboardModifiers modifiers);
  void hover(QPointF scene);
  int shapeAt(QPointF scene) const;
  void end();

  CanvasSurface& surface_;
  CanvasActions& actions_;
  Mode mode_ = Mode::idle;
  QPoint pressedAt_;  // viewport
  QPointF pressedScene_;
  int pressedNode_ = -1, pressedField_ = -1, pressedEdge_ = -1;
  int wireNode_ = -1, wireOperand_ = 0;
  bool wasSelected_ = false, space_ = false;
  std::vector<int> before_;  // selected before the rubber band
  std::unique_ptr<QRubberBand> band_;
  std::unique_ptr<QGraphicsPathItem> wire_;
};

}  // namespace fusebench
