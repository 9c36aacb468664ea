// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "engine/device/backend.h"
#include "engine/plan/plan.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The needs of one call of a program: its peak memory, inputs included, and its floating-point
/// operations, recomputed ones included.
struct CallNeeds {
  std::int64_t peakBytes = 0;
  std::int64_t flops = 0;
};

/// The needs of a plan for inputs of these forms. `backend`: its library calls count; null: they
/// take nothing.
CallNeeds needsOfPlan(const Plan& plan, Forms inputs, Backend* backend);

/// A cell's program; where the variant has a budget, with the segments that keep to it and
/// recompute the least: the first statements in segments of equal length, the rest saved. `needsOf`
/// returns the needs of a program. Throws Unavailable, in one line that names the least possible
/// budget, where none does.
Program withinBudget(const Experiment& experiment, const CellKey& key,
                     const std::function<CallNeeds(const Program&)>& needsOf);
/// The same with the needs of the variant's own executor there.
Program programOf(Backend& backend, const Experiment& experiment, const CellKey& key);
/// The forward part of it alone, as PyTorch is given it: by a plan that has every op apart.
Program forwardWithinBudget(const Experiment& experiment, const CellKey& key);

}  // namespace fusebench
