// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_frames.h"

#include <algorithm>
#include <map>
#include <vector>

#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

/// What the frame is while it is closed: its first node, changed.
void standIn(CanvasGraph& graph, int frame) {
  const CanvasFrame& of = graph.frames[at(frame)];
  CanvasNode& node = graph.nodes[at(of.first)];
  QStringList problems;
  std::vector<int> inside;
  bool dim = true;
  for (int i = of.first; i <= of.last; ++i) {
    CanvasNode& each = graph.nodes[at(i)];
    problems += each.problems;
    if (each.original >= 0) inside.push_back(each.original);
    dim = dim && each.dim;
    each.hidden = i != of.first;
  }
  node.title = uiText("%1 · %2 ops").arg(of.title).arg(of.last - of.first + 1);
  node.folded = frame;
  node.inside = std::move(inside);
  node.type = graph.nodes[at(of.last)].type;
  node.problems = std::move(problems);
  node.dim = dim;
  node.original = -1;
  node.row = nullptr;
  node.symbol = false;
  node.fields.clear();
  node.ports = 0;
}

/// Weights that only one folded frame reads are within it.
void hideWeights(CanvasGraph& graph, const std::vector<int>& standsFor) {
  constexpr int kUnread = -1, kSeveral = -2;
  std::vector<int> reader(graph.nodes.size(), kUnread);
  for (const CanvasEdge& edge : graph.edges) {
    int& of = reader[at(edge.from)];
    const int to = standsFor[at(edge.to)];
    of = of == kUnread || of == to ? to : kSeveral;
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].weight && reader[i] >= 0 && graph.nodes[at(reader[i])].folded >= 0)
      graph.nodes[i].hidden = true;
}

}  // namespace

void nestFrames(CanvasGraph& graph) {
  for (CanvasFrame& frame : graph.frames) frame.within = 0;
  for (std::size_t f = graph.frames.size(); f-- > 0;) {
    const CanvasFrame& frame = graph.frames[f];
    if (!frame.open() || frame.parent < 0) continue;
    int& depth = graph.frames[at(frame.parent)].within;
    depth = std::max(depth, frame.within + 1);
  }
}

void foldFrames(CanvasGraph& graph, const std::set<QString>& keys) {
  std::vector<int> standsFor(graph.nodes.size());
  for (std::size_t i = 0; i < standsFor.size(); ++i) standsFor[i] = static_cast<int>(i);
  bool any = false;
  for (std::size_t f = 0; f < graph.frames.size(); ++f) {
    CanvasFrame& frame = graph.frames[f];
    const bool within = frame.parent >= 0 && (graph.frames[at(frame.parent)].folded ||
                                              graph.frames[at(frame.parent)].hidden);
    frame.hidden = within;
    frame.folded = !within && keys.contains(frame.key);
    if (!frame.folded) continue;
    any = true;
    standIn(graph, static_cast<int>(f));
    for (int i = frame.first; i <= frame.last; ++i) standsFor[at(i)] = frame.first;
  }
  if (!any) return;
  nestFrames(graph);
  hideWeights(graph, standsFor);
  std::vector<CanvasEdge> edges;
  std::map<std::pair<int, int>, bool> seen;
  for (CanvasEdge edge : graph.edges) {
    edge.from = standsFor[at(edge.from)];
    edge.to = standsFor[at(edge.to)];
    if (edge.from == edge.to || graph.nodes[at(edge.from)].hidden) continue;
    CanvasNode& reader = graph.nodes[at(edge.to)];
    if (reader.folded >= 0) {
      if (!seen.insert({{edge.from, edge.to}, true}).second) continue;
      edge.operand = reader.ports++;
    }
    edges.push_back(std::move(edge));
  }
  graph.edges = std::move(edges);
}

}  // namespace fusebench
