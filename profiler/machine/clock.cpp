// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/clock.h"

#include <algorithm>
#include <cmath>

#include "engine/base/ticks.h"

namespace fusebench {
namespace {

double measureCost() {
  constexpr int kBatches = 20, kReadings = 500;
  double best = INFINITY;
  for (int batch = 0; batch < kBatches; ++batch) {
    const std::int64_t start = nowNanoseconds();
    std::int64_t end = start;
    for (int i = 0; i < kReadings; ++i) end = nowNanoseconds();
    best = std::min(best, static_cast<double>(end - start) / kReadings);
  }
  return best;
}

}  // namespace

std::int64_t nowNanoseconds() {
  return steadyNanoseconds();
}

double clockCostNanoseconds() {
  static const double cost = measureCost();
  return cost;
}

std::int64_t shortestSampleNanoseconds() {
  return std::max(std::int64_t{1'000'000},
                  static_cast<std::int64_t>(1000 * clockCostNanoseconds()));
}

}  // namespace fusebench
