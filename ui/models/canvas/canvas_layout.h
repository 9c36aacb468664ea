// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace fusebench {

/// A directed acyclic graph to be drawn. Lengths are in scene units (pixels at
/// zoom 1).
struct LayoutInput {
  struct Node {
    QSizeF size;
    bool source = false;  ///< an input: placed just above its first reader
  };
  struct Edge {
    int from = 0, to = 0;
    double fromX = 0,
           toX = 0;  ///< offsets of both ends from the nodes' centers
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< from < to in some order of the nodes: no cycles
};

struct LayoutOptions {
  double layerGap = 18;   ///< between layers that only straight edges join
  double widestGap = 46;  ///< between layers with edges that go far aside
  double columnGap = 34;  ///< between neighbors in a layer
  double edgeRoom = 20;   ///< for an edge that passes between nodes
};

struct LayoutResult {
  std::vector<QRectF> nodes;
  /// The points of each edge from top to bottom: out of one node, past layers, into the other node.
  std::vector<std::vector<QPointF>> edges;
  std::vector<int> layers;
  QRectF bounds;
  int crossings = 0;
};

/// A layered drawing, top to bottom: every edge goes down, nodes do not overlap, a chain is a
/// straight column, and branches are side by side with few crossings (Sugiyama, Tagawa and Toda
/// 1981: layers by longest path, order by medians and swaps, positions by least squares within the
/// order). The same input always gives the same drawing; the order of the nodes breaks ties.
LayoutResult layoutGraph(const LayoutInput& input, const LayoutOptions& options = {});

}  // namespace fusebench
