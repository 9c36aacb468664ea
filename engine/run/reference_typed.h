// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

// The reference of integers and of float64.

/// Of a tensor of integers, these from its doubles.
void setIntegers(ReferenceTensor& tensor);

/// Where value number `flat` of a tensor of shape `own` that is broadcast to `shape` lies.
std::size_t broadcastPlace(const Shape& own, const Shape& shape, std::int64_t flat);

/// A pointwise op; null operands are its numbers.
ReferenceTensor pointwiseTyped(const Op& op, std::span<const ReferenceTensor* const> operands,
                               const OpTypes& types, ReferenceTensor result);

/// What a reduction makes of float64 elements before it accumulates them, in place.
void mapTyped(const Op& op, const OpTypes& types, std::vector<double>& elements);

/// A reduction of integers.
ReferenceTensor reduceIntegers(const Op& op, const ReferenceTensor& operand, const OpTypes& types,
                               ReferenceTensor result);

/// The same of an op whose row asks where an element is, of any kind and class.
ReferenceTensor placed(const Op& op, std::span<const ReferenceTensor* const> operands,
                       const OpTypes& types, ReferenceTensor result);

}  // namespace fusebench
