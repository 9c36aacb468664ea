// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of the canvas, and the room that their names take above the nodes.
#include <algorithm>
#include <vector>

#include "ui/models/base/as_index.h"
#include "ui/views/canvas/canvas_frame_item.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"

namespace fusebench {
namespace {

/// For each node, the depth of the innermost frame that it shares with a node that it reads; -1: it
/// shares none. The frames around it that are deeper begin there.
std::vector<int> deepestShared(const CanvasGraph& graph) {
  std::vector<int> deepest(graph.nodes.size(), -1);
  for (const CanvasEdge& edge : graph.edges) {
    int from = graph.nodes[at(edge.from)].frame, to = graph.nodes[at(edge.to)].frame;
    const auto depth = [&](int frame) { return frame < 0 ? -1 : graph.frames[at(frame)].depth; };
    while (from != to) {
      int& inner = depth(from) > depth(to) ? from : to;
      inner = graph.frames[at(inner)].parent;
    }
    deepest[at(edge.to)] = std::max(deepest[at(edge.to)], depth(to));
  }
  return deepest;
}

}  // namespace

/// Above each node: for the caption of its kernel, and for the names of the frames that begin
/// there. A frame may begin at several nodes side by side, and the names of those within it are
/// below its own.
void CanvasSurface::measureHeadRoom() {
  headRoom_.assign(graph_.nodes.size(), 0);
  const std::vector<int> shared = deepestShared(graph_);
  for (std::size_t i = 0; i < headRoom_.size(); ++i) {
    const CanvasNode& node = graph_.nodes[i];
    if (node.hidden) continue;
    for (int f = node.frame; f >= 0; f = graph_.frames[at(f)].parent) {
      const CanvasFrame& frame = graph_.frames[at(f)];
      if (frame.open() && frame.depth > shared[i])
        headRoom_[i] = std::max(headRoom_[i], canvas::kFrameHead * (1 + frame.within));
    }
  }
  for (const int node : heads_)
    if (node >= 0 && at(node) < headRoom_.size() && !graph_.nodes[at(node)].hidden &&
        graph_.nodes[at(node)].folded < 0)
      headRoom_[at(node)] += canvas::kCaptionHeight;
}

double CanvasSurface::headRoom(int node) const {
  return headRoom_[at(node)];
}

/// Outlines around the nodes of what is open, the outer ones farther out.
void CanvasSurface::makeFrames() {
  for (std::size_t f = 0; f < graph_.frames.size(); ++f) {
    const CanvasFrame& frame = graph_.frames[f];
    if (!frame.open()) continue;
    QRectF area;
    for (int i = frame.first; i <= frame.last; ++i)
      if (!graph_.nodes[at(i)].hidden) area |= layout_.nodes[at(i)];
    const double out = canvas::kFrameSide * (1 + frame.within);
    const double head =
        std::ranges::count(heads_, frame.first) > 0 && graph_.nodes[at(frame.first)].folded < 0
            ? canvas::kCaptionHeight
            : 0;
    area.adjust(-canvas::kGutter - out, -head - canvas::kFrameHead * (1 + frame.within),
                canvas::kHullSide + out, canvas::kHullEnd + 2 + 2 * frame.within);
    auto* item = new CanvasFrameItem(frame, static_cast<int>(f), area, *theme_);
    scene_.addItem(item);
    frames_.push_back(item);
    content_ |= area.adjusted(-2, -2, 2, 2);
  }
}

int CanvasSurface::frameAt(QPointF scene) const {
  for (auto item = frames_.rbegin(); item != frames_.rend(); ++item)
    if ((*item)->titleFrame().contains(scene)) return (*item)->number();
  return -1;
}

}  // namespace fusebench
