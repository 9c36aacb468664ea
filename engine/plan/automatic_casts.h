// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/language/program.h"
#include "engine/plan/differentiate.h"

namespace fusebench {

/// A program with the casts that torch.autocast makes as ops like any other. SavePolicy::named: as
/// a framework does, which keeps the casts of parameters from float32 for as long as a context
/// lasts, and makes others at each use; SavePolicy::fewest: no value is cast to one type twice.
///
/// `program`: with its sizes evaluated (withNumbers); `inputs`: their types.
Program withCasts(const Program& program, std::span<const ValueType> inputs, SavePolicy policy);

}  // namespace fusebench
