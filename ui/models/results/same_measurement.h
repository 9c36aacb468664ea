// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The same experiment with its variants and input sets named by their index: names for readers,
/// and references to missing things, are removed.
Experiment withoutNames(Experiment experiment);

/// Whether results of one experiment are results of the other: their programs, inputs, variants,
/// axes and baseline are the same. Titles, names of variants and of inputs, colors and the
/// measuring times may differ.
bool sameMeasurement(const Experiment& a, const Experiment& b);

}  // namespace fusebench
