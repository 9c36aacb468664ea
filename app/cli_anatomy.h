// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"

namespace fusebench::cli {

/// Where a call's time goes, per variant, at the far end of the axes; empty if nothing was traced.
std::string anatomyText(const Run& run);

}  // namespace fusebench::cli
