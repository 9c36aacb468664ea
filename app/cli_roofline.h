// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench::cli {

/// Prints what the operators of traces reach of their device's rates, and what bounds them. `csv`:
/// a directory for it as a table; empty: none.
int analyzeRoofline(const std::vector<std::string>& paths, bool json, const std::string& csv,
                    const std::string& range);

}  // namespace fusebench::cli
