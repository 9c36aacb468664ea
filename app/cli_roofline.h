// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench::cli {

/// Prints the share of the device's rates that the operators of traces reach, and what bounds them.
/// `csv`: a directory for a table of it; empty: none.
int analyzeRoofline(const std::vector<std::string>& paths, bool json, const std::string& csv,
                    const std::string& range);

}  // namespace fusebench::cli
