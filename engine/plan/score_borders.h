// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/language/program.h"
#include "engine/plan/attention_call.h"
#include "engine/plan/plan_values.h"

namespace fusebench {

/// The op that computes a value; null: it is an input.
const Op* opOf(const Program& program, ValueId value);
/// The number to which all elements of a value are equal, if it is created by full, ones, zeros or
/// tensor.
std::optional<double> constantOf(const Program& program, const PlanValues& values, ValueId value);

/// Which elements of a value over rows and columns (its last two dimensions) are true, or not 0, if
/// that follows from their positions alone: for tril and triu of ones, for comparisons of two
/// aranges, one along the rows and one along the columns, and for negations, conversions and views
/// of these. Nothing: it does not, or this is not detected.
std::optional<ScoreBorder> scoreBorderOf(const Program& program, const PlanValues& values,
                                         ValueId value);

}  // namespace fusebench
