// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/kernel.h"

namespace fusebench::cpu {

/// How much of a rounding to a 16-bit float is necessary.
enum class Rounding : std::uint8_t {
  whole,
  /// Whatever is NaN has nothing in the lower half of its bits, as what 16-bit floats are read as
  /// has and what arithmetic makes of these: rounding it as a number leaves it NaN.
  ofPlainNans,
  none,  ///< the value already is such a float: the greater of two, an absolute value
};

/// The roundings of every node of a kernel; only those of Primitive::narrow matter. A rounding that
/// is left out changes no number; a NaN may keep different bits from those after the usual
/// rounding.
std::vector<Rounding> roundings(const Kernel& kernel);

}  // namespace fusebench::cpu
