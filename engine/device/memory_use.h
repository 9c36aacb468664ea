// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

class Backend;

/// The memory that one call of a plan takes from an allocator, without its inputs.
struct MemoryUse {
  std::size_t peakBytes = 0;       ///< the most that is handed out at once
  std::size_t peakBlockBytes = 0;  ///< the same in blocks as pools round them
  std::uint64_t allocations = 0;   ///< number of allocations
};

/// Computed by going through the plan's steps with pools that have no memory behind them, so these
/// are the numbers that the allocators themselves would count. `symbols`: the values of the plan's
/// symbols for some inputs. If a plan keeps its memory, the result is the kept memory, and a call
/// allocates only what library calls take while they run. `backend`: its library calls count; null:
/// they take nothing.
MemoryUse memoryUseOf(const Plan& plan, std::span<const std::int64_t> symbols,
                      Backend* backend = nullptr);

}  // namespace fusebench
