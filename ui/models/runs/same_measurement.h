// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Whether results of one experiment are results of the other: their programs, inputs, variants,
/// axes and baseline are the same. Titles, colours and how long to measure may differ.
bool sameMeasurement(const Experiment& a, const Experiment& b);

}  // namespace fusebench
