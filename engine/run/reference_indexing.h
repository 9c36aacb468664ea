// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

// Ops that use an index, element by element. `terms`: the terms that errors are measured against,
// as for operands; see TermsOfRow. If a position is out of range, the nearest valid one is read,
// and nothing is added there: a check has reported it.

ReferenceTensor gathered(const Op& op, std::span<const ReferenceTensor* const> operands,
                         std::span<const std::vector<double>* const> operandTerms,
                         ReferenceTensor result, std::vector<double>& terms);
ReferenceTensor scattered(const Op& op, std::span<const ReferenceTensor* const> operands,
                          std::span<const std::vector<double>* const> operandTerms,
                          ReferenceTensor result, std::vector<double>& terms);
/// Places of the elements along a dimension, in order.
ReferenceTensor ordered(const Op& op, const ReferenceTensor& operand, ReferenceTensor result);
/// The result of an index check; see outsidePlace().
ReferenceTensor checkedPlaces(const Op& op, std::span<const ReferenceTensor* const> operands,
                              ReferenceTensor result);

}  // namespace fusebench
