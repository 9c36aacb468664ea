// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// The bandwidth of each cell in GB/s next to its baseline's, and where a variant's becomes higher.
/// Empty if the bytes of no cell are known.
std::string bandwidthText(const Run& run);

}  // namespace fusebench::cli
