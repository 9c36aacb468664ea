// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_actions.h"

#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>
#include <optional>

#include "engine/edit/layers.h"
#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/canvas/canvas_walk.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

const QString kRepeat =
    uiText("This is a repeat of the chain. Edit the op where it is first written");

QString called(const CanvasNode& node) {
  return node.row ? QString::fromUtf8(node.row->name.data(),
                                      static_cast<qsizetype>(node.row->name.size()))
                  : node.title;
}

}  // namespace

std::vector<int> CanvasActions::ops() const {
  std::vector<int> result;
  for (int node : surface_.selected())
    if (const int op = surface_.graph().nodes[at(node)].original; op >= 0) result.push_back(op);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

int CanvasActions::node() const {
  if (surface_.current() >= 0) return surface_.current();
  return surface_.selected().empty() ? -1 : surface_.selected().back();
}

QPointF CanvasActions::placeOf(int node) const {
  if (node < 0 || node >= surface_.nodeCount()) return surface_.layout().bounds.center();
  return surface_.node(node).outPort();
}

std::optional<Port> CanvasActions::portOf(int edge) const {
  if (edge < 0 || edge >= surface_.edgeCount()) return std::nullopt;
  return surface_.graph().port(surface_.graph().edges[at(edge)]);
}

/// The edge at which an appended op would go: before a reduction in the return.
int CanvasActions::endEdge() const {
  const CanvasGraph& graph = surface_.graph();
  int node = graph.inputs + graph.ops;
  if (node >= surface_.nodeCount()) return -1;
  int edge = edgeBefore(graph, node);
  while (edge >= 0) {
    const CanvasNode& from = graph.nodes[at(graph.edges[at(edge)].from)];
    const bool reduction = from.kind == CanvasNode::Kind::op && from.statement < 0 && from.row &&
                           from.row->kind == OpKind::reduce;
    if (!reduction) break;
    edge = edgeBefore(graph, graph.edges[at(edge)].from);
  }
  return edge;
}

void CanvasActions::finish(const CanvasOutcome& outcome, QPointF place, bool selectMoved) {
  laterPlace_ = place;
  laterMoved_ = selectMoved;
  if (!outcome.done()) {
    if (say && !outcome.later) say(outcome.refusal, place);
    return;
  }
  std::vector<int> nodes;
  for (int op : selectMoved ? outcome.moved : outcome.added)
    if (const int node = surface_.graph().nodeOfOriginal(op); node >= 0) nodes.push_back(node);
  // Inputs come first, the newest of them last.
  if (nodes.empty() && outcome.inputs > 0) nodes = {surface_.graph().inputs - 1};
  if (nodes.empty()) return;
  const int last = nodes.back();
  surface_.select(std::move(nodes), last);
  surface_.reveal(last);
}

void CanvasActions::append(const OpRow& row) {
  finish(commands_.append(row), surface_.layout().bounds.center());
}

void CanvasActions::put(const OpRow& row, const CanvasTarget& target) {
  // An input takes over the port that it is dropped on; elsewhere it is only added.
  if (&row == findOpOrLayer("input") && target.kind != CanvasTarget::Kind::port) return append(row);
  switch (target.kind) {
    case CanvasTarget::Kind::edge:
    case CanvasTarget::Kind::port:
      edgeChosen(target.edge, row, surface_.edge(target.edge).middle());
      break;
    case CanvasTarget::Kind::branch:
      finish(commands_.branch(row, surface_.graph().originalValue(target.node)),
             placeOf(target.node));
      break;
    case CanvasTarget::Kind::append:
      append(row);
      break;
    case CanvasTarget::Kind::none:
      break;
  }
}

CanvasTarget CanvasActions::targetAt(QPointF scene) const {
  using Kind = CanvasTarget::Kind;
  const CanvasGraph& graph = surface_.graph();
  constexpr double kPortDropReach = 12;
  if (const auto port = surface_.portAt(scene, kPortDropReach); port && !port->out)
    if (const int edge = graph.edgeInto(port->node, port->operand); edge >= 0)
      return {Kind::port, edge, -1};
  if (const int node = surface_.nodeAt(scene); node >= 0) {
    const QRectF frame = surface_.node(node).frame();
    const bool before =
        scene.y() < frame.center().y() && graph.nodes[at(node)].kind != CanvasNode::Kind::input;
    const bool output = graph.nodes[at(node)].kind == CanvasNode::Kind::output;
    const int edge = before || output ? edgeBefore(graph, node) : edgeAfter(graph, node);
    if (edge >= 0) return {Kind::edge, edge, -1};
    return graph.originalValue(node) >= 0 ? CanvasTarget{Kind::branch, -1, node}
                                          : CanvasTarget{Kind::append, -1, -1};
  }
  if (const int edge = surface_.edgeAt(scene, 14); edge >= 0) return {Kind::edge, edge, -1};
  if (const int edge = surface_.gapAt(scene); edge >= 0) return {Kind::edge, edge, -1};
  return {Kind::append, -1, -1};
}

void CanvasActions::edgeChosen(int edge, const OpRow& row, QPointF place) {
  const std::optional<Port> port = portOf(edge);
  if (!port) {
    if (say) say(kRepeat, place);
    return;
  }
  finish(commands_.insert(row, *port), place);
}

void CanvasActions::chooseOnEdge(int edge, QPointF scene) {
  const std::optional<Port> port = portOf(edge);
  if (!port) {
    if (say) say(kRepeat, scene);
    return;
  }
  const CanvasGraph& graph = surface_.graph();
  const QString heading = uiText("Insert between %1 and %2")
                              .arg(called(graph.nodes[at(graph.edges[at(edge)].from)]),
                                   called(graph.nodes[at(graph.edges[at(edge)].to)]));
  choose(heading, scene,
         [this, to = *port, scene](const OpRow& row) { finish(commands_.insert(row, to), scene); });
}

void CanvasActions::chooseAfter() {
  if (surface_.selectedEdge() >= 0)
    return chooseOnEdge(surface_.selectedEdge(), surface_.edge(surface_.selectedEdge()).middle());
  const int from = node();
  const CanvasGraph& graph = surface_.graph();
  if (from < 0 || graph.nodes[at(from)].kind == CanvasNode::Kind::output)
    return choose(uiText("Append an op"), placeOf(from), [this](const OpRow& row) { append(row); });
  const int edge = edgeAfter(graph, from);
  if (edge < 0) return chooseBranchFrom(from, placeOf(from));
  chooseOnEdge(edge, placeOf(from));
}

void CanvasActions::chooseBefore() {
  const int to = node();
  if (to < 0) return chooseAfter();
  const int edge = edgeBefore(surface_.graph(), to);
  if (edge < 0) {
    if (say) say(uiText("Nothing comes before an input"), placeOf(to));
    return;
  }
  chooseOnEdge(edge, surface_.node(to).frame().topLeft());
}

void CanvasActions::chooseBranch() {
  if (const int from = node(); from >= 0) chooseBranchFrom(from, placeOf(from));
}

void CanvasActions::chooseBranchFrom(int from, QPointF scene) {
  const ValueId value = surface_.graph().originalValue(from);
  if (value < 0) {
    if (say) say(uiText("A result has no value to branch from"), scene);
    return;
  }
  choose(uiText("Branch from %1").arg(called(surface_.graph().nodes[at(from)])), scene,
         [this, value, scene](const OpRow& row) { finish(commands_.branch(row, value), scene); });
}

void CanvasActions::chooseReplacement() {
  const std::vector<int> chosen = ops();
  if (chosen.size() != 1) {
    if (say) say(uiText("Select one op to replace it"), placeOf(node()));
    return;
  }
  const QPointF place = placeOf(node());
  choose(uiText("Replace %1 by").arg(called(surface_.graph().nodes[at(node())])), place,
         [this, op = chosen.front(), place](const OpRow& row) {
           finish(commands_.replace(op, row), place, true);
         });
}

void CanvasActions::remove() {
  if (const int edge = surface_.selectedEdge(); edge >= 0) {
    const CanvasEdge cut = surface_.graph().edges[at(edge)];
    return setNumber(cut.to, cut.operand, 1);
  }
  const std::vector<int> gone = ops();
  if (gone.empty()) {
    if (surface_.current() >= 0 && say)
      say(uiText("Inputs and results cannot be deleted on their own: they disappear with the ops "
                 "that read or compute them"),
          placeOf(surface_.current()));
    return;
  }
  // The keyboard continues from the node that the first removed op read.
  const int first = surface_.graph().nodeOfOriginal(gone.front());
  const int before = edgeBefore(surface_.graph(), first);
  int next = before < 0 ? -1 : surface_.graph().edges[at(before)].from;
  while (next >= 0 && surface_.isSelected(next)) {
    const int up = edgeBefore(surface_.graph(), next);
    next = up < 0 ? -1 : surface_.graph().edges[at(up)].from;
  }
  const int inputs = surface_.graph().inputs;
  const CanvasOutcome outcome = commands_.remove(gone);
  finish(outcome, placeOf(first));
  if (!outcome.done()) return;
  // Ops before the first that is gone keep their numbers.
  const int now = next < 0 ? -1 : next + surface_.graph().inputs - inputs;
  surface_.select(now < 0 ? std::vector<int>{} : std::vector<int>{now}, now);
}

void CanvasActions::duplicate() {
  const std::vector<int> copied = ops();
  if (copied.empty()) return;
  finish(commands_.duplicate(copied), placeOf(node()));
}

bool CanvasActions::copy() {
  const std::vector<int> copied = ops();
  if (copied.empty()) return false;
  QString refusal;
  const QString text = commands_.copy(copied, refusal);
  if (!refusal.isEmpty()) {
    if (say) say(refusal, placeOf(node()));
    return false;
  }
  QGuiApplication::clipboard()->setText(text);
  return true;
}

void CanvasActions::cut() {
  if (copy()) remove();
}

void CanvasActions::paste() {
  int edge = surface_.selectedEdge();
  if (edge < 0 && node() >= 0) edge = edgeAfter(surface_.graph(), node());
  pasteText(QGuiApplication::clipboard()->text(), edge);
}

void CanvasActions::pasteText(const QString& text, int edge) {
  if (text.trimmed().isEmpty()) {
    if (say)
      say(uiText("The clipboard has no text. Copy ops here, or PyTorch "
                 "code elsewhere"),
          placeOf(node()));
    return;
  }
  if (edge < 0) edge = endEdge();
  if (edge < 0) return finish(commands_.pasteAll(text), placeOf(node()));
  const std::optional<Port> port = portOf(edge);
  if (!port) {
    if (say) say(kRepeat, placeOf(node()));
    return;
  }
  finish(commands_.paste(text, *port), surface_.edge(edge).middle());
}

void CanvasActions::moveTo(int edge) {
  const std::optional<Port> port = portOf(edge);
  const std::vector<int> moved = ops();
  if (moved.empty()) return;
  if (!port) {
    if (say) say(kRepeat, placeOf(node()));
    return;
  }
  finish(commands_.move(moved, *port), surface_.edge(edge).middle(), true);
}

void CanvasActions::moveBy(bool later) {
  const int edge = edgeOneOn(surface_.graph(), surface_.selected(), later);
  if (edge >= 0) return moveTo(edge);
  if (say && !ops().empty())
    say(later ? uiText("This is already the last op") : uiText("This is already the first op"),
        placeOf(node()));
}

}  // namespace fusebench
