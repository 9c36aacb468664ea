// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Whether the first axis, along which curves go, has this value.
bool onFirstAxis(const Experiment& experiment, double x);

/// How many statements of the edited program run where the cursor of the chart stands; 0: the
/// cursor is nowhere, or says nothing of statements. `shown` is what the chart's axis is of.
int statementsAt(const Experiment& shown, const Experiment& edited, std::optional<double> x);

}  // namespace fusebench
