// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {

/// Sets how deep open frames are nested in each frame.
void nestFrames(CanvasGraph& graph);

/// Replaces each of these frames by one node, unless a frame around it is folded: its first node
/// represents all of them, the others are hidden. Edges within are removed, and several edges from
/// one node become one.
void foldFrames(CanvasGraph& graph, const std::set<QString>& keys);

}  // namespace fusebench
