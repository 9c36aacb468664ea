// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/least_time.h"

#include <algorithm>

#include "engine/plan/storages.h"

namespace fusebench {

PeakRates PeakRates::ofProcessor(int threads) {
  // Sixteen lanes, two units, 4 GHz. Each unit computes a product and a sum at once, and processors
  // have further units for sums. Products of int8 values are eight times as fast.
  constexpr double kPoints = 128e9, kProducts = 1024e9, kBytes = 2e12;
  const auto all = static_cast<double>(std::max(threads, 1));
  return {.points = kPoints * all,
          .operations = 4 * kPoints * all,
          .products = kProducts * all,
          .bytes = kBytes};
}

PeakRates PeakRates::ofGpu() {
  return {.points = 200e12, .operations = 400e12, .products = 20e15, .bytes = 100e12};
}

double leastSeconds(const Plan& plan, std::span<const std::int64_t> symbols,
                    const PeakRates& rates) {
  double seconds = 0;
  const std::vector<StepCost> costs = costsOf(plan, symbols);
  for (std::size_t s = 0; s < costs.size(); ++s) {
    const bool call = isCall(plan.steps[s].kind);
    const auto points = static_cast<double>(costs[s].points);
    const double computing =
        call ? points / rates.products
             : std::max(points / rates.points,
                        static_cast<double>(costs[s].operations) / rates.operations);
    const double bytes =
        static_cast<double>(costs[s].bytes.read) + static_cast<double>(costs[s].bytes.written);
    seconds += std::max(computing, bytes / rates.bytes);
  }
  return seconds;
}

}  // namespace fusebench
