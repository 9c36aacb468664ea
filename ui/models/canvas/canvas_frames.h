// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {

/// Sets how deep open frames are nested in each frame.
void nestFrames(CanvasGraph& graph);

/// Puts one node in the place of each of these frames, as far as no frame around it is folded: its
/// first node stands for all of them, the others are hidden. Edges within are gone, several from
/// one node are one.
void foldFrames(CanvasGraph& graph, const std::set<QString>& keys);

}  // namespace fusebench
