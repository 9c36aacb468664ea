// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/base/form.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// The kernel of a step of the plan, and what its launches need. A step that stands apart has one
/// that serves any shape, with numbers given at launch. An op list is put as a kernel, too: for
/// people and for estimates.
LoweredKernel lowerKernel(const Plan& plan, const Step& step);
/// The op list of a step that is one.
LoweredOpList lowerOpList(const Plan& plan, const Step& step);

/// One op by itself, for operands of these forms, in order, numbers left out: for any shape, with
/// numbers given at launch. `into`: of what it writes to, if it does so in place. Throws
/// ProgramError if they do not fit.
LoweredKernel lowerAlone(const Op& op, Forms operands, const Form* into = nullptr);

/// What a value is for inputs that give the plan's symbols these values.
Form formOf(const PlanValues& values, ValueId value, std::span<const std::int64_t> symbols);

}  // namespace fusebench
