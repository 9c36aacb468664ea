// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// Gradients through views: the gradient of each element is placed where its element is in the
/// view's base, added up where a view shows an element more than once, and 0 where it shows none.
///
/// `gradient`: gradient of a view of this type; the result's shape is that of the base, or
/// broadcasts to it. Nothing: no element is seen. Throws ProgramError where the view's rule cannot
/// be expressed by strides.
std::optional<Operand> throughView(GradientOps& ops, const Op& op, ValueId result,
                                   const Operand& gradient);

/// The gradient through an op of sliceGradientRow(): the positions of its elements.
Operand throughSliceGradient(GradientOps& ops, const Op& op, const Shape& result,
                             const Operand& gradient);

}  // namespace fusebench
