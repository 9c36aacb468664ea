// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench::cli {

/// Whether the path is a trace, or a directory of ranks.
bool isTraceInput(const std::string& path);

/// Prints figures of traces: where the time went, ranks, kernels, and what fusing or a graph would
/// save. `csv`: a directory for all of it as tables; empty: none. `range`: see titledTraces.
int analyzeTraces(const std::vector<std::string>& paths, bool json, const std::string& csv,
                  const std::string& range);

}  // namespace fusebench::cli
