// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/canvas/canvas_layout.h"

namespace fusebench {

/// The graph with every edge cut where it passes a layer, so that each piece joins two neighboring
/// layers. Stops that are not nodes of the input represent edges passing by.
struct LayeredGraph {
  struct Piece {
    int from = 0, to = 0;       ///< stops
    double fromX = 0, toX = 0;  ///< offsets from the centers of the stops
  };
  int nodes = 0;                         ///< stops below this are the input's nodes
  std::vector<int> layer;                ///< of each stop
  std::vector<std::vector<int>> layers;  ///< stops from left to right
  std::vector<Piece> pieces;
  std::vector<std::vector<int>> above,
      below;                            ///< per stop, the pieces that end or start there
  std::vector<std::vector<int>> paths;  ///< of each edge, its stops from top to bottom
  bool passing(int stop) const { return stop >= nodes; }
};

/// Longest-path layers; sources move down to just above their first reader.
LayeredGraph layer(const LayoutInput& input);

/// Reorders the layers for few crossings; returns how many are left.
int order(LayeredGraph& graph);

/// Centers of the stops from left to right, in order and without overlap.
std::vector<double> placeAcross(const LayeredGraph& graph, const LayoutInput& input,
                                const LayoutOptions& options);

}  // namespace fusebench
