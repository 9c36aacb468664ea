// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/plan/kernel.h"

namespace fusebench {

/// Maximum length of rows that are joined with their neighbors, in elements: a vector of float32
/// with AVX-512.
inline constexpr std::int64_t kLongestJoinedRow = 16;
/// With fewer rows than this, the preparation does not pay off.
inline constexpr std::int64_t kFewestJoinedRows = 32;

/// Whether a device that joins short rows can do so in launches of a kernel: each element is
/// computed separately, the innermost loop iterates over adjacent or repeated elements, and some
/// input repeats one row for all, like the mean in `image - mean` of shapes (height, width, 3) and
/// (3,). The loop over the rows is the second to last one.
bool mayJoinRows(const Kernel& kernel);

/// Whether its rows are known to be short and consecutive in each tensor that does not repeat.
bool hasShortRows(const Kernel& kernel);

}  // namespace fusebench
