// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// What each cell moves, in GB/s beside its baseline's, and where variants get ahead in that. Empty
/// where no cell says what it moves.
std::string bandwidthText(const Run& run);

}  // namespace fusebench::cli
