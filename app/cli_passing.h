// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// What passes between host and device and between ranks: the throughput of batches that come from
/// host memory, what more ranks bring, and the line through each collective's times. Empty where
/// nothing does.
std::string passingText(const Run& run);

}  // namespace fusebench::cli
