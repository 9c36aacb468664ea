// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>

#include "ui/models/canvas/canvas_graph.h"

namespace fusebench {

/// Puts one node in the place of each of these frames, as far as no frame around it is folded: its
/// first node stands for all of them, the others are hidden. Edges within are gone, several from
/// one node are one.
void foldFrames(CanvasGraph& graph, const std::set<QString>& keys);

}  // namespace fusebench
