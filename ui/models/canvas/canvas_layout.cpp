// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/models/base/as_index.h"
#include "ui/models/canvas/canvas_layers.h"

namespace fusebench {
namespace {

struct Band {
  double top = 0, bottom = 0;
};

/// The heights of the layers. A gap is wider where an edge goes further aside.
std::vector<Band> stack(const LayeredGraph& graph, const LayoutInput& input,
                        const std::vector<double>& x, const LayoutOptions& options) {
  std::vector<Band> bands(graph.layers.size());
  double y = 0;
  for (std::size_t l = 0; l < graph.layers.size(); ++l) {
    double height = 0, aside = 0;
    for (int stop : graph.layers[l]) {
      if (!graph.passing(stop)) height = std::max(height, input.nodes[at(stop)].size.height());
      for (int i : graph.below[at(stop)]) {
        const LayeredGraph::Piece& p = graph.pieces[at(i)];
        aside = std::max(aside, std::abs(x[at(p.from)] + p.fromX - x[at(p.to)] - p.toX));
      }
    }
    bands[l] = {y, y + height};
    y += height + std::min(options.widestGap, options.layerGap + 0.2 * aside);
  }
  return bands;
}

std::vector<QPointF> route(const LayeredGraph& graph, const LayoutInput::Edge& edge,
                           const std::vector<int>& path, const std::vector<double>& x,
                           const std::vector<Band>& bands, const std::vector<QRectF>& nodes) {
  std::vector<QPointF> points = {{x[at(edge.from)] + edge.fromX, nodes[at(edge.from)].bottom()}};
  // Go below taller neighbors before going sideways.
  const double below = bands[at(graph.layer[at(edge.from)])].bottom;
  if (below > points.back().y()) points.emplace_back(points.back().x(), below);
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const Band& band = bands[at(graph.layer[at(path[i])])];
    points.emplace_back(x[at(path[i])], band.top);
    points.emplace_back(x[at(path[i])], band.bottom);
  }
  points.emplace_back(x[at(edge.to)] + edge.toX, nodes[at(edge.to)].top());
  return points;
}

}  // namespace

LayoutResult layoutGraph(const LayoutInput& input, const LayoutOptions& options) {
  LayeredGraph graph = layer(input);
  LayoutResult result;
  result.crossings = order(graph);
  std::vector<double> x = placeAcross(graph, input, options);
  // A whole number of units, so that lines are crisp.
  for (double& place : x) place = std::round(place);
  const std::vector<Band> bands = stack(graph, input, x, options);
  for (int i = 0; i < graph.nodes; ++i) {
    const QSizeF size = input.nodes[at(i)].size;
    const Band& band = bands[at(graph.layer[at(i)])];
    // A source hangs at the bottom of its layer, near what reads it; the others
    // at the top.
    const double y = input.nodes[at(i)].source ? band.bottom - size.height() : band.top;
    result.nodes.emplace_back(QPointF(x[at(i)] - size.width() / 2, y), size);
    result.bounds |= result.nodes.back();
  }
  for (std::size_t e = 0; e < input.edges.size(); ++e) {
    result.edges.push_back(route(graph, input.edges[e], graph.paths[e], x, bands, result.nodes));
    for (const QPointF& point : result.edges.back())
      result.bounds |= QRectF(point - QPointF(1, 1), QSizeF(2, 2));
  }
  result.layers.assign(graph.layer.begin(), graph.layer.begin() + graph.nodes);
  return result;
}

}  // namespace fusebench
