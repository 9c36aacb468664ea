// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Whether the first axis, along which curves go, has this value.
bool onFirstAxis(const Experiment& experiment, double x);

/// How many statements of the edited program run at the chart's cursor; 0 without a cursor, or if
/// its axis does not count statements. `shown` is the experiment whose axis the chart has.
int statementsAt(const Experiment& shown, const Experiment& edited, std::optional<double> x);

}  // namespace fusebench
