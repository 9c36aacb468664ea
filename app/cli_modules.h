// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// Prints the modules of a run's program, those with the most time first: a table for each variant
/// with a recorded call at the end of the axes, or one JSON object. `file`: what the run was read
/// from. Throws InputError if no recorded call has modules.
void printModules(const Run& run, const std::string& file, bool json);

}  // namespace fusebench::cli
