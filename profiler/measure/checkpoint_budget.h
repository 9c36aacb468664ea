// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "engine/device/backend.h"
#include "engine/plan/plan.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The requirements of one call of a program: its peak memory, inputs included, and its
/// floating-point operations, recomputed ones included.
struct CallNeeds {
  std::int64_t peakBytes = 0;
  std::int64_t flops = 0;
};

/// The requirements of a plan for inputs of these forms. `backend`: includes its library calls;
/// null: these need no memory.
CallNeeds needsOfPlan(const Plan& plan, Forms inputs, Backend* backend);

/// A cell's program; if the variant has a budget, with the segments that meet it and recompute the
/// least: the first statements in segments of equal length, the rest saved. `needsOf` returns the
/// requirements of a program. Throws Unavailable, in one line that names the smallest possible
/// budget, if no segments meet it.
Program withinBudget(const Experiment& experiment, const CellKey& key,
                     const std::function<CallNeeds(const Program&)>& needsOf);
/// The same with the needs of the variant's own executor there.
Program programOf(Backend& backend, const Experiment& experiment, const CellKey& key);
/// The forward part alone, as it is given to PyTorch: by a plan in which every op is separate.
Program forwardWithinBudget(const Experiment& experiment, const CellKey& key);

}  // namespace fusebench
