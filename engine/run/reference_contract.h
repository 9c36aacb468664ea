// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

/// A contraction by loops over its index letters, in double. `terms`: per element the sum of
/// |terms|, which its error is measured against; in a pool of a result, of its terms
/// (`operandTerms`) where those are the greater.
ReferenceTensor contracted(const Op& op, const std::vector<const ReferenceTensor*>& operands,
                           const std::vector<const std::vector<double>*>& operandTerms,
                           ReferenceTensor result, std::vector<double>& terms);

}  // namespace fusebench
