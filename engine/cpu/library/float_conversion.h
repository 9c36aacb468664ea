// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/dtype.h"

namespace fusebench::cpu {

/// Converts 16-bit floats that are `step` elements apart to contiguous float32; exact.
void widen(const std::uint16_t* from, std::int64_t step, float* to, std::int64_t count,
           DType dtype);
/// Converts back, rounding each to nearest even.
void narrow(const float* from, std::uint16_t* to, std::int64_t step, std::int64_t count,
            DType dtype);

}  // namespace fusebench::cpu
