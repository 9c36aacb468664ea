// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The same experiment with its variants and input sets called by their places: what names are for
/// the reader is gone, and what refers to what is not.
Experiment withoutNames(Experiment experiment);

/// Whether results of one experiment are results of the other: their programs, inputs, variants,
/// axes and baseline are the same. Titles, names of variants and of inputs, colors and the
/// measuring times may differ.
bool sameMeasurement(const Experiment& a, const Experiment& b);

}  // namespace fusebench
