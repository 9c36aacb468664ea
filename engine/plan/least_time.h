// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

/// What no device of a kind exceeds, in a second.
struct PeakRates {
  double points = 0;    ///< elements that kernels go through
  double products = 0;  ///< products of libraries' calls
  double bytes = 0;     ///< read and written

  /// Of a processor of so many threads; of a GPU.
  static PeakRates ofProcessor(int threads);
  static PeakRates ofGpu();
};

/// How long a call takes at least, in seconds: its steps one after the other, each no faster than
/// these rates. A call that takes hours is told by it before it runs; it predicts nothing.
double leastSeconds(const Plan& plan, std::span<const std::int64_t> symbols,
                    const PeakRates& rates);

}  // namespace fusebench
