// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_keys.h"

#include <QKeyEvent>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

constexpr double kKeyZoomStep = 1.2;

std::optional<CanvasStep> stepOf(int key) {
  switch (key) {
    case Qt::Key_Up:
      return CanvasStep::up;
    case Qt::Key_Down:
      return CanvasStep::down;
    case Qt::Key_Left:
      return CanvasStep::left;
    case Qt::Key_Right:
      return CanvasStep::right;
    case Qt::Key_Home:
      return CanvasStep::first;
    case Qt::Key_End:
      return CanvasStep::last;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool CanvasKeys::wants(QKeyEvent* event) const {
  const bool control = event->modifiers() & Qt::ControlModifier;
  if (control)
    for (int key : {Qt::Key_A, Qt::Key_C, Qt::Key_X, Qt::Key_V, Qt::Key_D, Qt::Key_0, Qt::Key_1})
      if (event->key() == key) return true;
  if (event->key() == Qt::Key_Escape) return connecting();
  if (event->modifiers() & Qt::AltModifier)
    return event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (control) return false;
  for (int key : {Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_F2, Qt::Key_Insert, Qt::Key_Slash,
                  Qt::Key_Space, Qt::Key_Home, Qt::Key_End})
    if (event->key() == key) return true;
  return stepOf(event->key()).has_value() || !event->text().isEmpty();
}

bool CanvasKeys::press(QKeyEvent* event) {
  if (connecting()) return pressWhileConnecting(event);
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->modifiers() & Qt::AltModifier) {
    if (event->key() != Qt::Key_Up && event->key() != Qt::Key_Down) return false;
    actions_.moveBy(event->key() == Qt::Key_Down);
    return true;
  }
  if (event->modifiers() & Qt::ControlModifier) return pressControl(event->key(), shift);
  if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)
    return tab(event->key() == Qt::Key_Backtab);
  if (const auto step = stepOf(event->key())) return go(*step, shift);
  return pressPlain(event);
}

bool CanvasKeys::release(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return false;
  if (space) space(false);
  return true;
}

bool CanvasKeys::pressControl(int key, bool shift) {
  switch (key) {
    case Qt::Key_A:
      actions_.selectAll();
      return true;
    case Qt::Key_C:
      actions_.copy();
      return true;
    case Qt::Key_X:
      actions_.cut();
      return true;
    case Qt::Key_V:
      actions_.paste();
      return true;
    case Qt::Key_D:
      actions_.duplicate();
      return true;
    case Qt::Key_0:
      surface_.fit();
      return true;
    case Qt::Key_1:
      surface_.setZoom(1);
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      surface_.zoomBy(kKeyZoomStep);
      return true;
    case Qt::Key_Minus:
      surface_.zoomBy(1 / kKeyZoomStep);
      return true;
    case Qt::Key_Z:
      shift ? actions_.redo() : actions_.undo();
      return true;
    case Qt::Key_Y:
      actions_.redo();
      return true;
    default:
      return false;
  }
}

bool CanvasKeys::pressPlain(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Insert:
      shift ? actions_.chooseBefore() : actions_.chooseAfter();
      return true;
    case Qt::Key_Slash:
      actions_.chooseAfter();
      return true;
    case Qt::Key_Question:
      actions_.chooseBefore();
      return true;
    case Qt::Key_B:
      actions_.chooseBranch();
      return true;
    case Qt::Key_R:
      actions_.chooseReplacement();
      return true;
    case Qt::Key_C:
      startConnecting();
      return true;
    case Qt::Key_F:
      if (fold) fold();
      return true;
    case Qt::Key_L:
      if (layout) layout();
      return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      actions_.remove();
      return true;
    case Qt::Key_F2:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      edit();
      return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      surface_.zoomBy(kKeyZoomStep);
      return true;
    case Qt::Key_Minus:
      surface_.zoomBy(1 / kKeyZoomStep);
      return true;
    case Qt::Key_Space:
      if (!event->isAutoRepeat() && space) space(true);
      return true;
    case Qt::Key_Menu:
      if (menu) menu();
      return true;
    case Qt::Key_Escape:
      if (cancelMouse && cancelMouse()) return true;
      if (surface_.selected().empty() && surface_.selectedEdge() < 0) return false;
      surface_.select({}, surface_.current());
      return true;
    default:
      return false;
  }
}

bool CanvasKeys::go(CanvasStep step, bool extend) {
  const int from = surface_.current() >= 0 ? surface_.current() : actions_.node();
  const int to = walk(surface_.graph(), surface_.places(), from, step);
  if (to < 0) return true;
  std::vector<int> nodes = {to};
  if (extend) {
    nodes = surface_.selected();
    // Going back over what was added takes it out again.
    if (surface_.isSelected(to) && to != from) std::erase(nodes, from);
    nodes.push_back(to);
  }
  surface_.select(nodes, to);
  surface_.reveal(to);
  return true;
}

/// Tab walks the nodes in order and leaves the canvas at their ends.
bool CanvasKeys::tab(bool back) {
  const int at = surface_.current();
  const int last = surface_.nodeCount() - 1;
  if (last < 0 || (back ? at == 0 : at == last)) return false;
  return go(back ? CanvasStep::previous : CanvasStep::next, false);
}

void CanvasKeys::edit() {
  const int node = actions_.node();
  if (node < 0 || !editField) return;
  const CanvasNode& shown = surface_.graph().nodes[static_cast<std::size_t>(node)];
  if (shown.folded >= 0 && fold) return fold();
  if (shown.fields.empty()) {
    if (actions_.say)
      actions_.say(shown.kind == CanvasNode::Kind::output
                       ? uiText("A result has nothing to edit")
                       : uiText("%1 has no parameters").arg(shown.title),
                   surface_.places()[static_cast<std::size_t>(node)].bottomLeft());
    return;
  }
  editField(node, 0);
}

void CanvasKeys::startConnecting() {
  const int node = actions_.node();
  if (node < 0) return;
  const CanvasNode& to = surface_.graph().nodes[static_cast<std::size_t>(node)];
  if (to.kind == CanvasNode::Kind::input || to.repeat) {
    if (actions_.say)
      actions_.say(to.repeat ? uiText("This is a repeat. Connect the op where it is first "
                                      "written")
                             : uiText("An input reads nothing; start at an op"),
                   surface_.places()[static_cast<std::size_t>(node)].bottomLeft());
    return;
  }
  connectTo_ = node;
  operand_ = likelyOperand(surface_.graph(), node);
  const int now = surface_.graph().edgeInto(node, operand_);
  candidate_ =
      now >= 0 ? surface_.graph().edges[static_cast<std::size_t>(now)].from : std::max(0, node - 1);
  number_.clear();
  showConnecting();
}

void CanvasKeys::showConnecting() {
  const CanvasNode& to = surface_.graph().nodes[static_cast<std::size_t>(connectTo_)];
  QString operand = uiText("the result");
  if (to.row) {
    const std::string_view name = operandName(*to.row, operand_);
    operand =
        uiText("“%1” of %2")
            .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), to.title);
  }
  QString words;
  if (number_.isEmpty())
    words =
        uiText("%1 reads %2. Arrows choose, Enter connects%3, Escape cancels")
            .arg(operand, surface_.graph().nodes[static_cast<std::size_t>(candidate_)].title,
                 to.ports > 1 ? uiText(", C for the next operand, or type a number") : QString());
  else
    words = uiText("%1 is %2. Enter accepts, Escape cancels").arg(operand, number_);
  surface_.setCandidate(number_.isEmpty() ? candidate_ : -1);
  surface_.reveal(number_.isEmpty() ? candidate_ : connectTo_);
  if (hint) hint(words, surface_.places()[static_cast<std::size_t>(connectTo_)].topRight());
}

void CanvasKeys::stopConnecting() {
  if (!connecting()) return;
  connectTo_ = -1;
  surface_.setCandidate(-1);
  if (hint) hint({}, {});
}

void CanvasKeys::finishConnecting() {
  const int to = connectTo_, operand = operand_, from = candidate_;
  const QString number = number_;
  stopConnecting();
  if (number.isEmpty()) return actions_.connect(from, to, operand);
  bool good = false;
  const double value = number.toDouble(&good);
  if (good) return actions_.setNumber(to, operand, value);
  if (actions_.say)
    actions_.say(uiText("“%1” is not a number").arg(number),
                 surface_.places()[static_cast<std::size_t>(to)].bottomLeft());
}

bool CanvasKeys::pressWhileConnecting(QKeyEvent* event) {
  const CanvasNode& to = surface_.graph().nodes[static_cast<std::size_t>(connectTo_)];
  if (const auto step = stepOf(event->key())) {
    const int next = walk(surface_.graph(), surface_.places(), candidate_, *step);
    const auto& node = surface_.graph().nodes[static_cast<std::size_t>(next)];
    if (node.kind != CanvasNode::Kind::output && !node.repeat) candidate_ = next;
    number_.clear();
    showConnecting();
    return true;
  }
  switch (event->key()) {
    case Qt::Key_Escape:
      stopConnecting();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      finishConnecting();
      return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;
    case Qt::Key_Backspace:
      number_.chop(1);
      showConnecting();
      return true;
    case Qt::Key_C:
      if (to.kind == CanvasNode::Kind::op) operand_ = (operand_ + 1) % std::max(1, to.ports);
      showConnecting();
      return true;
    default:
      break;
  }
  static const QString kNumeric = QStringLiteral("0123456789.-+e");
  if (event->text().size() == 1 && kNumeric.contains(event->text()) &&
      to.kind == CanvasNode::Kind::op) {
    number_ += event->text();
    showConnecting();
  }
  return true;
}

}  // namespace fusebench
