// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Gives integer inputs that the programs use as indices, and for which the file has no range, the
/// range of the indexed dimension: the smallest at the ends of the axes.
void setIndexRanges(Experiment& experiment);

}  // namespace fusebench
