// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

// The reference of reductions of floats, and of running accumulations.

/// `operandTerms`: what errors of the operand's elements are measured against; empty: they are
/// exact. `terms` becomes that of the result.
ReferenceTensor reduce(const Op& op, const ReferenceTensor& operand,
                       const std::vector<double>& operandTerms, const OpTypes& types,
                       ReferenceTensor result, std::vector<double>& terms);

/// Running sums or products along a dimension.
ReferenceTensor scanned(const Op& op, const ReferenceTensor& operand, const OpTypes& types,
                        ReferenceTensor result, std::vector<double>& terms);

}  // namespace fusebench
