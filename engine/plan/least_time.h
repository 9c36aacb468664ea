// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

/// Rates per second that no device of a kind exceeds.
struct PeakRates {
  double points = 0;  ///< elements that kernels process
  /// Arithmetic of kernels, see StepCost::operations.
  double operations = std::numeric_limits<double>::infinity();
  double products = 0;  ///< multiplications of library calls
  double bytes = 0;     ///< read and written

  /// The rates of a processor with this many threads, and of a GPU.
  static PeakRates ofProcessor(int threads);
  static PeakRates ofGpu();
};

/// A lower bound of the time of a call in seconds: its steps one after the other, none faster than
/// these rates. It detects calls that take hours before they run; it does not predict times.
double leastSeconds(const Plan& plan, std::span<const std::int64_t> symbols,
                    const PeakRates& rates);

}  // namespace fusebench
