// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/plan/plan.h"

namespace fusebench {

class Backend;

/// What one call by a plan takes of an allocator, beside its inputs.
struct MemoryUse {
  std::size_t peakBytes = 0;       ///< the most that is handed out at once
  std::size_t peakBlockBytes = 0;  ///< the same in blocks as pools round them
  std::uint64_t allocations = 0;   ///< how often memory is asked for
};

/// Found by going through the plan's steps with pools that have no memory behind them, so it is
/// what the allocators themselves would count. For inputs that give the plan's symbols these
/// values. Of a plan that keeps its memory: what it holds, and a call allocates nothing but what
/// library calls take while they run. `backend`: whose library calls count; null: they take
/// nothing.
MemoryUse memoryUseOf(const Plan& plan, std::span<const std::int64_t> symbols,
                      Backend* backend = nullptr);

}  // namespace fusebench
