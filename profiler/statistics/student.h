// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fusebench {

/// The value that the absolute value of a Student t variable with these degrees of freedom exceeds
/// with the probability `missed`, 0 < missed < 1; infinity for no degrees. By bisection of the
/// distribution's finite series (Abramowitz and Stegun 26.7.3 and 26.7.4); beyond 200 degrees, of
/// the normal one.
double studentQuantile(std::size_t degrees, double missed = 0.05);

}  // namespace fusebench
