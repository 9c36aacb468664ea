// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/models/base/as_index.h"

namespace fusebench {
namespace {

const CanvasEdge* edge(const CanvasGraph& graph, int i) {
  return i < 0 ? nullptr : &graph.edges[at(i)];
}

/// The nearest node to the left or right; vertical distance counts four times.
int beside(std::span<const QRectF> places, int node, bool right) {
  const QPointF here = places[at(node)].center();
  int best = node;
  double bestDistance = 0;
  for (int i = 0; i < static_cast<int>(places.size()); ++i) {
    const QPointF delta = places[at(i)].center() - here;
    if (places[at(i)].isNull() || (right ? delta.x() <= 1 : delta.x() >= -1)) continue;
    const double distance = std::abs(delta.x()) + 4 * std::abs(delta.y());
    if (best != node && distance >= bestDistance) continue;
    best = i;
    bestDistance = distance;
  }
  return best;
}

}  // namespace

int edgeBefore(const CanvasGraph& graph, int node) {
  int best = -1;
  for (int i : graph.edgesInto(node))
    if (best < 0 || graph.edges[at(i)].operand < graph.edges[at(best)].operand) best = i;
  return best;
}

int edgeAfter(const CanvasGraph& graph, int node) {
  const std::vector<int> out = graph.edgesOutOf(node);
  return out.empty() ? -1 : out.front();
}

int walk(const CanvasGraph& graph, std::span<const QRectF> places, int node, CanvasStep step) {
  const int count = static_cast<int>(graph.nodes.size());
  if (count == 0) return -1;
  if (node < 0 || node >= count)
    return step == CanvasStep::last || step == CanvasStep::previous ? count - 1 : 0;
  switch (step) {
    case CanvasStep::first:
      return 0;
    case CanvasStep::last:
      return count - 1;
    case CanvasStep::next: {
      int next = std::min(node + 1, count - 1);
      while (next < count - 1 && graph.nodes[at(next)].hidden) ++next;
      return next;
    }
    case CanvasStep::previous: {
      int next = std::max(node - 1, 0);
      while (next > 0 && graph.nodes[at(next)].hidden) --next;
      return next;
    }
    case CanvasStep::up: {
      const CanvasEdge* e = edge(graph, edgeBefore(graph, node));
      return e ? e->from : node;
    }
    case CanvasStep::down: {
      const CanvasEdge* e = edge(graph, edgeAfter(graph, node));
      return e ? e->to : node;
    }
    case CanvasStep::left:
      return beside(places, node, false);
    case CanvasStep::right:
      return beside(places, node, true);
  }
  return node;
}

int edgeOneOn(const CanvasGraph& graph, std::span<const int> nodes, bool later) {
  if (nodes.empty()) return -1;
  const auto [first, last] = std::minmax_element(nodes.begin(), nodes.end());
  const auto among = [&](int node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  int here = later ? *last : *first;
  // Along the chain to the first op that is not moved itself.
  do {
    const int next = later ? edgeAfter(graph, here) : edgeBefore(graph, here);
    if (next < 0) return -1;
    here = later ? graph.edges[at(next)].to : graph.edges[at(next)].from;
  } while (among(here));
  if (graph.nodes[at(here)].kind != CanvasNode::Kind::op) return -1;
  return later ? edgeAfter(graph, here) : edgeBefore(graph, here);
}

int likelyOperand(const CanvasGraph& graph, int node) {
  const CanvasNode& reader = graph.nodes[at(node)];
  if (reader.kind == CanvasNode::Kind::output) return reader.index;
  for (const CanvasField& field : reader.fields)
    if (field.kind == CanvasField::Kind::operand) return field.position;
  return std::max(0, reader.ports - 1);
}

}  // namespace fusebench
