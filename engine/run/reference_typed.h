// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

// The reference of integers and of float64.

/// Sets the integers of an integer tensor from its doubles.
void setIntegers(ReferenceTensor& tensor);

/// The position of value number `flat` in a tensor of shape `own` that is broadcast to `shape`.
std::size_t broadcastPlace(const Shape& own, const Shape& shape, std::int64_t flat);

/// A pointwise op; null operands are its numbers.
ReferenceTensor pointwiseTyped(const Op& op, std::span<const ReferenceTensor* const> operands,
                               const OpTypes& types, ReferenceTensor result);

/// Applies a reduction's mapped expression to float64 elements, in place.
void mapTyped(const Op& op, const OpTypes& types, std::vector<double>& elements);

/// A reduction of integers.
ReferenceTensor reduceIntegers(const Op& op, const ReferenceTensor& operand, const OpTypes& types,
                               ReferenceTensor result);

/// The same for an op whose row needs element positions, of any kind and class.
ReferenceTensor placed(const Op& op, std::span<const ReferenceTensor* const> operands,
                       const OpTypes& types, ReferenceTensor result);

}  // namespace fusebench
