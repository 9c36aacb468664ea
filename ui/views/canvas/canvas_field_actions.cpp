// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of what ops read: connections, numbers and parameters; and the history.
#include <numeric>
#include <vector>

#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_actions.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

/// Rank of what `op` reads first, -1 if it is not known: dims are checked
/// against it.
int rankOfOperand(const DocumentModel& document, int op) {
  const Sketch& sketch = document.sketch();
  if (op < 0 || at(op) >= sketch.program.ops.size()) return -1;
  const Op& reader = sketch.program.ops[at(op)];
  if (reader.operands.empty() || reader.operands.front().isNumber()) return -1;
  const auto types = document.types(0);
  const auto value = at(reader.operands.front().value);
  return value < types.size() && types[value] ? types[value]->shape.rank() : -1;
}

}  // namespace

void CanvasActions::connect(int fromNode, int toNode, int operand) {
  const CanvasGraph& graph = surface_.graph();
  const CanvasNode& to = graph.nodes[at(toNode)];
  const ValueId value = graph.originalValue(fromNode);
  const QPointF place = surface_.node(toNode).inPort(operand);
  if (value < 0 || to.repeat || graph.nodes[at(fromNode)].repeat ||
      to.kind == CanvasNode::Kind::input) {
    if (say)
      say(to.kind == CanvasNode::Kind::input
              ? uiText("An input reads nothing; connect to an op")
              : uiText("Repeats cannot be connected. Connect the ops "
                       "where they are first "
                       "written"),
          place);
    return;
  }
  const Port port =
      to.kind == CanvasNode::Kind::output ? Port{-1, to.index} : Port{to.original, operand};
  finish(commands_.connect(value, port), place, true);
}

void CanvasActions::setNumber(int toNode, int operand, double number) {
  const CanvasNode& to = surface_.graph().nodes[at(toNode)];
  const QPointF place = surface_.node(toNode).inPort(operand);
  if (to.kind != CanvasNode::Kind::op) {
    if (say) say(uiText("A result is a tensor; connect another value to it"), place);
    return;
  }
  finish(commands_.setNumber({to.original, operand}, number), place, true);
}

QString CanvasActions::check(int node, int field, const QString& typed) const {
  const CanvasNode& shown = surface_.graph().nodes[at(node)];
  return readField(shown.fields[at(field)], typed, rankOfOperand(document_, shown.original)).error;
}

QString CanvasActions::setField(int node, int field, const QString& typed) {
  const CanvasNode shown = surface_.graph().nodes[at(node)];
  const CanvasField& of = shown.fields[at(field)];
  const FieldValue value = readField(of, typed, rankOfOperand(document_, shown.original));
  if (!value.good()) return value.error;
  if (typed.trimmed() == of.text) return {};
  return commands_.setField(shown.original, of, value).refusal;
}

void CanvasActions::toggle(int node, int field) {
  const CanvasNode& shown = surface_.graph().nodes[at(node)];
  const QString refusal = setField(
      node, field, shown.fields[at(field)].on() ? QStringLiteral("False") : QStringLiteral("True"));
  if (!refusal.isEmpty() && say) say(refusal, surface_.places()[at(node)].bottomLeft());
}

void CanvasActions::removeProblemLines() {
  finish(commands_.removeProblemLines(), surface_.layout().bounds.center());
}

void CanvasActions::selectAll() {
  std::vector<int> nodes(at(surface_.graph().ops));
  std::iota(nodes.begin(), nodes.end(), surface_.graph().inputs);
  surface_.select(nodes, surface_.current());
}

void CanvasActions::undo() {
  if (document_.canUndo()) document_.undo();
}

void CanvasActions::redo() {
  if (document_.canRedo()) document_.redo();
}

}  // namespace fusebench
