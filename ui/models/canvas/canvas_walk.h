// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <span>

#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {

enum class CanvasStep { up, down, left, right, next, previous, first, last };

/// The node that a step from `node` (-1: none yet) leads to, or `node` if there is none. Up and
/// down follow edges, the first operand and the first reader before others; left and right go to
/// the nearest node on that side. `places` are the rectangles of the nodes.
int walk(const CanvasGraph& graph, std::span<const QRectF> places, int node, CanvasStep step);

/// The edge on which an op that comes after `node` is put: to its first reader;
/// -1: nothing reads it.
int edgeAfter(const CanvasGraph& graph, int node);
/// The edge on which an op that comes before `node` is put: its first tensor
/// operand's; -1: none.
int edgeBefore(const CanvasGraph& graph, int node);

/// The edge on which the ops must be put so that they come one op later (or
/// earlier) in the chain; -1: they are at its end.
int edgeOneOn(const CanvasGraph& graph, std::span<const int> nodes, bool later);

/// Which operand of `node` a value is most likely meant for when it is dropped
/// on the node: one that is a number, else the last.
int likelyOperand(const CanvasGraph& graph, int node);

}  // namespace fusebench
