// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// Nanoseconds of a recorded call by statement, as returned by statementTimes(), for variant number
/// `variant` of an experiment that is shown next to a run. From the largest point for which the run
/// has a call. Empty: the run has none, or it is of another program.
std::vector<double> recordedTimes(const Run* run, const Experiment& shown, int variant);

}  // namespace fusebench
