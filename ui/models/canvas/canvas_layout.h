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
    bool source = false;  ///< an input: stands just above its first reader
  };
  struct Edge {
    int from = 0, to = 0;
    double fromX = 0,
           toX = 0;  ///< where it leaves and enters, from the nodes' centres
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< from < to in some order of the nodes: no cycles
};

struct LayoutOptions {
  double layerGap = 18;   ///< between layers that only straight edges join
  double widestGap = 46;  ///< between layers with edges that go far aside
  double columnGap = 34;  ///< between neighbours in a layer
  double edgeRoom = 20;   ///< for an edge that passes between nodes
};

struct LayoutResult {
  std::vector<QRectF> nodes;
  /// Of each edge, its points from top to bottom: out of the one node, past
  /// layers, into the other.
  std::vector<std::vector<QPointF>> edges;
  std::vector<int> layers;
  QRectF bounds;
  int crossings = 0;
};

/// A layered drawing, top to bottom: every edge goes down, no nodes overlap, a
/// chain is a straight column, branches stand side by side with few crossings
/// (Sugiyama, Tagawa and Toda 1981: layers by longest path, order by medians
/// and exchanges, places by least squares within the order). The same input
/// always gives the same drawing, and where there is a choice the nodes' order
/// decides.
LayoutResult layoutGraph(const LayoutInput& input, const LayoutOptions& options = {});

}  // namespace fusebench
