// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/models/base/as_index.h"
#include "ui/models/canvas/canvas_layers.h"

namespace fusebench {
namespace {

// First layer by layer in turn, then every stop between what is above and below it.
constexpr int kPlaceSweeps = 64, kTurns = 8;
/// Long edges are kept straight before short ones (Gansner et al. 1993 weigh
/// them 8 : 2 : 1).
constexpr double kBothPassing = 8, kOnePassing = 2;

class Placer {
 public:
  Placer(const LayeredGraph& graph, const LayoutInput& input, const LayoutOptions& options)
      : graph_(graph), input_(input), options_(options), x_(graph.layer.size(), 0) {}

  std::vector<double> run() {
    for (const auto& layer : graph_.layers) packed(layer);
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      const bool both = sweep >= kTurns;
      for (std::size_t i = 0; i < graph_.layers.size(); ++i)
        settle(graph_.layers[down ? i : graph_.layers.size() - 1 - i], down || both, !down || both);
    }
    return std::move(x_);
  }

 private:
  double half(int stop) const {
    return graph_.passing(stop) ? options_.edgeRoom / 2 : input_.nodes[at(stop)].size.width() / 2;
  }
  /// Smallest distance between the centers of two neighbors.
  double apart(int left, int right) const {
    const bool edge = graph_.passing(left) || graph_.passing(right);
    return half(left) + half(right) + (edge ? options_.edgeRoom / 2 : options_.columnGap);
  }

  void packed(const std::vector<int>& layer) {
    double x = 0;
    for (std::size_t i = 1; i < layer.size(); ++i) x += apart(layer[i - 1], layer[i]);
    x = -x / 2;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) x += apart(layer[i - 1], layer[i]);
      x_[at(layer[i])] = x;
    }
  }

  double weight(const LayeredGraph::Piece& piece) const {
    const int passing = graph_.passing(piece.from) + graph_.passing(piece.to);
    return passing == 2 ? kBothPassing : passing == 1 ? kOnePassing : 1;
  }

  /// Where the stop would like to be, and how much.
  std::pair<double, double> wish(int stop, bool up, bool down) const {
    double sum = 0, total = 0;
    const auto add = [&](double x, double w) {
      sum += x * w;
      total += w;
    };
    if (up)
      for (int i : graph_.above[at(stop)]) {
        const auto& p = graph_.pieces[at(i)];
        add(x_[at(p.from)] + p.fromX - p.toX, weight(p));
      }
    if (down)
      for (int i : graph_.below[at(stop)]) {
        const auto& p = graph_.pieces[at(i)];
        add(x_[at(p.to)] + p.toX - p.fromX, weight(p));
      }
    if (total == 0) return {x_[at(stop)], 0.01};
    return {sum / total, total};
  }

  /// The places nearest to the wishes, by weighted least squares, that keep
  /// order and distances: isotonic regression by pooling adjacent violators
  /// (Barlow et al. 1972) on places less the distances so far.
  void settle(const std::vector<int>& layer, bool up, bool down) {
    struct Pool {
      double sum, weight;
      std::size_t count;
      double mean() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    std::vector<double> offset(layer.size(), 0);
    for (std::size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) offset[i] = offset[i - 1] + apart(layer[i - 1], layer[i]);
      const auto [x, w] = wish(layer[i], up, down);
      pools.push_back({(x - offset[i]) * w, w, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back().sum += last.sum;
        pools.back().weight += last.weight;
        pools.back().count += last.count;
      }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools)
      for (std::size_t k = 0; k < pool.count; ++k, ++i) x_[at(layer[i])] = pool.mean() + offset[i];
  }

  const LayeredGraph& graph_;
  const LayoutInput& input_;
  const LayoutOptions& options_;
  std::vector<double> x_;
};

}  // namespace

std::vector<double> placeAcross(const LayeredGraph& graph, const LayoutInput& input,
                                const LayoutOptions& options) {
  return Placer(graph, input, options).run();
}

}  // namespace fusebench
