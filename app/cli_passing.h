// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// Transfers between host and device and between ranks: the throughput of batches from host memory,
/// the speedup of more ranks, and the line through each collective's times. Empty if there are
/// none.
std::string passingText(const Run& run);

}  // namespace fusebench::cli
