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
  std::size_t peakBytes = 0;       ///< peak of the allocated bytes
  std::size_t peakBlockBytes = 0;  ///< the same in blocks as rounded up by pools
  std::uint64_t allocations = 0;   ///< number of allocations
};

/// Computed by executing the plan's steps with pools without memory behind them, so these are the
/// numbers that the allocators themselves would count. `symbols`: the values of the plan's symbols
/// for some inputs. If a plan keeps its memory, the result is the kept memory, and a call allocates
/// only what library calls need while they run. `backend`: includes its library calls; null: these
/// need no memory.
MemoryUse memoryUseOf(const Plan& plan, std::span<const std::int64_t> symbols,
                      Backend* backend = nullptr);

}  // namespace fusebench
