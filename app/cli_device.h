// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// Host, device and wall time of a call in one table, the device's clock, dropped samples and the
/// cost of its basic steps. Empty for a run on a device without separate times.
std::string deviceText(const Run& run);

}  // namespace fusebench::cli
