// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Gives an experiment that is saved to `path` its file of weights, which is in the folder that the
/// experiment was read from: as a hard link if both are on one file system, otherwise as a copy of
/// at most `mostCopied` bytes. The file gets another name if a different file already has its name.
/// Sets the experiment's `weights` and `folder`. Does nothing for an experiment without weights, or
/// one that stays in its folder. Throws InputError, and changes nothing then.
void takeWeightsAlong(Experiment& experiment, const std::string& path,
                      std::uintmax_t mostCopied = std::numeric_limits<std::uintmax_t>::max());

}  // namespace fusebench
