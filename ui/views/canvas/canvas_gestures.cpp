// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_gestures.h"

#include <QApplication>
#include <QGestureEvent>
#include <QGraphicsPathItem>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPen>
#include <QRubberBand>
#include <QWheelEvent>
#include <cmath>
#include <optional>
#include <vector>

#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/canvas/canvas_walk.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr double kZoomPerNotch = 1.15;

bool adds(Qt::KeyboardModifiers modifiers) {
  return modifiers & (Qt::ControlModifier | Qt::ShiftModifier);
}

}  // namespace

CanvasGestures::CanvasGestures(CanvasSurface& surface, CanvasActions& actions)
    : surface_(surface), actions_(actions) {}

CanvasGestures::~CanvasGestures() = default;

bool CanvasGestures::handle(QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      return press(static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
      return move(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
      return release(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
      return doubleClick(static_cast<QMouseEvent*>(event));
    case QEvent::Wheel:
      return wheel(static_cast<QWheelEvent*>(event));
    case QEvent::NativeGesture:
    case QEvent::Gesture:
      return pinch(event);
    case QEvent::Leave:
      surface_.hover(-1, -1);
      return false;
    default:
      return false;
  }
}

void CanvasGestures::holdSpace(bool held) {
  space_ = held;
  surface_.viewport()->setCursor(held ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

bool CanvasGestures::cancel() {
  if (mode_ == Mode::idle) return false;
  if (mode_ == Mode::band) surface_.select(before_, surface_.current());
  end();
  return true;
}

/// Puts everything back to where it was.
void CanvasGestures::end() {
  if (mode_ == Mode::moveNodes)
    for (int i = 0; i < surface_.nodeCount(); ++i) {
      CanvasNodeItem::State state = surface_.node(i).state();
      state.ghost = false;
      surface_.node(i).setState(state);
      surface_.node(i).setPos(surface_.places()[at(i)].topLeft());
    }
  mode_ = Mode::idle;
  surface_.setTarget(-1);
  surface_.setCandidate(-1);
  wire_.reset();
  band_.reset();
  surface_.viewport()->setCursor(space_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

bool CanvasGestures::press(QMouseEvent* event) {
  if (pressed) pressed();
  surface_.setFocus(Qt::MouseFocusReason);
  pressedAt_ = event->position().toPoint();
  pressedScene_ = surface_.mapToScene(pressedAt_);
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
    mode_ = Mode::pan;
    surface_.viewport()->setCursor(Qt::ClosedHandCursor);
    return true;
  }
  if (event->button() == Qt::RightButton) {
    // The menu is about what it is opened on.
    const int node = surface_.nodeAt(pressedScene_);
    if (node >= 0 && !surface_.isSelected(node)) surface_.select({node}, node);
    return false;
  }
  if (event->button() != Qt::LeftButton) return false;
  pressedNode_ = surface_.nodeAt(pressedScene_);
  pressedField_ = pressedNode_ < 0 ? -1 : surface_.node(pressedNode_).fieldAt(pressedScene_);
  pressedEdge_ = -1;
  const auto port = pressedField_ < 0 ? surface_.portAt(pressedScene_) : std::nullopt;
  if (port) {
    wireNode_ = port->node;
    wireOperand_ = port->operand;
    mode_ = port->out ? Mode::connectOut : Mode::connectIn;
    return true;
  }
  mode_ = Mode::press;
  if (pressedNode_ >= 0) {
    pressNode(pressedNode_, event->modifiers());
  } else {
    pressedEdge_ = surface_.edgeAt(pressedScene_);
    before_ = adds(event->modifiers()) ? surface_.selected() : std::vector<int>();
  }
  return true;
}

void CanvasGestures::pressNode(int node, Qt::KeyboardModifiers modifiers) {
  wasSelected_ = surface_.isSelected(node);
  std::vector<int> nodes = surface_.selected();
  if (!adds(modifiers)) {
    if (!wasSelected_) nodes = {node};
  } else if (wasSelected_) {
    std::erase(nodes, node);
  } else {
    nodes.push_back(node);
  }
  surface_.select(nodes, node);
}

bool CanvasGestures::move(QMouseEvent* event) {
  const QPoint pixel = event->position().toPoint();
  const QPointF scene = surface_.mapToScene(pixel);
  const bool far = (pixel - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
  switch (mode_) {
    case Mode::idle:
      hover(scene);
      return false;
    case Mode::pan:
      surface_.panBy(pixel - pressedAt_);
      pressedAt_ = pixel;
      return true;
    case Mode::press:
      if (!far) return true;
      startDrag(scene);
      if (mode_ == Mode::band) moveBand(pixel, event->modifiers());
      return true;
    case Mode::moveNodes:
      dragNodes(scene);
      return true;
    case Mode::connectOut:
    case Mode::connectIn:
      if (far || wire_) drawWire(scene);
      return true;
    case Mode::band:
      moveBand(pixel, event->modifiers());
      return true;
  }
  return false;
}

void CanvasGestures::startDrag(QPointF scene) {
  if (pressedNode_ < 0) {
    mode_ = Mode::band;
    band_ = std::make_unique<QRubberBand>(QRubberBand::Rectangle, surface_.viewport());
    band_->show();
    return;
  }
  // Inputs, results and repeats stay where they are.
  if (actions_.ops().empty() || surface_.graph().nodes[at(pressedNode_)].repeat) return;
  mode_ = Mode::moveNodes;
  surface_.viewport()->setCursor(Qt::ClosedHandCursor);
  dragNodes(scene);
}

void CanvasGestures::dragNodes(QPointF scene) {
  const QPointF by = scene - pressedScene_;
  for (int i : surface_.selected()) {
    if (surface_.graph().nodes[at(i)].kind != CanvasNode::Kind::op) continue;
    CanvasNodeItem::State state = surface_.node(i).state();
    state.ghost = true;
    surface_.node(i).setState(state);
    surface_.node(i).setPos(surface_.places()[at(i)].topLeft() + by);
  }
  surface_.setTarget(landingOf(scene));
}

/// Where what is dragged would go, as a drop from the palette does: between the two that it is held
/// over, else on the nearest edge. An edge that one of the dragged ops is at the end of moves
/// nothing; -1: none.
int CanvasGestures::landingOf(QPointF scene) const {
  const auto isFree = [this](int edge) {
    const CanvasEdge& of = surface_.graph().edges[at(edge)];
    return !surface_.isSelected(of.from) && !surface_.isSelected(of.to);
  };
  for (int i = 0; i < surface_.nodeCount(); ++i) {
    if (surface_.isSelected(i) || !surface_.places()[at(i)].contains(scene)) continue;
    const bool before = scene.y() < surface_.places()[at(i)].center().y();
    for (int e = 0; e < surface_.edgeCount(); ++e) {
      const CanvasEdge& of = surface_.graph().edges[at(e)];
      if ((before ? of.to : of.from) == i && isFree(e)) return e;
    }
  }
  if (const int gap = surface_.gapAt(scene); gap >= 0) return isFree(gap) ? gap : -1;
  int target = -1;
  double nearest = 40;
  for (int i = 0; i < surface_.edgeCount(); ++i) {
    if (!isFree(i)) continue;
    const double distance = surface_.edge(i).distanceTo(scene);
    if (distance >= nearest) continue;
    nearest = distance;
    target = i;
  }
  return target;
}

void CanvasGestures::dropNodes() {
  const int target = surface_.target();
  end();
  if (target >= 0) actions_.moveTo(target);
}

void CanvasGestures::drawWire(QPointF scene) {
  if (!wire_) {
    wire_ = std::make_unique<QGraphicsPathItem>();
    wire_->setZValue(6);
    wire_->setPen(QPen(surface_.theme().accent, 2, Qt::DashLine, Qt::RoundCap));
    surface_.scene()->addItem(wire_.get());
  }
  const bool out = mode_ == Mode::connectOut;
  const QPointF from =
      out ? surface_.node(wireNode_).outPort() : surface_.node(wireNode_).inPort(wireOperand_);
  wire_->setPath(out ? edgePath({from, scene}) : edgePath({scene, from}));
  const int over = surface_.nodeAt(scene);
  surface_.setCandidate(over == wireNode_ ? -1 : over);
}

void CanvasGestures::dropWire(QPointF scene) {
  const bool out = mode_ == Mode::connectOut, drawn = wire_ != nullptr;
  const int node = wireNode_, operand = wireOperand_;
  const int over = surface_.nodeAt(scene);
  const auto port = surface_.portAt(scene, 12);
  end();
  if (!drawn) {
    surface_.select({node}, node);
    return;
  }
  const int other = port ? port->node : over;
  if (other == node) return;
  if (other < 0) {
    if (out) return actions_.chooseBranchFrom(node, scene);
    const int edge = surface_.graph().edgeInto(node, operand);
    if (edge >= 0) actions_.chooseOnEdge(edge, scene);
    return;
  }
  if (out)
    actions_.connect(node, other,
                     port && !port->out ? port->operand : likelyOperand(surface_.graph(), other));
  else
    actions_.connect(other, node, operand);
}

void CanvasGestures::moveBand(QPoint pixel, Qt::KeyboardModifiers) {
  const QRect area = QRect(pressedAt_, pixel).normalized();
  band_->setGeometry(area);
  const QRectF scene(surface_.mapToScene(area.topLeft()), surface_.mapToScene(area.bottomRight()));
  std::vector<int> nodes = before_;
  for (int i = 0; i < surface_.nodeCount(); ++i)
    if (surface_.node(i).frame().intersects(scene)) nodes.push_back(i);
  surface_.select(nodes, nodes.empty() ? -1 : nodes.back());
}

bool CanvasGestures::release(QMouseEvent* event) {
  const QPointF scene = surface_.mapToScene(event->position().toPoint());
  switch (mode_) {
    case Mode::idle:
      return false;
    case Mode::press:
      click(scene, event->modifiers());
      end();
      if (pressedField_ >= 0 && !adds(event->modifiers()) && editField)
        editField(pressedNode_, pressedField_);
      return true;
    case Mode::moveNodes:
      dropNodes();
      return true;
    case Mode::connectOut:
    case Mode::connectIn:
      dropWire(scene);
      return true;
    case Mode::band:
    case Mode::pan:
      end();
      return true;
  }
  return false;
}

/// The input whose shape label, next to the edge, is at this position; -1 if there is none.
int CanvasGestures::shapeAt(QPointF scene) const {
  for (int i = 0; i < surface_.edgeCount(); ++i) {
    const int from = surface_.graph().edges[at(i)].from;
    if (surface_.graph().nodes[at(from)].kind == CanvasNode::Kind::input &&
        surface_.edge(i).state().labeled && surface_.edge(i).labelFrame().contains(scene))
      return from;
  }
  return -1;
}

void CanvasGestures::click(QPointF scene, Qt::KeyboardModifiers modifiers) {
  if (pressedNode_ >= 0) {
    // A click on one of several selected leaves that one.
    if (!adds(modifiers) && wasSelected_) surface_.select({pressedNode_}, pressedNode_);
    return;
  }
  if (const int frame = surface_.frameAt(scene); frame >= 0 && foldFrame) return foldFrame(frame);
  if (const int input = shapeAt(scene); input >= 0 && editShape) return editShape(input);
  if (pressedEdge_ >= 0)
    surface_.selectEdge(pressedEdge_);
  else if (!adds(modifiers))
    surface_.select({}, -1);
}

bool CanvasGestures::doubleClick(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return false;
  const QPointF scene = surface_.mapToScene(event->position().toPoint());
  const int node = surface_.nodeAt(scene);
  if (node >= 0) {
    const int folded = surface_.graph().nodes[at(node)].folded;
    if (folded >= 0 && foldFrame) {
      foldFrame(folded);
      return true;
    }
    const bool editable = !surface_.graph().nodes[at(node)].fields.empty();
    if (editable && editField) editField(node, std::max(0, surface_.node(node).fieldAt(scene)));
    return true;
  }
  if (const int edge = surface_.edgeAt(scene); edge >= 0)
    actions_.chooseOnEdge(edge, scene);
  else
    actions_.choose(uiText("Append an op"), scene,
                    [this](const OpRow& row) { actions_.append(row); });
  return true;
}

void CanvasGestures::hover(QPointF scene) {
  const int node = surface_.nodeAt(scene);
  const int field = node < 0 ? -1 : surface_.node(node).fieldAt(scene);
  const auto port = field < 0 ? surface_.portAt(scene) : std::nullopt;
  surface_.hover(port ? port->node : node, node >= 0 || port ? -1 : surface_.edgeAt(scene), field);
  if (!space_)
    surface_.viewport()->setCursor(port ? Qt::CrossCursor
                                   : field >= 0 || shapeAt(scene) >= 0 ||
                                           (node < 0 && surface_.frameAt(scene) >= 0)
                                       ? Qt::PointingHandCursor
                                       : Qt::ArrowCursor);
}

bool CanvasGestures::wheel(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0) surface_.zoomBy(std::pow(kZoomPerNotch, notches), event->position());
    return true;
  }
  QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2
                                            : QPointF(event->pixelDelta());
  if (event->modifiers() & Qt::ShiftModifier) by = QPointF(by.y(), by.x());
  surface_.panBy(by);
  return true;
}

bool CanvasGestures::pinch(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    auto* native = static_cast<QNativeGestureEvent*>(event);
    if (native->gestureType() != Qt::ZoomNativeGesture) return false;
    surface_.zoomBy(1 + native->value(), native->position());
    return true;
  }
  auto* gesture = static_cast<QGestureEvent*>(event);
  auto* pinched = static_cast<QPinchGesture*>(gesture->gesture(Qt::PinchGesture));
  if (!pinched) return false;
  surface_.zoomBy(pinched->scaleFactor(),
                  surface_.viewport()->mapFromGlobal(pinched->centerPoint()));
  gesture->accept(pinched);
  return true;
}

}  // namespace fusebench
