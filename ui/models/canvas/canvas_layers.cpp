// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_layers.h"

#include <algorithm>
#include <numeric>

#include "ui/models/base/as_index.h"

namespace fusebench {
namespace {

constexpr int kOrderSweeps = 12;

std::vector<int> longestPathLayers(const LayoutInput& input) {
  std::vector<int> layers(input.nodes.size(), 0);
  // Edges need not be sorted; a graph without cycles settles within its depth.
  for (std::size_t round = 0; round <= input.nodes.size(); ++round) {
    bool moved = false;
    for (const LayoutInput::Edge& edge : input.edges)
      if (layers[at(edge.to)] < layers[at(edge.from)] + 1) {
        layers[at(edge.to)] = layers[at(edge.from)] + 1;
        moved = true;
      }
    if (!moved) break;
  }
  std::vector<int> lowest(input.nodes.size(), -1);
  for (const LayoutInput::Edge& edge : input.edges) {
    int& low = lowest[at(edge.from)];
    if (low < 0 || layers[at(edge.to)] - 1 < low) low = layers[at(edge.to)] - 1;
  }
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (input.nodes[i].source && lowest[i] > layers[i]) layers[i] = lowest[i];
  return layers;
}

/// Position of each stop within its layer.
std::vector<int> positions(const LayeredGraph& graph) {
  std::vector<int> result(graph.layer.size());
  for (const auto& layer : graph.layers)
    for (std::size_t i = 0; i < layer.size(); ++i) result[at(layer[i])] = static_cast<int>(i);
  return result;
}

/// Crossings between the pieces that end (or start) at stop `a`, left of `b`,
/// in `ends`.
int crossingsOf(const std::vector<double>& a, const std::vector<double>& b) {
  int count = 0;
  for (double x : a)
    for (double y : b) count += x > y;
  return count;
}

/// Positions of a stop's neighbors in the next layer up or down. Ports distinguish pieces at the
/// same stop.
std::vector<double> neighbors(const LayeredGraph& graph, const std::vector<int>& position, int stop,
                              bool up) {
  std::vector<double> result;
  for (int piece : up ? graph.above[at(stop)] : graph.below[at(stop)]) {
    const LayeredGraph::Piece& p = graph.pieces[at(piece)];
    result.push_back(position[at(up ? p.from : p.to)] + (up ? p.fromX : p.toX) * 1e-3);
  }
  std::sort(result.begin(), result.end());
  return result;
}

int countCrossings(const LayeredGraph& graph) {
  const std::vector<int> position = positions(graph);
  int count = 0;
  for (std::size_t l = 1; l < graph.layers.size(); ++l) {
    std::vector<std::pair<double, double>> ends;  // top, bottom of each piece between two layers
    for (int stop : graph.layers[l])
      for (int piece : graph.above[at(stop)]) {
        const LayeredGraph::Piece& p = graph.pieces[at(piece)];
        ends.emplace_back(position[at(p.from)] + p.fromX * 1e-3, position[at(stop)] + p.toX * 1e-3);
      }
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        count += (ends[i].first - ends[j].first) * (ends[i].second - ends[j].second) < 0;
  }
  return count;
}

void sortByMedians(LayeredGraph& graph, std::vector<int>& position, std::size_t l, bool up) {
  std::vector<int>& layer = graph.layers[l];
  std::vector<std::pair<double, int>> keyed;
  for (int stop : layer) {
    const std::vector<double> near = neighbors(graph, position, stop, up);
    double key = position[at(stop)];
    if (!near.empty()) {
      const std::size_t half = near.size() / 2;
      key = near.size() % 2 ? near[half] : (near[half - 1] + near[half]) / 2;
    }
    keyed.emplace_back(key, stop);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < layer.size(); ++i) {
    layer[i] = keyed[i].second;
    position[at(layer[i])] = static_cast<int>(i);
  }
}

/// Swaps neighbors wherever that reduces crossings.
void exchange(LayeredGraph& graph) {
  std::vector<int> position = positions(graph);
  bool better = true;
  for (int round = 0; better && round < kOrderSweeps; ++round) {
    better = false;
    for (auto& layer : graph.layers)
      for (std::size_t i = 1; i < layer.size(); ++i) {
        const int a = layer[i - 1], b = layer[i];
        int now = 0, then = 0;
        for (const bool up : {true, false}) {
          const auto ofA = neighbors(graph, position, a, up);
          const auto ofB = neighbors(graph, position, b, up);
          now += crossingsOf(ofA, ofB);
          then += crossingsOf(ofB, ofA);
        }
        if (then >= now) continue;
        std::swap(layer[i - 1], layer[i]);
        std::swap(position[at(a)], position[at(b)]);
        better = true;
      }
  }
}

}  // namespace

LayeredGraph layer(const LayoutInput& input) {
  LayeredGraph graph;
  graph.nodes = static_cast<int>(input.nodes.size());
  graph.layer = longestPathLayers(input);
  int last = -1;
  for (int l : graph.layer) last = std::max(last, l);
  graph.layers.resize(at(last + 1));
  for (int i = 0; i < graph.nodes; ++i) graph.layers[at(graph.layer[at(i)])].push_back(i);
  for (const LayoutInput::Edge& edge : input.edges) {
    std::vector<int> path = {edge.from};
    for (int l = graph.layer[at(edge.from)] + 1; l < graph.layer[at(edge.to)]; ++l) {
      path.push_back(static_cast<int>(graph.layer.size()));
      graph.layers[at(l)].push_back(path.back());
      graph.layer.push_back(l);
    }
    path.push_back(edge.to);
    for (std::size_t i = 1; i < path.size(); ++i)
      graph.pieces.push_back(
          {path[i - 1], path[i], i == 1 ? edge.fromX : 0, i + 1 == path.size() ? edge.toX : 0});
    graph.paths.push_back(std::move(path));
  }
  graph.above.resize(graph.layer.size());
  graph.below.resize(graph.layer.size());
  for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
    graph.above[at(graph.pieces[i].to)].push_back(static_cast<int>(i));
    graph.below[at(graph.pieces[i].from)].push_back(static_cast<int>(i));
  }
  return graph;
}

int order(LayeredGraph& graph) {
  int best = countCrossings(graph);
  auto bestLayers = graph.layers;
  for (int sweep = 0; sweep < kOrderSweeps && best > 0; ++sweep) {
    std::vector<int> position = positions(graph);
    const bool down = sweep % 2 == 0;
    for (std::size_t l = 1; l < graph.layers.size(); ++l)
      sortByMedians(graph, position, down ? l : graph.layers.size() - 1 - l, down);
    exchange(graph);
    const int now = countCrossings(graph);
    if (now >= best) continue;
    best = now;
    bestLayers = graph.layers;
  }
  graph.layers = std::move(bestLayers);
  return best;
}

}  // namespace fusebench
