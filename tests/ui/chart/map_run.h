// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench::test {

/// A run over statements x elements of eager (1,000 ns everywhere) and of two other variants that
/// are `ratio` (as a function of statements, elements) times as fast, "fused", and exactly as fast,
/// "same". Ratios are within `noise` of that, half of them above and half below.
Run mapRun(const std::vector<std::int64_t>& statements, const std::vector<std::int64_t>& elements,
           const std::function<double(double, double)>& ratio, int samples = 31,
           double noise = 0.01);

}  // namespace fusebench::test
