// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <vector>

#include "profiler/analysis/crossings.h"
#include "profiler/run/run.h"

namespace fusebench {

/// The output of `run --json` and `analyze --json`: see the project's documentation of the command
/// line. Figures that were not measured are null.
nlohmann::ordered_json resultJson(const Run& run, const std::vector<Crossing>& crossings);
nlohmann::ordered_json resultJson(const Reference& reference,
                                  const std::vector<Crossing>& crossings);

}  // namespace fusebench
