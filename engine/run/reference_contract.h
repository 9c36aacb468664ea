// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/run/reference.h"

namespace fusebench {

/// A contraction by loops over its index letters, in double. `terms`: per element the sum of
/// |terms|, which its error is measured against.
ReferenceTensor contracted(const Op& op, const std::vector<const ReferenceTensor*>& operands,
                           ReferenceTensor result, std::vector<double>& terms);

}  // namespace fusebench
