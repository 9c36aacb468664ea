// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/plan/gradient_ops.h"

namespace fusebench {

/// What flows back through views: their elements' gradients, each where its element lies in what is
/// viewed, added up where a view shows an element more than once, and zeros where it shows none.
///
/// `gradient`: of a view of this type; the result's shape is that of what it views, or broadcasts
/// to it. Nothing: no element is seen. Throws ProgramError where the view's rule is none of
/// strides.
std::optional<Operand> throughView(GradientOps& ops, const Op& op, ValueId result,
                                   const Operand& gradient);

/// What flows back through an op of sliceGradientRow(): the places that it put elements at.
Operand throughSliceGradient(GradientOps& ops, const Op& op, const Shape& result,
                             const Operand& gradient);

}  // namespace fusebench
