// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Statements that are made anew together by a variant's option `checkpoint`: 0 for "none", K for
/// "every K", -1 for "sqrt"; nothing if it is none of these.
std::optional<int> checkpointOf(const std::string& option);

/// What a variant's gradients are by: the parameters that the program brings along, or if there are
/// none its inputs that are floats.
std::vector<ValueId> differentiatedBy(const Experiment& experiment, const Variant& variant,
                                      const Program& program);

/// The program with what the variant's options `gradients` and `checkpoint` ask for.
Program differentiated(const Experiment& experiment, const Variant& variant, Program program);
/// With its option `checkpoint` alone.
Program checkpointed(const Variant& variant, Program program);

}  // namespace fusebench
