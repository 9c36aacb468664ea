// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "engine/edit/sketch.h"

namespace fusebench {

/// Items that the palette offers next to the ops: an input, and layers of several ops, each with
/// its own weights. The edits treat them like rows of ops, and write them as lines of PyTorch;
/// programs do not contain such ops.
std::span<const OpRow> layerRows();
bool isLayer(const OpRow& row);
/// The row of an op, or of a layer, called `name`; null if there is neither.
const OpRow* findOpOrLayer(std::string_view name);

/// See insertOnEdge(). An input replaces the port's value. A residual adds the value that the
/// layers before it read first. Throws EditRefused if the shape of the value does not suit the
/// layer.
SketchEdit insertLayer(const Sketch& sketch, const OpRow& layer, Port port,
                       const KnownValues& known);
/// See branchFrom(). An input is added, which nothing reads yet.
SketchEdit branchLayer(const Sketch& sketch, const OpRow& layer, ValueId value,
                       const KnownValues& known);

}  // namespace fusebench
