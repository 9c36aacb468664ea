// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::fuzz {

/// Reads a trace, looks at all that is shown of it, writes it and reads that; says what it holds.
/// Throws std::logic_error if something makes no sense or is lost on the way.
std::string traceAndBack(const std::string& path);

/// The same of a folder with a trace of each rank, which are laid on one clock and joined.
std::string ranksOf(const std::string& folder);

}  // namespace fusebench::fuzz
