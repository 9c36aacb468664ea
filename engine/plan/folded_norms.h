// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/language/program.h"

namespace fusebench {

/// The program with what scales and shifts the channels of a convolution's or a linear layer's
/// result (a batch norm that uses its running statistics) in the layer's weight and bias: conv(x,
/// w) * s + t is conv(x, w * s) + t. Where all of it depends on held inputs alone, prepared() then
/// computes the weight and the bias once. Both are computed in float64 and rounded once. Nothing
/// if the program does not have such a layer.
///
/// A layer is left unchanged if something else reads a value between it and the last of these ops,
/// or if the program computes gradients or is autocast.
std::optional<Program> withFoldedNorms(const Program& program);

}  // namespace fusebench
