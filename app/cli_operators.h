// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench::cli {

/// Prints the operators of traces: `by` names groupings with commas, or is "tree". `csv`: a
/// directory for the groups as a table; empty: none.
int analyzeOperators(const std::vector<std::string>& paths, const std::string& by, bool json,
                     const std::string& csv);

}  // namespace fusebench::cli
