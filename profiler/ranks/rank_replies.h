// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "profiler/protocol/protocol.h"

namespace fusebench {

/// What the ranks' replies to one request are together, as a line: rank 0's, with the slowest
/// one's time and each one's own of a sample, the most memory, the greatest error. What one could
/// not do, none could: then it is the first one's that says why, with its number.
std::string togetherLine(const Request& request, std::span<const Reply> replies);

/// A request as rank number `rank` gets it: files are its own, see fileOfRank().
Request requestFor(const Request& request, int rank);

}  // namespace fusebench
