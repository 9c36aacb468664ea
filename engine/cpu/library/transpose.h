// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace fusebench::cpu {

/// to[c * toStep + r] = from[r * fromStep + c] for all rows and columns, with elements of `size`
/// bytes (1, 2, 4 or 8); steps are in elements. Squares are transposed within registers, and full
/// cache lines are written.
void transposeElements(std::size_t size, const void* from, std::int64_t fromStep, void* to,
                       std::int64_t toStep, std::int64_t rows, std::int64_t columns);

}  // namespace fusebench::cpu
