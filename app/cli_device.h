// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// Host, device and wall time of a call beside each other, the device's clock, what was dropped and
/// what its steps cost by themselves. Empty for a run on a device that has no times of its own.
std::string deviceText(const Run& run);

}  // namespace fusebench::cli
