// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/base/form.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"

namespace fusebench {

/// The kernel of a step of the plan, and the arguments of its launches. The kernel of a step that
/// runs alone serves any shape, with numbers passed at launch. An op list is also returned as a
/// kernel, for display and for estimates.
LoweredKernel lowerKernel(const Plan& plan, const Step& step);
/// The op list of a step of that kind.
LoweredOpList lowerOpList(const Plan& plan, const Step& step);

/// One op by itself, for any shape with numbers passed at launch. `operands`: the forms of its
/// operands in order, without numbers. `into`: the form of the tensor that it writes to in place.
/// Throws ProgramError if they do not fit.
LoweredKernel lowerAlone(const Op& op, Forms operands, const Form* into = nullptr);

/// The form of a value for inputs with these values of the plan's symbols.
Form formOf(const PlanValues& values, ValueId value, std::span<const std::int64_t> symbols);

}  // namespace fusebench
