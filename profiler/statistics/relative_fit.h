// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "profiler/statistics/statistics.h"

namespace fusebench {

/// The line y = intercept + slope x with the smallest relative errors, for values that span several
/// decades, of which fitLine() would fit only the largest. Least squares weighted by 1 / y^2, with
/// 95% intervals (Student's t). Nothing for fewer than 2 distinct x or a y that is not positive;
/// intervals need 3 points.
std::optional<LineFit> fitRelativeLine(std::span<const double> x, std::span<const double> y);

}  // namespace fusebench
